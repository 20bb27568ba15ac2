internal import PlugCore

/// The page that a person's browser shows when it returns.
struct CallbackPage: Sendable, Equatable {
    /// The status.
    var status: Int
    /// A heading.
    var title: String
    /// A sentence below it.
    var text: String

    static let notFound = CallbackPage(status: 404, title: "Nothing here", text: "This address has nothing to show.")
    static let malformed = CallbackPage(status: 400, title: "No request", text: "plughost did not understand this.")

    /// The entire response. It loads nothing, sends no referrer, is not cached, and quotes nothing from the request.
    var bytes: [UInt8] {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en"><meta charset="utf-8"><title>plughost: \(title)</title>
            <h1>\(title)</h1>
            <p>\(text)</p>
            </html>

            """
        let body = page.text
        let head = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Error")", "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(body.utf8.count)", "Connection: close", "Cache-Control: no-store",
            "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
