import LosslessJSON
import Testing

@testable import Scaffolding

struct SingerPlugTests {
    @Test("streams whose names differ in signs or case have endpoints of their own")
    func endpoints() throws {
        let catalogue = try JSONValue(
            parsing:
                #"{"streams":[{"stream":"order_items"},{"stream":"order-items"},{"stream":"Users"},{"stream":"users"}]}"#
        )
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: [], config: JSONObject(), catalogue: catalogue)
        let endpoints = plug.manifest.split(separator: "\n").filter { $0.hasPrefix("    endpoint: ") }
        #expect(endpoints.map { $0.dropFirst(14) } == ["order-items", "order-items-2", "users", "users-2"])
        let more = plug.streams(
            leavingOut: ["order-items", "Users"],
            names: ["users"],
            endpoints: ["order-items", "users"]
        )
        #expect(
            more.filter { $0.hasPrefix("  \"") || $0.hasPrefix("    endpoint: ") || $0.hasSuffix(":") } == [
                "  order_items:", "    endpoint: order-items-2", "  users_2:", "    endpoint: users-2",
            ]
        )
    }

    @Test("names that are the same once they are plain get numbers, and words of YAML are quoted")
    func plainNames() throws {
        let catalogue = try JSONValue(
            parsing:
                #"{"streams":[{"stream":"дом"},{"stream":"сад"},{"stream":"лес"},{"stream":"a b"},{"stream":"a.b"},{"stream":"null"}]}"#
        )
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: [], config: JSONObject(), catalogue: catalogue)
        let lines = plug.manifest.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.hasSuffix(":") && $0.hasPrefix("  ") && !$0.hasPrefix("   ") } == [
                "  stream:", "  stream_2:", "  stream_3:", "  a_b:", "  a_b_2:", #"  "null":"#,
            ]
        )
        #expect(
            lines.filter { $0.hasPrefix("    endpoint: ") }.map { $0.dropFirst(14) } == [
                "stream", "stream-2", "stream-3", "a-b", "a-b-2", #""null""#,
            ]
        )
    }

    @Test("entries of one name are one stream, and '_id' gets a name that records of a PDA can have")
    func names() throws {
        let catalogue = try JSONValue(
            parsing: #"""
                {"streams":[{"tap_stream_id":"x-a","stream":"a","key_properties":["_id"]},{"tap_stream_id":"y-a","stream":"a"},
                {"stream":"b","key_properties":["id"],"schema":{"properties":{"_id":{}}}}]}
                """#
        )
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: [], config: JSONObject(), catalogue: catalogue)
        let lines = plug.manifest.split(separator: "\n").map(String.init)
        #expect(
            lines[((lines.firstIndex(of: "streams:") ?? 0) + 1)...] == [
                "  a:", "    endpoint: a",
                "    # 2 entries of the catalogue have this name, which is all that messages say of a stream.",
                "    key: [._id]", "    # Records of a PDA have an '_id' of their own.",
                "    map: '.source_id = ._id | del(._id)'", "    version: content",
                "  b:", "    endpoint: b", "    key: [.id]", "    # Records of a PDA have an '_id' of their own.",
                "    map: '.source_id = ._id | del(._id)'", "    version: content",
            ]
        )
    }

    @Test("names of members are no secrets")
    func secrets() throws {
        let config = try #require(
            try JSONValue(
                parsing: #"{"api_key":"a","replication_key":"b","primary_keys_1":"c","primary_key":"d","key":"e"}"#
            ).object
        )
        let catalogue = try JSONValue(parsing: #"{"streams":[]}"#)
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: [], config: config, catalogue: catalogue)
        let lines = plug.manifest.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.contains("{type: ") } == [
                "  api_key: {type: string, secret: true}", "  replication_key: {type: string}",
                "  primary_keys_1: {type: string}", "  primary_key: {type: string}",
                "  key: {type: string, secret: true}",
            ]
        )
    }

    @Test("what may be a secret is one: by a part of its name, by a word of it, or by a URL with a password")
    func moreSecrets() throws {
        let config = try #require(
            try JSONValue(
                parsing: #"""
                    {"headers":{"Authorization":"a","Accept":"b"},"http_headers":{"Cookie":"c"},"sqlalchemy_url":"db://u:p@h/d",
                    "url":"https://h/d?x=a@b","pat":"d","path":"e","db_pass":"f","bypass":"g","pwd":"h","auth_jwt":"i","dsn":"j",
                    "password":1234,"is_secret":true,"next_page_token_path":"k","auth_type":"l","author":"m"}
                    """#
            ).object
        )
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: [], config: config, catalogue: .object(JSONObject()))
        let lines = plug.manifest.split(separator: "\n").filter { $0.contains("{type: ") }
        #expect(
            lines.filter { $0.contains("secret: true") }.map { $0.dropFirst(2).prefix { $0 != ":" } } == [
                "headers_Authorization", "http_headers_Cookie", "sqlalchemy_url", "pat", "db_pass", "pwd", "auth_jwt",
                "dsn", "password",
            ]
        )
        #expect(lines.count == 17)
    }

    @Test("what an author has selected stays selected in a newer catalogue")
    func marks() throws {
        func catalogue(_ stream: String, _ fields: String...) throws -> JSONValue {
            let entries = fields.map { #"{"breadcrumb":["properties",\#($0)}"# }.joined(separator: ",")
            return try JSONValue(parsing: #"{"streams":[{"stream":"\#(stream)","metadata":[\#(entries)]}]}"#)
        }
        let earlier = try catalogue(
            "a",
            #""x"],"metadata":{"selected":false}"#,
            #""y"],"metadata":{"selected":true}"#,
            #""gone"],"metadata":{"selected":false}"#
        )
        let newer = try catalogue(
            "a",
            #""x"],"metadata":{"inclusion":"available"}"#,
            #""y"],"metadata":{"selected":false}"#,
            #""z"],"metadata":{}"#
        )
        let carried = try catalogue(
            "a",
            #""x"],"metadata":{"inclusion":"available","selected":false}"#,
            #""y"],"metadata":{"selected":false}"#,
            #""z"],"metadata":{}"#
        )
        func text(_ catalogue: JSONValue, _ earlier: JSONValue?) -> String {
            SingerPlug(
                id: "tap",
                command: ["tap"],
                hosts: [],
                config: JSONObject(),
                catalogue: catalogue,
                earlier: earlier
            ).catalogueText
        }
        #expect(text(newer, earlier) == carried.compactText + "\n")
        let other = try catalogue("b", #""x"],"metadata":{}"#)
        #expect(text(other, earlier) == other.compactText + "\n")
    }

    @Test("a mark is kept where the newer catalogue says nothing of its field, and in a schema")
    func marksWithoutEntries() throws {
        let earlier = try JSONValue(
            parsing: #"""
                {"streams":[{"stream":"a","schema":{"properties":{"x":{},"y":{"selected":false},"z":{"selected":true}}},"metadata":[
                {"breadcrumb":["properties","x"],"metadata":{"selected":false}},
                {"breadcrumb":["properties","gone"],"metadata":{"selected":false}}]}]}
                """#
        )
        let newer = try JSONValue(parsing: #"{"streams":[{"stream":"a","schema":{"properties":{"x":{},"y":{}}}}]}"#)
        let plug = SingerPlug(
            id: "tap",
            command: ["tap"],
            hosts: [],
            config: JSONObject(),
            catalogue: newer,
            earlier: earlier
        )
        #expect(
            try JSONValue(parsing: plug.catalogueText)
                == JSONValue(
                    parsing: #"""
                        {"streams":[{"stream":"a","schema":{"properties":{"x":{},"y":{"selected":false}}},
                        "metadata":[{"breadcrumb":["properties","x"],"metadata":{"selected":false}}]}]}
                        """#
                )
        )
    }

    @Test("no value of the configuration is written, however deep it lies, and all of them are asked for")
    func configuration() throws {
        let config = try #require(
            try JSONValue(
                parsing: #"""
                    {"start_date":"2026-01-01","client-id":"a","client_id":"b","credentials":{"id":7,"client_secret":"s3cret-1"},
                    "tokens":["s3cret-2",{"x":1.5}],"2fa":true,"none":null,"empty":{}}
                    """#
            ).object
        )
        let catalogue = try JSONValue(parsing: #"{"streams":[{"stream":"a"}]}"#)
        let plug = SingerPlug(id: "tap", command: ["tap"], hosts: ["a.example"], config: config, catalogue: catalogue)
        let lines = plug.manifest.split(separator: "\n").map(String.init)
        #expect(
            lines[5..<(lines.firstIndex(of: "streams:") ?? 5)] == [
                "config:", "  start_date: {type: string}", "  client_id: {type: string}",
                "  client_id_2: {type: string}",
                "  credentials_id: {type: integer, secret: true}",
                "  credentials_client_secret: {type: string, secret: true}",
                "  tokens_1: {type: string, secret: true}", "  tokens_2_x: {type: number, secret: true}",
                "  value_2fa: {type: boolean}", "exec:", "  command: [tap]",
                #"  config: {start_date: "{{ config.start_date }}", client-id: "{{ config.client_id }}", "#
                    + #"client_id: "{{ config.client_id_2 }}", credentials: {id: "{{ config.credentials_id }}", "#
                    + #"client_secret: "{{ config.credentials_client_secret }}"}, "#
                    + #"tokens: ["{{ config.tokens_1 }}", {x: "{{ config.tokens_2_x }}"}], "#
                    + #""2fa": "{{ config.value_2fa }}", none: null, empty: {}}"#,
                "  catalog: catalog.json",
            ]
        )
        #expect(plug.answers["credentials_client_secret"] == .text("s3cret-1"))
        #expect(plug.answers.members.count == 8)
    }
}
