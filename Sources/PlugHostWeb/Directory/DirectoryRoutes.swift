internal import HTTPTypes
internal import Hummingbird
internal import LosslessJSON
internal import NIOCore
internal import PDAWire
internal import PlugCore

/// The application directory that PDAs read, as routes of `DirectoryServer`.
///
/// `GET /api/v3/applications`, `GET /api/v3/applications/{id}`, `GET /api/v3/users/register-consent/{id}` and
/// `POST /stats/report`, also with doubled slashes: the reference server's usual setting makes its requests so.
/// Queries (`unpublished`, `lang`) are taken and change nothing: a directory of plugs shows what it has.
struct DirectoryRoutes: Sendable {
    private let directory: any ApplicationDirectory

    /// Routes over a directory.
    init(_ directory: any ApplicationDirectory) { self.directory = directory }

    /// Adds the routes.
    func add(to router: some RouterMethods<some RequestContext>) {
        let directory = directory
        router.get("api/v3/applications") { _, _ in
            await Self.answering {
                let list = try await directory.definitions()
                return Self.reply(.ok, .object(JSONObject([("data", .array(list))])))
            }
        }
        router.get("api/v3/applications/:id") { _, context in
            let id = try Self.id(context)
            return await Self.answering {
                guard let definition = try await directory.definition(of: id) else { return Self.unknown(id) }
                return Self.reply(.ok, definition)
            }
        }
        router.get("api/v3/users/register-consent/:id") { request, context in
            let id = try Self.id(context)
            guard let name = HTTPField.Name(PDAHeader.token), let token = request.headers[name], !token.isEmpty else {
                return Self.reply(.unauthorized, Self.failure("Unauthorized", "The PDA's token is missing"))
            }
            return await Self.answering {
                guard try await directory.definition(of: id) != nil else { return Self.unknown(id) }
                try await directory.registerConsent(to: id, token: Secret(token))
                return Self.reply(.ok, JSONObject([("message", .text("Consent registered"))]).value)
            }
        }
        router.post("stats/report") { _, _ in
            // What a person's PDA holds is not this host's to know: the report is taken and dropped unread.
            Self.reply(.ok, JSONObject([("message", .text("Report received"))]).value)
        }
    }

    private static func id(_ context: some RequestContext) throws -> String {
        let raw = try context.parameters.require("id")
        return PercentEncoding.decode(raw)
    }

    /// A directory behind this one that cannot be asked is told as such.
    private static func answering(_ work: () async throws -> Response) async -> Response {
        do { return try await work() } catch {
            let reason = (error as? PlugError)?.message ?? "\(type(of: error))"
            return reply(.badGateway, failure("Bad Gateway", reason))
        }
    }

    private static func unknown(_ id: String) -> Response {
        reply(.notFound, failure("Not Found", "Application \(DisplayText.escaped(id)) does not exist"))
    }

    /// The reference servers' own form of an error.
    private static func failure(_ message: String, _ cause: String) -> JSONValue {
        JSONObject([("message", .text(message)), ("cause", .text(cause))]).value
    }

    private static func reply(_ status: HTTPResponse.Status, _ value: JSONValue) -> Response {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        return Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

extension JSONObject {
    fileprivate var value: JSONValue { .object(self) }
}
