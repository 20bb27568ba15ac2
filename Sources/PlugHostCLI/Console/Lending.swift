/// Lends a resource and closes it when the work ends, even by an error or because the task was cancelled.
///
/// `close` must do all its work even in a cancelled task, as the stores and the transports do.
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
