import Foundation
import PlugCore
import Synchronization
import TestKit

/// A service that says who somebody is, and with what they proved it, wherever a service can say something.
enum CanaryService {
    static let token = "tok-Canary/s3cret+value=12345"
    static let cookie = "s3ss10nCanaryValue987"

    /// What must not stand in a fixture: the person's, in any case, and the credentials.
    static let canaries = [
        "canary", "lovelace", "+44 20 7946", "79460958", "4815162342", "90210", "1987-03-14",
        "2026-03-01t15:09:26",
        "1770000001", "52.520008", "s3cret", "s3ss10n", "deadbeefcafe", "eyJhbGci", "sk_live_", "hb2r9vq",
        "7f3a9c1e5b2d4860",
    ]

    static func start() throws -> LoopbackServer {
        let asked = Mutex<Set<String>>([])
        return try WrittenSource.serve { request in
            let isFirst = asked.withLock { $0.insert(request.target).inserted }
            return answer(request, isFirst: isFirst)
        }
    }

    private static func answer(
        _ request: LoopbackRequest,
        isFirst: Bool
    ) -> (status: Int, headers: [String], body: String) {
        let proof = request.header("authorization") ?? ""
        let host = request.header("host") ?? ""
        let path = request.target.prefix { $0 != "?" }
        switch path {
        case "/v1/posts" where isFirst && !request.target.contains("cursor"):
            let page = """
                <html lang="en"><head><title>Error for Ada Canary</title></head><body class="ada-canary">
                <!-- \(token) --><a href="https://ada-canary.example.org/x?t=\(token)">Ada &amp; Lovelace</a><p>\(proof)</p></body></html>
                """
            return (500, ["Content-Type: text/html", "Retry-After: 0", "X-User: ada-canary"], page)
        case "/v1/posts":
            let start =
                request.target.firstMatch(of: #/cursor=([A-Za-z0-9]+)/#).flatMap { match in
                    Base64.decoded(String(match.1) + (match.1.count % 4 == 0 ? "" : "=")).flatMap { bytes in
                        String(decoding: bytes, as: UTF8.self).split(separator: ":").last.flatMap { Int($0) }
                    }
                } ?? 0
            let records = (start..<(start + 3)).map { record($0, proof) }.joined(separator: ",")
            let next = start < 3 ? "\"\(Base64.encoded(Array("cursor:\(start + 3)".utf8)))\"" : "null"
            let body =
                #"{"data":[\#(records)],"meta":{"next":\#(next),"total":6,"user":"ada-canary"},"canaryKey":{"Ada Canary":1}}"#
            let headers = [
                "Content-Type: application/vnd.ada-canary+json; charset=utf-8; user=ada", "X-Total-Count: 6",
                "X-Echo: \(proof)",
                "Set-Cookie: session=\(cookie); Path=/; HttpOnly", "X-RateLimit-Remaining: 57", "ETag: \"canary\"",
                "Link: <http://\(host)/v1/posts?cursor=x&access_token=\(token)>; rel=\"next\"; title=\"Ada\"",
            ]
            return (200, headers, body)
        case "/v1/links":
            if !request.target.contains("moved") {
                let sign = request.target.contains("?") ? "&" : "?"
                return (
                    302, ["Location: http://\(host)\(request.target)\(sign)moved=ada-canary&sig=\(token)"], "Ada moved"
                )
            }
            let items = #"{"key":"lk_canary_1","owner":"ada-canary","at":"2026-03-01T15:09:26.535Z"}"#
            let next =
                request.target.contains("page=2")
                ? "null" : "\"https://api.example.org/v1/links?page=2&who=ada-canary\""
            return (200, [], #"{"items":[\#(items)],"next":\#(next)}"#)
        case "/v1/rows":
            let rows = "id,name,born\n4815162342,\"Canary, Ada\",1987-03-14\n4815162343,Lovelace,1987-03-15\n"
            return (200, ["Content-Type: text/csv"], rows)
        case "/v1/feed":
            let item = """
                <item><guid>https://ada-canary.example.org/1</guid><title>Ada Canary</title><link>https://ada-canary.example.org/1</link>\
                <description>&lt;p&gt;By &lt;b&gt;Lovelace&lt;/b&gt;&lt;/p&gt;</description><pubDate>Sun, 01 Mar 2026 15:09:26 GMT</pubDate></item>
                """
            let feed =
                #"<?xml version="1.0"?><rss version="2.0"><channel><title>Canary</title>\#(item)</channel></rss>"#
            return (200, ["Content-Type: application/rss+xml"], feed)
        default: return (404, [], #"{"message":"no canary, \#(proof)"}"#)
        }
    }

    private static func record(_ number: Int, _ proof: String) -> String {
        let secret = Array(token.utf8)
        return """
            {"id":\(9_007_199_254_740_000 + number * 17),"type":"post","status":"published","code":90210,
             "author":{"id":4815162342,"login":"ada-canary","name":"Ada Canary Lovelace","email":"ada.canary@canary-mail.org","born":"1987-03-14",
               "avatar":"https://cdn.canary-cdn.net/u/ada-canary/p.png?X-Amz-Signature=deadbeefcafecanary0123456789","lat":52.520008},
             "text":"Dear Canary, +44 20 7946 0958 \\u2013 https://ada-canary.example.org/blog \\ud83d\\udc24","createdAt":"2026-03-0\(number + 1)T15:09:26.535Z",
             "ts":\(1_770_000_001 + number),"likes":{"canary.friend@friends.org":1,"Charles Canary":2,"adaCanary":3,"79460958":4},
             "echo":{"auth":"\(proof)","b64":"\(Base64.encoded(Array("x".utf8) + secret))","hex":"\(Hexadecimal.encoded(secret))",
               "url":"tok-Canary%2Fs3cret%2Bvalue%3D12345","in a name \(token)":true},
             "jwt":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlY2FuYXJ5","apikey":"sk_live_hB2r9vQx8LmZ","other":"hB2r9vQx8LmZ7tKw3PnC5dYf",
             "state":"7f3a9c1e5b2d48607f3a9c1e5b2d4860","public":true,"nothing":null}
            """
    }

    static let streams = """
        posts:
          endpoint: posts
          request: {path: /v1/posts, query: {limit: 3, user: "{{ config.user }}"}}
          records: .data
          page: {cursor: {from: .meta.next, param: cursor}, total: .meta.total}
          key: [.id]
          version: none
          map: '{id, text, kind: .type, state: .status, author: .author.name, mail: .author.email, url: .author.avatar, createdAt, likes, echo, jwt}'
          fields: {createdAt: time}
        links:
          endpoint: links
          request: {path: /v1/links}
          records: .items
          page: {next: .next}
          since: {field: .at, type: time, order: none, send: {query: {since: time}}}
          key: [.key]
          version: .at
          map: '{owner, at}'
        rows:
          endpoint: rows
          request: {path: /v1/rows}
          decode: csv
          records: .
          key: [.id]
          version: none
        feed:
          endpoint: feed
          request: {path: /v1/feed}
          decode: feed
          records: .
          key: [.id]
          version: none
        """
}
