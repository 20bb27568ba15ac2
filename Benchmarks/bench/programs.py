"""The benchmarks' own programs: compiled when they are needed, and ended with their benchmark."""
import contextlib
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent


def built(name, folder, *libraries):
    """Compiles a program of the benchmarks into a folder; gives its path."""
    source = HERE / name
    program = folder / source.stem
    compiler = ["c++", "-std=c++17"] if source.suffix == ".cpp" else ["cc"]
    subprocess.run([*compiler, "-O2", "-o", program, source, *libraries], check=True)
    return program


@contextlib.contextmanager
def small_servers(folder, count=2):
    """Runs `small.c` so many times and gives their ports."""
    small = built("small.c", folder)
    running = [subprocess.Popen([small], stdout=subprocess.PIPE, text=True) for _ in range(count)]
    try:
        yield [int(process.stdout.readline()) for process in running]
    finally:
        for process in running:
            process.terminate()
            process.wait()
