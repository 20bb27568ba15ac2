package import PlugCore

/// A program named by a host's operator, such as one that forwards notices: it runs as the operator's own, without a sandbox, but
/// still under a keeper, with a scrubbed environment and limits.
package enum OperatorProgram {
    /// Runs a program to its end; its output is discarded.
    ///
    /// - Returns: How it ended. In a cancelled task it is asked to end at once.
    /// - Throws: `PlugError` if it cannot be started.
    package static func run(_ call: ProgramCall) async throws(PlugError) -> ProgramEnd {
        var permissions = ProgramPermissions()
        permissions.areTrusted = true
        let granted = permissions
        let program = try await onAThreadOfItsOwn { () throws(PlugError) in
            try StartingProgram(call, granted).start(egress: nil)
        }
        return await withTaskCancellationHandler {
            await onAThreadOfItsOwn {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                // Read, so that it never waits for us.
                while case .bytes = buffer.withUnsafeMutableBytes({ program.read(into: $0, patience: -1) }) {}
                return program.finish(killing: false)
            }
        } onCancel: {
            program.stop()
        }
    }
}
