internal import CProgram
internal import Glibc
internal import PlugCore
internal import Synchronization

/// A descriptor shared by several threads: closed once, by `close` or with its last owner.
final class SharedDescriptor: Sendable {
    private let number: Mutex<Int32>

    init(_ number: Int32) { self.number = Mutex(number) }

    deinit { close() }

    /// The number, -1 once it is closed. It stays open until `close` is called.
    var value: Int32 { number.withLock { $0 } }

    /// Writes a byte, unless it is closed. The lock keeps the number from being reused for another file meanwhile.
    func write(_ byte: UInt8) {
        number.withLock { number in
            var byte = byte
            if number >= 0 { _ = Glibc.write(number, &byte, 1) }
        }
    }

    func close() {
        number.withLock { number in
            // close(2): the descriptor is gone even if it fails.
            if number >= 0 { Glibc.close(number) }
            number = -1
        }
    }
}

/// The two ends of a pipe, closed on exec.
struct Pipe {
    let reading: SharedDescriptor
    let writing: SharedDescriptor

    /// - Parameter room: How many bytes may wait in it, if the system allows that; 0 for the default.
    /// - Throws: `program-not-started` if the process has no descriptors left.
    init(room: Int32 = 0) throws(PlugError) {
        var ends: [Int32] = [-1, -1]
        guard plughost_pipe(&ends, room) == 0 else { throw RunningProgram.notStarted("no pipe", errno) }
        reading = SharedDescriptor(ends[0])
        writing = SharedDescriptor(ends[1])
    }
}

/// A file in memory with given content, read from its beginning.
enum MemoryFile {
    /// - Throws: `program-not-started` if there is no memory for it.
    static func holding(_ content: some Collection<UInt8>) throws(PlugError) -> SharedDescriptor {
        // The name only appears in /proc.
        let file = SharedDescriptor(plughost_memory_file("plughost"))
        guard file.value >= 0 else { throw RunningProgram.notStarted("no file in memory", errno) }
        var rest = Array(content)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file.value, $0.baseAddress, $0.count) }
            guard count > 0 else { throw RunningProgram.notStarted("no room in memory", errno) }
            rest = rest.dropFirst(count)
        }
        guard lseek(file.value, 0, SEEK_SET) == 0 else { throw RunningProgram.notStarted("no file in memory", errno) }
        return file
    }
}
