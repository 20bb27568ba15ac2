internal import PDAWire
internal import PlugCore

/// The frame of every page. One small script, nothing from other sites.
enum Page {
    /// Adds the headers that every page has.
    ///
    /// - Parameter target: An origin, besides the sandbox itself, that a form may lead to after a redirect.
    static func secured(_ answer: Answer, formTarget target: String? = nil) -> Answer {
        var answer = answer
        let targets = target.map { " \($0)" } ?? ""
        answer.headers += [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'\(targets); base-uri 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "same-origin"),
            ("Cache-Control", "no-store"),
        ]
        return answer
    }

    static func answer(
        _ status: Int = 200,
        title: String,
        class name: String,
        formTarget: String? = nil,
        _ body: HTML
    ) -> Answer {
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/assets/sandbox.css">
            <script src="/assets/sandbox.js"></script>
            </head>
            <body class="\(name)">
            \(body)
            </body>
            </html>

            """
        return secured(Answer(status, type: Answer.html, body: Array(html.text.utf8)), formTarget: formTarget)
    }

    /// The log-in page, which leads on to where the visitor wanted to go.
    static func logIn(_ request: ServedRequest, next: String, failed: Bool) -> Answer {
        let token = VisitorForm.token(request)
        var page = answer(
            title: "Log in · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>Sandbox PDA</h1>
            <p>A personal data account on this machine. Only its owner can see what it holds.</p>
            \(failed ? wrong("The password is wrong.") : nil)
            <form method="post" action="/login">
            \(hidden(VisitorForm.field, token))\(hidden("next", next))
            <label for="password">Owner’s password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
            <button>Log in</button>
            </form>
            </main>
            """
        )
        page.headers.append(VisitorForm.header(token))
        return page
    }

    /// The error message of a form.
    static func wrong(_ text: String) -> HTML { "<p class=\"wrong\" role=\"alert\">\(text)</p>" }

    static func hidden(_ name: String, _ value: String) -> HTML {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }

    /// A page with only a message.
    static func notice(_ status: Int, _ title: String, _ text: String) -> Answer {
        answer(
            status,
            title: "\(title) · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>\(title)</h1>
            <p>\(text)</p>
            <p><a href="/">Back to the account</a></p>
            </main>
            """
        )
    }

    /// An address without a route: 200, like any address of the reference server's single page.
    static func unknown(_ path: String) -> Answer {
        answer(
            title: "Not found · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>Not found</h1>
            <p>The sandbox has no route <code>\(path)</code>. A PDA answers an unknown address with a page
            and status 200, so check the content type before you read JSON.</p>
            <p><a href="/">Back to the account</a></p>
            </main>
            """
        )
    }

    static var stylesheet: Answer { asset("text/css; charset=UTF-8", Stylesheet.text) }

    /// Clients build addresses of the reference server's single page, `/#/hatlogin?…` and `/#/data-debit/KEY/…`, whose fragments
    /// never reach a server. This redirects them to the intended pages, and nowhere else.
    static var script: Answer {
        asset(
            "text/javascript; charset=UTF-8",
            """
            "use strict";
            const lead = () => {
              const wanted = location.hash.slice(1);
              if (/^\\/(hatlogin\\?|data-debit\\/[0-9A-Za-z-]+)/.test(wanted)) location.replace(wanted);
            };
            addEventListener("hashchange", lead);
            lead();

            """
        )
    }

    private static func asset(_ type: String, _ text: String) -> Answer {
        var answer = Answer(type: type, body: Array(text.utf8))
        answer.headers += [("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-cache")]
        return answer
    }
}
