/// The headers of every response.
enum SecurityHeaders {
    /// Nothing runs or loads except this host's style sheet and pictures, and on one page its script; forms end here, or where
    /// the page's own form is redirected to.
    static func all(for answer: HostAnswer, isSecure: Bool) -> [(name: String, value: String)] {
        let targets = answer.formTargets.reduce(into: "'self'") { $0 += " \($1)" }
        let script = answer.hasScript ? "script-src 'self'; connect-src 'self'; " : ""
        let cache = answer.maxAge.map { "private, max-age=\($0)" } ?? "no-store"
        var headers = [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; \(script)form-action \(targets); "
                    + "frame-ancestors 'none'; base-uri 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", cache),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        if isSecure { headers.append(("Strict-Transport-Security", "max-age=31536000")) }
        return headers
    }
}
