internal import CurlTransport
internal import HostConfiguration
internal import Noticing
internal import PlugCore

/// The configured targets, with what sends to them.
enum NoticeTargets {
    /// Lends the senders for some targets, in their order.
    static func withNotifiers<Result>(
        _ targets: [NotifyTarget],
        _ network: NetworkOptions,
        _ context: CommandContext,
        _ work: ([any Notifier]) async throws -> Result
    ) async throws -> Result {
        let transport = try network.transport(policy(for: targets))
        return try await lend(transport, closing: { await $0.shutDown() }) { transport in
            try await work(targets.map { notifier($0, transport, context) })
        }
    }

    private static func notifier(
        _ target: NotifyTarget,
        _ transport: HTTPTransport,
        _ context: CommandContext
    ) -> any Notifier {
        let (name, namesPDAs) = (target.name, target.namesPDAs)
        switch target.way {
        case .webhook(let url, let secret, _):
            return WebhookNotifier(
                name,
                url: url,
                secret: secret,
                namesPDAs: namesPDAs,
                transport,
                clock: context.clock
            )
        case .command(let words, let folder, let timeout):
            return CommandNotifier(name, words: words, folder: folder, patience: timeout, namesPDAs: namesPDAs)
        case .mail(let mail):
            let login = mail.username.flatMap { name in mail.password.map { (name: name, password: $0) } }
            let route = MailNotifier.Route(
                server: mail.server,
                login: login,
                from: mail.from,
                to: mail.to,
                networks: mail.networks
            )
            return MailNotifier(name, route, namesPDAs: namesPDAs)
        }
    }

    /// The operator has written these addresses: if one is on this machine, it may be dialled.
    private static func policy(for targets: [NotifyTarget]) -> NetworkPolicy {
        var policy = NetworkPolicy()
        for target in targets {
            guard case .webhook(let url, _, let networks) = target.way else { continue }
            policy.allowedSourceNetworks += networks
            if ListenAddress.isLoopback(ListenAddress.host(ofHeader: url.host)) {
                policy.standIns.insert(url.hostAndPort)
            }
        }
        return policy
    }
}

extension NotifyTarget.Way {
    /// One word for people and programs.
    var kind: String {
        switch self {
        case .webhook: "webhook"
        case .command: "command"
        case .mail: "mail"
        }
    }
}
