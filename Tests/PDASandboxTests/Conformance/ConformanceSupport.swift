import Cryptography
import LosslessJSON
import PDAWire
import PlugCore
import Testing

@testable import PDASandbox

/// The three objects of the conformance lines.
enum Three {
    static let d1 = #"{"field":"value","n":1}"#
    static let d2 = #"{"field":"value2","n":2}"#
    static let d3 = #"{"n":3}"#
    static let all = "[\(d1),\(d2),\(d3)]"

    /// The first two as `jsonb` gives them back.
    static let stored = [#"{"n":1,"field":"value"}"#, #"{"n":2,"field":"value2"}"#]
}

/// The body of a 401.
let notAuthenticated = #"{"error":"Not Authenticated","message":"Not Authenticated"}"#

extension RunningSandbox {
    /// The `n` of the records of an endpoint, in the order of the answer.
    func numbers(_ path: String) async throws -> [Int64] {
        try await getData(path).compactMap { $0["data"]?["n"]?.number?.int64 }
    }

    /// Stores one value, for its id.
    func store(_ path: String, _ json: String) async throws -> String {
        try #require(try await post(path, json).json?["recordId"]?.stringText)
    }

    func put(_ json: String, token: String? = nil) async throws -> Reply {
        try await send("PUT", PDARoute.records, json, token: token ?? owner)
    }

    /// Registers a bundle of one property and reads it.
    func property(_ query: String) async throws -> [JSONValue] {
        let name = SecureRandom.hexadecimal(bytes: 8)
        let path = "/api/v2.6/data-bundle/\(name)"
        let set = try await send("POST", path, #"{"p":\#(query)}"#, token: owner)
        #expect(set.status == 201, "\(set.text)")
        return try await get(path, token: owner).json?["p"]?.elements ?? []
    }

    /// The names of the records of `q/a` that a filter lets through.
    func filtered(_ field: String, _ operator: String, transformation: String? = nil) async throws -> [String] {
        let first = transformation.map { #""transformation":\#($0),"# } ?? ""
        let filter = #"{"field":"\#(field)",\#(first)"operator":\#(`operator`)}"#
        let query = #"{"endpoints":[{"endpoint":"q/a","filters":[\#(filter)]}],"orderBy":"name"}"#
        return try await property(query).compactMap { $0["data"]?["name"]?.stringText }
    }

    /// The records of the reference server's own query tests, in shape if not in letter.
    func storeSubjects() async throws {
        let reply = try await post(
            "q/a",
            #"""
            [{"name":"one","field":"value","list":["x","y"],"objects":[{"a":1,"b":2},{"a":3}],"n":10,
              "iso":"2016-11-22T14:37:02Z","unix":1479825422},
             {"name":"two","field":"value2","list":["y","z"],"objects":[{"a":5}],"n":20,
              "iso":"2016-11-22T09:10:00+01:00","unix":1479802200},
             {"name":"three","n":30}]
            """#
        )
        #expect(reply.status == 201)
    }
}

extension JSONValue {
    /// The value with another one at a path of keys.
    func setting(_ path: String..., to value: JSONValue) -> JSONValue { setting(path[...], value) }

    private func setting(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        guard let first = path.first else { return value }
        var object = self.object ?? JSONObject()
        let inner = object[JSONString(first)] ?? .object(JSONObject())
        object[JSONString(first)] = inner.setting(path.dropFirst(), value)
        return .object(object)
    }
}

/// The flags of a HATApplicationObject: set up, enabled, active, needs updating.
func flags(_ state: JSONValue?) -> [Bool?] {
    ["setup", "enabled", "active", "needsUpdating"].map { state?[$0]?.bool }
}
