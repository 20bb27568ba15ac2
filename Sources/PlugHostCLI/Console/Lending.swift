/// Lends what has to be closed: it is closed when the work ends, also by an error or because the task was cancelled.
///
/// `close` has to do all its work in a cancelled task too, as the stores and the transports do.
func lend<Resource, Result, Failure: Error>(
    _ resource: Resource,
    closing close: (Resource) async -> Void,
    to work: (Resource) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let result: Result
    do throws(Failure) {
        result = try await work(resource)
    } catch {
        await close(resource)
        throw error
    }
    await close(resource)
    return result
}
