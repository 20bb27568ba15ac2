import PlugCore
import Testing

/// How texts are written into manifests: as a person would, wherever each reader of YAML reads the text unchanged.
struct YAMLWritingTests {
    @Test(arguments: [
        ("items", "items"), ("/v2/items", "/v2/items"), ("./tap", "./tap"), ("two words", "two words"),
        ("", #""""#), ("no", #""no""#), ("Null", #""Null""#), ("y", #""y""#), (".inf", #"".inf""#),
        (".NaN", #"".NaN""#),
        ("7", #""7""#), ("a: b", #""a: b""#), ("a ", #""a ""#), ("a  b", #""a  b""#), ("a,b", #""a,b""#),
        (#"say "a""#, #"'say "a"'"#), ("it's", #""it's""#), ("a\nb", #""a\nb""#),
    ])
    func texts(_ text: String, written: String) { #expect(YAMLWriting.text(text) == written) }

    @Test(arguments: [
        (".", "."), (".id", ".id"), ("._id", "._id"), (".a.b", ".a.b"), (".inf", "'.inf'"), (".[0]", "'.[0]'"),
        (".a | .b", "'.a | .b'"), (#".["a b"]"#, #"'.["a b"]'"#), (".['a']", "'.[''a'']'"),
    ])
    func programs(_ program: String, written: String) { #expect(YAMLWriting.program(program) == written) }

    @Test(arguments: [("items", "items"), ("on", "on"), ("off", #""off""#), ("X-Key", "X-Key"), ("a b", #""a b""#)])
    func keys(_ key: String, written: String) { #expect(YAMLWriting.key(key) == written) }
}
