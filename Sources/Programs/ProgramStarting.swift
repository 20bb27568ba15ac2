internal import PlugCore

/// Runs a program for the duration of some work: once this returns the program has ended too, with all its processes, and its
/// input has been deleted.
///
/// - Parameters:
///   - call: The program.
///   - permissions: The operator's permissions.
///   - egress: Where a sandboxed program may connect to.
///   - work: Called with the program. In a cancelled task the program is asked to end, so that nothing waits for it.
/// - Returns: What `work` returns, and how the program ended.
/// - Throws: `PlugError` if it cannot be started; errors of `work`.
package func withProgram<Result: Sendable>(
    _ call: ProgramCall,
    _ permissions: ProgramPermissions,
    egress: EgressRules,
    _ work: (RunningProgram) async throws -> Result
) async throws -> Result {
    let program = try await onAThreadOfItsOwn { () throws(PlugError) in
        try StartingProgram(call, permissions).start(egress: egress)
    }
    do {
        let result = try await withTaskCancellationHandler {
            try await work(program)
        } onCancel: {
            program.stop()
        }
        _ = await onAThreadOfItsOwn { program.finish(killing: true) }
        return result
    } catch {
        _ = await onAThreadOfItsOwn { program.finish(killing: true) }
        throw error
    }
}
