import PlugCore
import TestKit
import Testing

@testable import PlugManifest

/// `defaults`: what every stream has that does not say otherwise.
struct DefaultsTests {
    private static func read(_ defaults: String, _ streams: String) -> ManifestResult {
        Sample.read(Sample.header + Sample.http + "defaults:\n\(defaults)\nstreams:\n\(streams)\n")
    }

    @Test func aStreamGetsWhatItDoesNotSay() throws {
        let manifest = try Sample.manifest(
            Self.read(
                """
                  request: {query: {lang: en, limit: 50}, headers: {X-A: a}}
                  page: {link: next}
                  key: [.id]
                  version: .updated_at
                """,
                """
                  plain: {endpoint: a, request: {path: /a}}
                  other: {endpoint: b, request: {path: /b, query: {limit: 9}}, page: none, version: none}
                """
            )
        )
        let (plain, other) = (try #require(manifest.stream("plain")), try #require(manifest.stream("other")))
        let (asked, askedOther) = (try #require(plain.request), try #require(other.request))
        #expect(asked.query.map { "\($0.name)=\($0.value.source)" } == ["lang=en", "limit=50"])
        #expect(asked.headers.map(\.name) == ["X-A"] && plain.paging != nil && plain.version != nil)
        #expect(askedOther.query.map { "\($0.name)=\($0.value.source)" } == ["limit=9", "lang=en"])
        #expect(other.paging == nil && other.version == nil && other.declaresVersion && other.key.count == 1)
    }

    @Test func aMistakeThatStreamsShareIsSaidOnce() {
        let result = Self.read(
            "  records: .items[",
            "  a: {endpoint: a, request: {path: /a}, key: [.id], version: none}\n"
                + "  b: {endpoint: b, request: {path: /b}, key: [.id], version: none}"
        )
        #expect(Sample.places(result) == ["9:19 jq-syntax"])
    }

    @Test(
        arguments: [
            ("  endpoint: a", "unknown-key"), ("  recrds: .a", "unknown-key"), ("  request: {pth: /a}", "unknown-key"),
            ("  every: 5", "bad-duration"), ("  request: x", "wrong-type"),
        ]
    )
    func defaultsAreChecked(line: String, code: String) {
        let result = Self.read(line, "  a: {endpoint: a, request: {path: /a}, key: [.id], version: none}")
        #expect(Sample.codes(result).contains(code) && Set(Sample.codes(result)).count == 1)
    }

    @Test func theStreamsOwnHeaderAndBodyWin() throws {
        let manifest = try Sample.manifest(
            Self.read(
                "  request: {method: POST, headers: {Accept: a/b}, json: {a: 1}}\n  key: [.id]\n  version: none",
                """
                  form: {endpoint: a, request: {path: /a, headers: {accept: c/d}, form: {b: 2}}}
                  bare: {endpoint: b, request: {path: /b, json: none}}
                """
            )
        )
        let form = try #require(manifest.stream("form")?.request)
        let bare = try #require(manifest.stream("bare")?.request)
        #expect(form.headers.map { "\($0.name): \($0.value.source)" } == ["accept: c/d"])
        #expect(form.json == nil && form.form?.map(\.name) == ["b"])
        #expect(bare.json == nil && bare.headers.map(\.name) == ["Accept"])
    }
}
