import CurlTransport
import PlugCore
import Testing

@testable import PlugHostWeb

/// A browser: it keeps cookies, and sends forms with the token of the page that it shows. It follows no redirect by itself.
actor TestBrowser {
    private let web: WebWorld
    private var cookies: [String: String] = [:]
    /// The token of the last page with a form.
    private var formToken = ""
    /// Each request comes from an address of its own: how often one may ask is another test's.
    private var asked = 0
    /// Everything that was shown, and every address that was led to.
    private(set) var seen: [String] = []

    init(_ web: WebWorld) { self.web = web }

    func get(_ target: String) async -> HostAnswer { await send("GET", target, nil) }

    /// Sends a form.
    func submit(_ path: String, _ fields: [(name: String, value: String)]) async -> HostAnswer {
        await send("POST", path, FormText.encode([(name: Page.formField, value: formToken)] + fields))
    }

    private func send(_ method: String, _ target: String, _ body: String?) async -> HostAnswer {
        var headers = [("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))]
        if body != nil { headers.append(("Content-Type", "application/x-www-form-urlencoded")) }
        asked += 1
        let answer = await web.send(method, target, headers, peer: "192.0.2.\(asked)", body: body)
        for header in answer.headers where header.name == "Set-Cookie" {
            let parts = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            if header.value.contains("Max-Age=0") {
                cookies[parts[0]] = nil
            } else if parts.count == 2 {
                cookies[parts[0]] = parts[1]
            }
        }
        if let start = answer.text.firstRange(of: "name=\"\(Page.formField)\" value=\"") {
            formToken = String(answer.text[start.upperBound...].prefix { $0 != "\"" })
        }
        // Where it is led to within the host is the next address that it shows.
        seen += [answer.text, answer.header("Location") ?? ""]
        return answer
    }
}

extension HostAnswer {
    /// The page's heading.
    var title: String {
        guard let start = text.firstRange(of: "<h1>"), let end = text.firstRange(of: "</h1>") else { return "" }
        return String(text[start.upperBound..<end.lowerBound])
    }
}
