import PlugCore
import PlugManifest
import Testing

/// `status`: who can still use the service.
struct ServiceStatusTests {
    private func read(_ status: String) -> ManifestResult {
        let yaml = """
            plug: test
            api: 1
            version: 1.0.0
            \(status)
            hosts: [api.test]
            streams: {things: {endpoint: t, key: .id, version: none, request: {path: "https://api.test/"}}}
            """
        return ManifestReader.read(path: "plug.yaml", text: Array(yaml.utf8))
    }

    @Test func aServiceMayBeClosedOrLimited() {
        #expect(read("").manifest?.status == nil)
        let closed = ServiceStatus(state: .closed, text: "It ended in May.", successor: "other")
        #expect(read("status: {state: closed, text: It ended in May., successor: other}").manifest?.status == closed)
        let limited = ServiceStatus(state: .limited, text: "For pilots only.", successor: nil)
        #expect(read("status: {state: limited, text: For pilots only.}").manifest?.status == limited)
    }

    @Test(arguments: [
        ("{state: dead, text: a}", "wrong-value 4:17"), ("{state: closed}", "missing-key 4:1"),
        ("{state: closed, text: a, successor: test}", "bad-id 4:45"),
        ("{state: closed, text: a, successor: No Id}", "bad-id 4:45"),
        ("{state: closed, text: a, instead: b}", "unknown-key 4:34"),
    ])
    func whatIsWrongIsNamed(status: String, error: String) {
        let errors = read("status: \(status)").diagnostics.filter { $0.severity == .error }
            .map { "\($0.code) \($0.location.map { "\($0.line):\($0.column)" } ?? "")" }
        #expect(errors == [error])
    }
}
