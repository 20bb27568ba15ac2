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
