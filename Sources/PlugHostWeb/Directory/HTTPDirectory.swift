package import CurlTransport
package import LosslessJSON
internal import PDAWire
package import PlugCore

/// A directory over HTTP, queried as the reference server queries its own.
package struct HTTPDirectory: ApplicationDirectory {
    private let base: String
    private let transport: any HTTPSending

    /// A directory at an address such as `https://dex.example.org`; a trailing slash is dropped.
    ///
    /// - Parameters:
    ///   - url: Its address.
    ///   - transport: Carries the requests.
    package init(_ url: String, transport: any HTTPSending) {
        var base = Substring(url)
        while base.hasSuffix("/") { base.removeLast() }
        self.base = String(base)
        self.transport = transport
    }

    /// Asks for one definition; a 404 means there is none.
    ///
    /// - Throws: `PlugError`: `directory-unreachable` (unreachable), `directory-answer` (try later).
    package func definition(of id: String) async throws -> JSONValue? {
        let path = "\(DirectoryRoute.application(id))?lang=en"
        let response = try await get(path)
        if response.status == 404 { return nil }
        let value = try json(response, path)
        // A directory that answers with another application would give it this one's rights.
        guard value["id"]?.stringText == id else { throw unreadable(path, "it has another id") }
        return value
    }

    /// Asks for all definitions, including unpublished ones; throws as `definition(of:)` does.
    package func definitions() async throws -> [JSONValue] {
        let path = "\(DirectoryRoute.applications)?unpublished=true"
        let value = try json(try await get(path), path)
        guard let list = value["data"]?.elements else { throw unreadable(path, "it has no list 'data'") }
        return list
    }

    /// Reports a consent, with the PDA's token; throws as `definition(of:)` does.
    package func registerConsent(to id: String, token: Secret) async throws {
        let path = DirectoryRoute.registerConsent(id)
        let response = try await get(path, headers: [HTTPHeader(PDAHeader.token, token.reveal())])
        guard response.status == 200 else { throw unexpected(response.status, path) }
    }

    private func get(_ path: String, headers: [HTTPHeader] = []) async throws(PlugError) -> HTTPResponse {
        var request = HTTPRequest(
            url: base + path,
            headers: headers + [HTTPHeader("Accept", "application/json")],
            side: .pda
        )
        // The reference server allows its directory 2.5 s for a consent and 5 s for a whole status.
        request.timeouts.total = .seconds(5)
        request.bodyLimit = 32 << 20
        do { return try await transport.send(request) } catch {
            throw PlugError(
                .directoryUnreachable,
                "the application directory \(base) does not answer: \(error.message)",
                advice: "without it the PDA knows none of its applications"
            )
        }
    }

    private func json(_ response: HTTPResponse, _ path: String) throws(PlugError) -> JSONValue {
        guard response.status == 200 else { throw unexpected(response.status, path) }
        do throws(JSONError) {
            return try JSONDocument(response.body).root.value
        } catch { throw unreadable(path, "\(error)") }
    }

    private func unexpected(_ status: Int, _ path: String) -> PlugError {
        PlugError(
            .directoryAnswer,
            "the application directory answered \(status) to \(base)\(path)",
            advice: "check that this is the address of an application directory"
        )
    }

    private func unreadable(_ path: String, _ reason: String) -> PlugError {
        PlugError(
            .directoryAnswer,
            "the application directory's answer to \(base)\(path) cannot be used: \(reason)",
            advice: "check that this is the address of an application directory"
        )
    }
}
