internal import Noticing
internal import ServiceLifecycle
internal import Syncing

/// Notifies the operator of the host of what a person must do.
struct NoticeService: Service {
    private let noticing: Noticing
    private let ready: Bell

    /// - Parameter ready: Signalled when the host listens: one that cannot sends no notices.
    init(_ noticing: Noticing, after ready: Bell) { (self.noticing, self.ready) = (noticing, ready) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await ready.wait()
            await noticing.run()
        }
    }
}
