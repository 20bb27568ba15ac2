import CurlTransport
import Foundation
import PlugCore
import TestKit

@testable import Programs

/// A program that tries one way out of its sandbox, and what it is told of the world outside.
struct HostileProgram {
    static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Hostile/hostile.py").path
    /// What it must not find anywhere.
    let canary = UUID().uuidString
    /// What its processes have in their command lines.
    let mark = UUID().uuidString
    var limits: ProgramLimits

    init() {
        limits = ProgramLimits()
        limits.time = .seconds(300)
        limits.memory = 256 << 20
        limits.processes = 24
        limits.disk = 24 << 20
        limits.output = 4 << 20
        limits.grace = .milliseconds(200)
    }

    struct Tried {
        var output: String
        var end: ProgramEnd
    }

    /// Tries a way.
    ///
    /// - Parameter stopping: Whether it is asked to end after its first line.
    func attempt(_ way: String, stopping: Bool) async throws -> Tried {
        let folder = NSTemporaryDirectory() + "plughost-hostile-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(canary.utf8).write(to: URL(filePath: folder + "/secret"))
        let allowed = try Self.server("fine")
        defer { allowed.stop() }
        let forbidden = try Self.server("secret page")
        defer { forbidden.stop() }
        let sockets = [UnixSocket(path: folder + "/socket"), UnixSocket(abstract: mark)]
        defer { for socket in sockets { socket?.close() } }
        setenv("PLUGHOST_CANARY_\(mark.prefix(8))", canary, 1)
        defer { unsetenv("PLUGHOST_CANARY_\(mark.prefix(8))") }

        let known: [String: Any] = [
            "file": folder + "/secret", "canary": String(canary.reversed()), "allowed": allowed.authority,
            "forbidden": forbidden.authority, "port": Int(forbidden.authority.split(separator: ":")[1]) ?? 0,
            "socket": folder + "/socket", "abstract": mark, "pid": Int(getpid()),
            "test": URL(filePath: CommandLine.arguments[0]).lastPathComponent,
        ]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: known), as: UTF8.self)
        let call = ProgramCall(
            command: Self.path,
            arguments: [way, "{known.json}", mark],
            files: [("known.json", Secret(text))],
            limits: limits
        )
        return try await withProgram(call, ProgramPermissions(), egress: Self.rules(allowed.authority)) { program in
            try await blocking {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while case .bytes(let count) = buffer.withUnsafeMutableBytes({ program.read(into: $0, patience: -1) }) {
                    if bytes.count < 1 << 20 { bytes += buffer.prefix(count) }
                    if stopping { program.stop() }
                }
                return Tried(output: String(decoding: bytes, as: UTF8.self), end: program.finish(killing: false))
            }
        }
    }

    private static func server(_ page: String) throws -> LoopbackServer {
        try LoopbackServer { connection in
            while connection.next() != nil {
                guard connection.answer(200, ["Content-Type: text/plain"], Array(page.utf8)) else { return }
            }
        }
    }

    /// One host of this machine, and nothing else.
    static func rules(_ authority: String) -> EgressRules {
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [CIDR("127.0.0.0/8")].compactMap(\.self)
        return EgressRules(policy: EgressPolicy(policy), list: authority) { host, port, _ in
            "\(host):\(port)" == authority
        }
    }

    /// Processes of it that are still there.
    var survivors: [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { process in
            guard Int(process) != nil, let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            else {
                return false
            }
            return String(decoding: words, as: UTF8.self).contains(mark)
        }
    }
}

/// A socket that listens outside the sandbox.
private struct UnixSocket {
    private let descriptor: Int32

    init?(path: String) { self.init(name: Array(path.utf8)) }

    /// One without a file.
    init?(abstract name: String) { self.init(name: [0] + Array(name.utf8)) }

    private init?(name: [UInt8]) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.prefix($0.count)) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard descriptor >= 0, bound == 0, listen(descriptor, 4) == 0 else { return nil }
    }

    func close() { Glibc.close(descriptor) }
}
