import PlugCore
import TestKit
import Testing

@testable import PlugManifest

struct DiagnosticCodesTests {
    /// A file with each code that reading gives; the help for `http.base` and so on is tested elsewhere.
    static let samples: [(code: String, yaml: String)] = [
        ("yaml-too-large", String(repeating: "#", count: 300_000)), ("yaml-nul", "a: \0"), ("yaml-empty", ""),
        ("yaml-syntax", "a: [1"), ("yaml-anchor", "a: &x 1"), ("yaml-merge-key", "<<: {}"),
        ("yaml-duplicate-key", "a: 1\na: 1"),
        ("yaml-several-documents", "a: 1\n---\nb: 1"), ("yaml-too-deep", String(repeating: "[", count: 40)),
        ("yaml-tag", "a: !x 1"), ("yaml-key", "[a]: 1"), ("unquoted-template", "a: {{ x }}"),
        ("unknown-key", "plgu: x"), ("missing-key", "api: 1"), ("wrong-type", "hosts: x"),
        ("wrong-value", stream("identity: maybe")), ("two-kinds", stream("page: {next: .n, link: next}")),
        ("missing-kind", stream("page: {max: 5}")), ("bad-id", "plug: A"), ("bad-version", "version: 1.0"),
        ("bad-date", "released: 2026-02-30"), ("bad-namespace", "namespace: A_b"),
        ("bad-endpoint", stream("endpoint: /x", bare: true)),
        ("bad-host", "hosts: [https://x.org]"), ("bad-url", "http: {base: x.org}"),
        ("bad-path", "http: {base: https://x.org}\n" + stream("request: {path: /a b}", bare: true)),
        ("bad-name", "config: {a-b: {type: string}}"), ("bad-duration", "http: {timeout: 30}"),
        ("not-a-size", "http: {max_body: 64M}"),
        ("bad-rate", "http: {limits: [{rate: 5}]}"), ("bad-status", "http: {on: [{status: 4XX, do: ok}]}"),
        ("bad-window", stream("since: {field: .a, type: integer, window: 1h}")),
        ("bad-settle", stream("since: {field: .a, type: integer, settle: 1h}")),
        ("bad-filter", stream("since: {field: .a, type: opaque, filter: true}")),
        ("bad-time-pattern", stream("since: {field: .a, type: time, send: {query: {a: '%Q'}}}")),
        ("window-needs-start", stream("since: {field: .a, type: time, window: 1h}")),
        ("window-not-sent", stream("since: {field: .a, type: time, window: 1h}")),
        ("stop-needs-order", stream("since: {field: .a, type: time, stop: known}")),
        ("bad-match", "http: {limits: [{match: search, rate: 1/1s}]}"),
        (
            "cursor-sensitive",
            stream(
                "since: {field: .at, type: time, send: {query: {s: time}}}\n    fields: {at: {time, sensitive: true}}"
            )
        ),
        ("bad-decoding", stream("decode: {csv: {separator: ', '}}")),
        ("test-unfit", stream("tests: [{in: {id: 1}, parent: {id: 2}, out: {id: 1}}]")),
        ("equal-excludes", stream("equal: count\n    identity: off")),
        ("deletes-identity", stream("identity: off\n    deletes: {field: .gone}")),
        ("deletes-missing", stream("since: {field: .a, type: time}\n    deletes: {missing: true}")),
        ("bad-share", stream("deletes: {missing: true, max: 0.2}")),
        (
            "deletes-range",
            "streams:\n  things:\n    deletes: {missing: true}\n"
                + "    request: {path: 'https://x.org/', query: {from: '{{ now }}'}}\n"
        ),
        ("deletes-version", stream("version: none\n    deletes: {field: .gone}")),
        ("page-decoded", stream("decode: csv\n    page: {cursor: {from: .meta.next, param: after}}")),
        ("bad-cast", stream("fields: {a: {decimal: {point: ',', group: ','}}}")),
        ("bad-zone", stream("fields: {a: {time: {zone: CET}}}")),
        ("unknown-needs-fields", stream("unknown: drop")), ("raw-member", stream("raw: keep\n    fields: {raw: any}")),
        ("shrink-needs-size", stream("on: [{status: 413, do: shrink}]")),
        ("reread-needs-since", stream("on: [{status: 410, do: reread}]")),
        ("reset-needs-bound", stream("on: [{status: 400, do: reset_page}]")),
        ("rule-key", "http: {on: [{status: 404, do: fail, wait: 5s}]}"),
        ("bad-overlap", stream("since: {field: .a, type: integer, overlap: 1h}")),
        ("out-of-range", "http: {retry: {tries: 0}}"),
        ("default-type", "config: {a: {type: integer, default: x}}"),
        ("default-not-in-enum", "config: {a: {type: string, enum: [a], default: b}}"),
        ("secret-default", "config: {a: {type: string, secret: true, default: b}}"),
        ("header-name", "http: {headers: {'a b': c}}"),
        ("header-control", "http: {headers: {a: \"b\\nc\"}}"),
        ("burst-without-rate", "http: {limits: [{concurrency: 1, burst: 1}]}"),
        ("unknown-stream", stream("for_each: {in: other}")), ("stream-cycle", stream("for_each: {in: things}")),
        ("only-changed", stream("for_each: {list: [1], only: changed}")),
        (
            "unchanged-excludes",
            stream("for_each: {list: [1, 2], unchanged: skip}\n    since: {field: .at, type: time}")
        ),
        (
            "group-since",
            stream("for_each: {list: [1, 2], group: 2}\n    since: {field: .at, type: time}")
        ),
        (
            "group-member",
            stream("for_each: {list: [1, 2], as: each, group: 2}\n    map: '{id: each.id}'")
        ),
        (
            "for-each-too-deep",
            stream("for_each: [\((1...17).map { "{list: [1], as: n\($0)}" }.joined(separator: ", "))]")
        ),
        (
            "webhook-signed",
            "webhook: {verify: {hmac: {header: X-S, signed: '{timestamp}.{body}'}}}"
        ),
        ("webhook-account", "webhook: {who: .user, verify: {token: {header: X-S}}}"),
        ("unknown-root", "vars: {a: '{{ confg.x }}'}"), ("unknown-config", "vars: {a: '{{ config.x }}'}"),
        ("unknown-var", "vars: {a: '{{ vars.x }}'}"), ("root-unavailable", stream("map: now")),
        ("secret-in-program", "config: {k: {type: string, secret: true}}\n" + stream("map: config.k")),
        ("host-outside", "hosts: [a.org]\nhttp: {base: https://b.org}"),
        ("base-missing", stream("request: {path: /a}", bare: true)),
        ("jq-syntax", stream("map: .a[")), ("template-unclosed", "vars: {a: '{{ x'}"),
        ("template-empty", "vars: {a: '{{ }}'}"),
        ("no-streams", "streams: {}"), ("key-required", stream("endpoint: x", bare: true)),
        ("version-missing", stream("endpoint: x", bare: true)),
        ("identity-off", stream("endpoint: x\n    identity: off", bare: true)),
        ("application-missing", "plug: a"), ("json-needs-post", stream("request: {path: /a, json: {}}", bare: true)),
        ("stop-needs-size", stream("page: {number: {param: p}, stop: short}")),
        ("size-missing", stream("page: {number: {param: p, size_param: s}}")),
        ("stop-needs-token", stream("page: {number: {param: p}, stop: token}")),
        ("place-without-param", stream("page: {next: .n, in: json}")),
        ("cursor-unused", stream("page: {cursor: {from: .n}}")),
        (
            "body-missing",
            stream(
                "request: {method: POST, path: 'https://x.org/', text: a}\n    page: {number: {param: p}, in: json}",
                bare: true
            )
        ),
        ("bad-since", stream("since: {field: .at, type: time, from: yesterday}")),
        ("paging-filtered", stream("page: {number: {param: p}}\n    records: '(.a + .c)[] | select(.b)'")),
        ("grant-needs", "auth: {oauth2: {token: {url: 'https://x.org/t'}}}"),
        ("grant-excludes", "auth: {oauth2: {grant: client_credentials, pkce: true, token: {url: 'https://x.org/t'}}}"),
        ("secret-in-manifest", "auth: {oauth2: {client_id: a, client_secret: b, token: {url: 'https://x.org/t'}}}"),
        ("auth-not-https", "auth: {oauth2: {grant: client_credentials, token: {url: 'http://x.org/t'}}}"),
        ("sign-needs", "auth: {oauth1: {consumer_key: a}}"),
        ("sign-excludes", "auth: {oauth1: {consumer_key: a, consumer_secret: '{{ now }}', private_key: '{{ now }}'}}"),
        ("query-file", stream("request: {path: 'https://x.org/', graphql: {query: ../a.graphql}}", bare: true)),
        (
            "query-variable",
            stream(
                "request: {path: 'https://x.org/', graphql: {query: 'query($a: Int) {t(a: $a) {id}}', variables: {b: 1}}}",
                bare: true
            )
        ),
        (
            "version-denied",
            stream("endpoint: t\n    key: .id\n    version: none\n    since: {field: .updatedAt, type: time}")
        ),
        ("exec-excludes", "exec: {command: [tap-x]}\nhttp: {base: 'https://x.org'}"),
        ("bad-program", "exec: {command: ['tap-x --verbose']}"),
        ("bad-catalogue", "exec: {command: [tap-x], catalog: {streams: 1}}"),
        (
            "bad-archive",
            "config: {user: {type: string}}\n"
                + stream("archive: {file: '{{ config.user }}', entries: '*'}", bare: true)
        ),
        ("file-use", "config: {export: {type: file, default: a.zip}}\n" + stream("endpoint: things")),
        ("unknown-fetcher", stream("swift: Things", bare: true)),
        ("tap-stream-unused", stream("tap_stream: thing")),
        ("check-of-child", "check: {stream: things}\n" + stream("for_each: {in: things}")),
    ]

    static func stream(_ lines: String, bare: Bool = false) -> String {
        "streams:\n  things:\n    \(lines)\n" + (bare ? "" : "    request: {path: 'https://x.org/'}\n")
    }

    @Test(arguments: samples.indices)
    func everyCodeCanBeProduced(index: Int) {
        let sample = Self.samples[index]
        let result = Sample.read(sample.yaml)
        #expect(Sample.codes(result).contains(sample.code), "\(sample.code): \(Sample.print(result))")
    }

    @Test func everyCodeOfTheTableHasASampleAndIsExplainedOnce() {
        let codes = DiagnosticCodes.all.map(\.text)
        #expect(Set(codes).count == codes.count)
        let elsewhere: Set = [
            "manifest-missing", "manifest-unreadable", "config-file-malformed", "yaml-not-utf8", "auth-choice",
        ]
        let rendering = Set((TemplateCodes.all + MigrationCodes.all).map(\.text))
        #expect(Set(codes).subtracting(elsewhere).subtracting(rendering) == Set(Self.samples.map(\.code)))
    }
}
