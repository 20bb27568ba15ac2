internal import Noticing
internal import ServiceLifecycle
internal import Syncing

/// Tells whoever runs the host what needs a person.
struct NoticeService: Service {
    private let noticing: Noticing
    private let ready: Bell

    /// - Parameter ready: Rung when the host listens: one that cannot tells nobody.
    init(_ noticing: Noticing, after ready: Bell) { (self.noticing, self.ready) = (noticing, ready) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await ready.wait()
            await noticing.run()
        }
    }
}
