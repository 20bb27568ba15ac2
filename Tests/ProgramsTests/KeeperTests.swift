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

    /// As when this process is killed: its end of the control pipe closes, and nobody but the keeper removes anything.
    @Test func withoutThisProcessTheKeeperRemovesTheFilesOfATrustedProgram() async throws {
        var call = ProgramCall(
            command: "sh",
            arguments: ["-c", "mkdir -p x/y; echo more > x/y/z; pwd; exec sleep 600"]
        )
        call.files.append(("config.json", Secret("a secret")))
        var permissions = ProgramPermissions()
        permissions.areTrusted = true
        try await withProgram(call, permissions, egress: HostileProgram.rules("127.0.0.1:1")) { program in
            try await blocking {
                var buffer = [UInt8](repeating: 0, count: 4_096)
                guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ program.read(into: $0, patience: -1) })
                else { throw CancellationError() }
                let folder = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")[0]
                #expect(access("\(folder)/config.json", F_OK) == 0)
                program.control.close()
                // The keeper writes its report when everything else is done.
                var watched = pollfd(fd: program.report.value, events: Int16(POLLIN), revents: 0)
                while poll(&watched, 1, -1) < 0, errno == EINTR {}
                #expect(access("\(folder)", F_OK) != 0)
            }
        }
    }
}
