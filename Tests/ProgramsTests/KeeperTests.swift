import Glibc
import PlugCore
import TestKit
import Testing

@testable import Programs

@Suite(.fewAtATime) struct KeeperTests {
    @Test func aKilledKeeperEndsTheReadingThoughSomethingHoldsTheOutputOpen() async throws {
        let call = ProgramCall(command: "sh", arguments: ["-c", "setsid sh -c 'echo $$; exec sleep 600'"])
        var permissions = ProgramPermissions()
        permissions.areTrusted = true
        try await withProgram(call, permissions, egress: HostileProgram.rules("127.0.0.1:1")) { program in
            try await blocking {
                var buffer = [UInt8](repeating: 0, count: 64)
                func read() -> RunningProgram.Output {
                    buffer.withUnsafeMutableBytes { program.read(into: $0, patience: -1) }
                }
                guard case .bytes(let count) = read() else { throw CancellationError() }
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                let left = try #require(pid_t(text.split(separator: "\n")[0]))
                defer { kill(left, SIGKILL) }
                kill(program.keeper, SIGKILL)
                #expect(read() == .end)
                #expect(program.finish(killing: false).cause == .signalled(SIGKILL))
            }
        }
    }
}
