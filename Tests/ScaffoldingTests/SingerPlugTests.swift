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
                #"    key: ["._id"]"#, "    # Records of a PDA have an '_id' of their own.",
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
                "  credentials_id: {type: integer}", "  credentials_client_secret: {type: string, secret: true}",
                "  tokens_1: {type: string, secret: true}", "  tokens_2_x: {type: number}",
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
