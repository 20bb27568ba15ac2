internal import PlugCore

/// Lends a program for as long as some work lasts: at its end the program has ended too, with all its processes, and what it was
/// told has vanished.
///
/// - Parameters:
///   - call: The program.
///   - permissions: What the operator says.
///   - egress: Where a sandboxed program may connect to.
///   - work: Given the program. In a cancelled task the program is asked to end, so that nothing waits for it.
/// - Returns: What `work` returns, and how the program ended.
/// - Throws: `PlugError` where it cannot be started; what `work` throws.
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
