internal import Glibc
internal import PlugCore

/// The process's use of the machine, by the names that Prometheus' clients share.
package struct ProcessFigures: Sendable {
    /// The families of these figures.
    static let families = [cpu, memory, files, fileLimit, start]

    private static let cpu = MetricFamily(
        "process_cpu_seconds_total",
        .counter,
        help: "Processor time of the process, user and system."
    )
    private static let memory = MetricFamily(
        "process_resident_memory_bytes",
        .gauge,
        help: "Memory of the process that is in RAM."
    )
    private static let files = MetricFamily("process_open_fds", .gauge, help: "Open file descriptors.")
    private static let fileLimit = MetricFamily(
        "process_max_fds",
        .gauge,
        help: "How many file descriptors may be open."
    )
    private static let start = MetricFamily(
        "process_start_time_seconds",
        .gauge,
        help: "When the process began, in seconds since 1970."
    )

    private let startedAt: Double

    /// - Parameter startedAt: When the process started, in seconds since 1970.
    package init(startedAt: Double) { self.startedAt = startedAt }

    /// Reads them again. Figures that the system does not give keep their last value.
    package func read(into registry: MetricRegistry) {
        registry.set(Self.start, to: startedAt)
        var usage = rusage()
        // getrusage(2) and getrlimit(2) fail only for a bad address.
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            registry.set(Self.cpu, to: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            registry.set(Self.fileLimit, to: Double(limit.rlim_cur))
        }
        // The second number of this file is the resident memory, in pages (proc(5)).
        if let bytes = try? WholeFile.read("/proc/self/statm", limit: 4_096),
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({
                Double($0)
            })
        {
            registry.set(Self.memory, to: pages * Double(sysconf(Int32(_SC_PAGESIZE))))
        }
        if let count = Self.openFiles() { registry.set(Self.files, to: Double(count)) }
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

    /// The entries of this folder are the open files (proc(5)).
    private static func openFiles() -> Int? {
        // Without the folder itself, which is open while it is read.
        (try? FolderNames.read("/proc/self/fd")).map { max(0, $0.count - 1) }
    }
}
