import PlugCore
import Testing

struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8899", "127.0.0.1", 8899, true), ("[::1]:0", "::1", 0, true),
        ("localhost:80", "localhost", 80, true),
        ("0.0.0.0:65535", "0.0.0.0", 65_535, false), ("[::]:1", "::", 1, false), ("x.org:1", "x.org", 1, false),
    ])
    func readsAHostAndAPort(_ text: String, _ host: String, _ port: Int, _ isLoopback: Bool) {
        let address = ListenAddress(text)
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address?.description == text && address?.isLoopback == isLoopback)
    }

    @Test(arguments: ["", "80", ":80", "[]:80", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "a:b"])
    func refusesEverythingElse(_ text: String) { #expect(ListenAddress(text) == nil) }
}
