import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Who may use which route. An answer other than 403 means that the role was enough.
@Suite(.fewAtATime)
struct RoleMatrixTests {
    /// Applications by name, each with one role.
    private static let roles = [
        "writer": #"{"role":"namespacewrite","detail":"w"}"#, "reader": #"{"role":"namespaceread","detail":"r"}"#,
        "lister": #"{"role":"applicationlist"}"#, "manager": #"{"role":"applicationmanage","detail":"reader"}"#,
        "consumer": #"{"role":"datadebit","detail":"d"}"#, "platform": #"{"role":"platform"}"#,
        "owner": #"{"role":"owner"}"#,
    ]

    private struct Row: Sendable {
        var method: String
        var path: String
        var allowed: Set<String>
        init(_ method: String, _ path: String, _ allowed: Set<String>) {
            (self.method, self.path, self.allowed) = (method, path, allowed.union(["owner"]))
        }
    }

    /// Without changes to the applications themselves, so that the rows do not disturb each other.
    private static let rows = [
        Row("GET", "/data/r/a", ["reader"]), Row("GET", "/data/w/a", []), Row("POST", "/data/w/a", ["writer"]),
        Row("POST", "/data/r/a", []), Row("DELETE", "/data/w/a", ["writer"]), Row("DELETE", "/data/r/a", []),
        Row("POST", "/data-batch", ["writer"]), Row("PUT", "/data", ["writer"]), Row("DELETE", "/data", ["writer"]),
        Row("POST", "/data-link", ["writer"]), Row("GET", "/data/sources", ["writer", "platform"]),
        Row("GET", "/combinator/c", []), Row("POST", "/combinator/c", []), Row("GET", "/data-bundle/b", []),
        Row("POST", "/data-bundle/b", []), Row("GET", "/data-bundle/b/structure", []),
        // The empty detail that everybody proposes with is no application's.
        Row("POST", "/data-debit/d", ["platform"]), Row("PUT", "/data-debit/d", ["consumer"]),
        Row("GET", "/data-debit/d", ["consumer"]), Row("GET", "/data-debit/d/values", ["consumer"]),
        Row("GET", "/data-debit/e", []), Row("GET", "/data-debit", []), Row("GET", "/data-debit/d/enable", []),
        Row("GET", "/data-debit/d/disable?atPeriodEnd=true", []), Row("GET", "/applications", ["lister"]),
        Row("GET", "/applications/reader", ["manager"]), Row("GET", "/applications/reader/setup", ["manager"]),
        Row("GET", "/applications/writer", []), Row("GET", "/system/status", ["platform"]),
    ]

    private func body(_ row: Row) -> String {
        switch (row.method, row.path) {
        case ("POST", "/data-batch"), ("PUT", "/data"): #"[{"endpoint":"w/a","data":1}]"#
        case ("POST", "/data-bundle/b"): "{}"
        case ("POST", "/combinator/c"): "[]"
        case (_, "/data-debit/d"): DebitRequest.json()
        default: "7"
        }
    }

    @Test func applicationsMayWhatTheirRolesSay() async throws {
        let applications = try Self.roles.map { try Definition.plug($0.key, roles: $0.value) }
        try await RunningSandbox.with(applications: applications) { sandbox in
            for name in Self.roles.keys.sorted() {
                _ = try await sandbox.get(PDARoute.setUp(name), token: sandbox.owner)
                let token = try await sandbox.applicationToken(name)
                for row in Self.rows {
                    let path = "/api/v2.6" + row.path
                    let reply =
                        row.method == "GET"
                        ? try await sandbox.get(path, token: token)
                        : try await sandbox.send(row.method, path, body(row), token: token)
                    let isAllowed = row.allowed.contains(name)
                    #expect((reply.status != 403) == isAllowed, "\(name): \(row.method) \(row.path) \(reply.status)")
                }
            }
        }
    }

    @Test func aDisabledOwnerApplicationMayNothing() async throws {
        let manager = try Definition.plug("manager", roles: #"{"role":"owner"}"#)
        try await RunningSandbox.with(applications: [manager]) { sandbox in
            let token = try await sandbox.applicationToken("manager")
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 403)
            _ = try await sandbox.get(PDARoute.setUp("manager"), token: sandbox.owner)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 200)
        }
    }

    @Test func everyRouteNeedsAToken() async throws {
        try await RunningSandbox.with { sandbox in
            for row in Self.rows {
                let path = "/api/v2.6" + row.path
                let reply =
                    row.method == "GET"
                    ? try await sandbox.get(path) : try await sandbox.send(row.method, path, body(row))
                #expect(reply.status == 401, "\(row.method) \(row.path)")
            }
        }
    }
}
