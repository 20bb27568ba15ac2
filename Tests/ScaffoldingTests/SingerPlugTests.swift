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
}
