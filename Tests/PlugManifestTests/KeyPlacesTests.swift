import PlugManifest
import Testing

struct KeyPlacesTests {
    @Test(
        "a key has the place where it is written, and else the place of what it would stand in",
        arguments: [
            ("key", "plug.yaml:12:5"),
            ("page", "plug.yaml:14:5"),
            ("page.cursor", "plug.yaml:15:7"),
            ("page.cursor.from", "plug.yaml:15:16"),
            ("page.total", "plug.yaml:14:5"),
            ("map", "plug.yaml:9:3"),
            ("since.field", "plug.yaml:9:3"),
        ]
    )
    func places(key: String, place: String) throws {
        let result = Sample.withStream("page:\n  cursor: {from: .next, param: after}")
        let stream = try #require(try Sample.manifest(result).stream("things"))
        #expect(stream.places[key] == place)
    }
}
