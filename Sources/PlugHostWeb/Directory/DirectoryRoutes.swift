internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// The application directory that PDAs read.
///
/// `GET /api/v3/applications`, `GET /api/v3/applications/{id}`, `GET /api/v3/users/register-consent/{id}` and
/// `POST /stats/report`. Queries (`unpublished`, `lang`) are accepted and ignored: a directory of plugs shows all it has.
struct DirectoryRoutes: Sendable {
    private let directory: any ApplicationDirectory

    /// Routes over a directory.
    init(_ directory: any ApplicationDirectory) { self.directory = directory }

    var all: [HostRoute] {
        let directory = directory
        return [
            HostRoute(.get, "/api/v3/applications", .anybody) { _ in
                await Self.answering {
                    .json(.members(("data", .array(try await directory.definitions()))))
                }
            },
            HostRoute(.get, "/api/v3/applications/{id}", .anybody) { request in
                let id = request.parameter("id")
                return await Self.answering {
                    guard let definition = try await directory.definition(of: id) else { return Self.unknown(id) }
                    return .json(definition)
                }
            },
            HostRoute(.get, "/api/v3/users/register-consent/{id}", .anybody) { request in
                let id = request.parameter("id")
                guard let token = request.headers.first(PDAHeader.token), !token.isEmpty else {
                    return Self.failure(401, "Unauthorized", "The PDA's token is missing")
                }
                return await Self.answering {
                    guard try await directory.definition(of: id) != nil else { return Self.unknown(id) }
                    try await directory.registerConsent(to: id, token: Secret(token))
                    return .json(.members(("message", .text("Consent registered"))))
                }
            },
            HostRoute(.post, "/stats/report", .anybody) { _ in
                // What a person's PDA holds is none of this host's business: the report is accepted and dropped unread.
                .json(.members(("message", .text("Report received"))))
            },
        ]
    }

    /// Reports a failure of the directory behind this one as such.
    private static func answering(_ work: () async throws -> HostAnswer) async -> HostAnswer {
        do { return try await work() } catch {
            return failure(502, "Bad Gateway", (error as? PlugError)?.message ?? "\(type(of: error))")
        }
    }

    private static func unknown(_ id: String) -> HostAnswer {
        failure(404, "Not Found", "Application \(DisplayText.escaped(id)) does not exist")
    }

    /// The reference servers' own error format.
    private static func failure(_ status: Int, _ message: String, _ cause: String) -> HostAnswer {
        .json(.members(("message", .text(message)), ("cause", .text(cause))), status: status)
    }
}
