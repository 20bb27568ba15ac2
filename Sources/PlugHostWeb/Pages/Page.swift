package import PlugCore

/// A page of a host: a title, and the content below it. Nothing from other sites, and no script except on the one live page.
package struct Page: Sendable {
    /// The form field that carries the token.
    package static let formField = "form"

    /// The status of the response.
    package var status = 200
    /// The title; the host's name is added.
    package var title: String
    /// Everything within `main`.
    package var content: HTML
    /// Whether it has a form, so that its browser needs a cookie.
    package var hasForm = false
    /// The number of seconds after which a browser reloads it automatically; `nil` for never.
    package var refresh: Int?
    /// The host's script that keeps it up to date; `refresh` is then for browsers without scripts.
    package var script: String?
    /// Origins besides this host that its forms may lead to.
    package var formTargets: [String] = []

    /// A page.
    package init(_ title: String, status: Int = 200, _ content: HTML) {
        self.title = title
        self.status = status
        self.content = content
    }

    /// A form that is sent to this host, with the browser's token in it.
    ///
    /// - Parameters:
    ///   - path: Where it is sent.
    ///   - request: The request for the page that contains it.
    ///   - fields: Its content, including its button.
    package static func form(to path: String, for request: HostRequest, _ fields: HTML) -> HTML {
        """
        <form method="post" action="\(path)">
        <input type="hidden" name="\(formField)" value="\(request.formToken)">
        \(fields)
        </form>
        """
    }

    func answer(for request: HostRequest) -> HostAnswer {
        var again: HTML? = refresh.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" }
        if let script, let meta = again {
            again = "<noscript>\(meta)</noscript>\n<script src=\"\(script)\" defer></script>\n"
        }
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(again)<title>\(title) · plughost</title>
            <link rel="icon" href="\(Stylesheet.iconPath)">
            <link rel="stylesheet" href="\(Stylesheet.path)">
            </head>
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header><a href="/">plughost</a>\(Self.navigation(for: request))</header>
            <main id="main">
            <h1>\(title)</h1>
            \(content)
            </main>
            </body>
            </html>

            """
        var answer = HostAnswer(status, type: "text/html; charset=utf-8", body: Array(html.text.utf8))
        answer.formTargets = formTargets
        answer.hasScript = script != nil
        return answer
    }

    /// Who is logged in, and the logout button.
    private static func navigation(for request: HostRequest) -> HTML? {
        let (name, home): (String, HTML)
        switch request.visitor {
        case .person(let pda): (name, home) = (Words.pda(pda), "<a href=\"/connections\">My connections</a>")
        case .operator(let operatorName):
            (name, home) = (
                operatorName,
                "<a href=\"/operator\">Overview</a><a href=\"\(OperatorPath.connections)\">Connections</a>"
            )
        case .stranger, .pda, .key:
            // Operators do not log in at a PDA.
            let isOperators = request.path.hasPrefix(OperatorPath.overview)
            let logIn: HTML? = isOperators ? nil : "<a href=\"/login\">Log in</a>"
            return "<nav aria-label=\"Site\"><a href=\"/plugs\">Plugs</a>\(logIn)</nav>"
        }
        let button = form(to: "/logout", for: request, "<button>Log out</button>")
        return """
            <nav aria-label="Site"><a href="/plugs">Plugs</a>\(home)
            <span class="quiet">\(name)</span>\(button)</nav>
            """
    }
}

extension Page {
    /// A refusal's title on a page.
    private static func title(_ status: Int) -> String {
        switch status {
        case 401: "Please log in"
        case 403: "This is not possible"
        case 404: "Not found"
        case 409: "Not now"
        case 410: "This is no longer available"
        case 429: "Too many attempts"
        case 503: "Not available right now"
        default: HostRefusal.title(status)
        }
    }

    /// The text for a person whose request is refused.
    static func refusal(_ refusal: HostRefusal) -> Page {
        // Internal errors are for the host's log: they contain paths and terms that mean nothing to anyone else.
        let isInner = [500, 502, 503].contains(refusal.status)
        let problem = PageProblem(refusal.error)
        let what = isInner ? "This host cannot do that right now. Try again in a moment." : problem.sentence
        // Anyone with a used link is an operator.
        let told = refusal.error.code.text == "link-used" ? refusal.error.advice?.sentence : problem.advice
        let advice: HTML? = isInner ? nil : told.map { "<p>\($0)</p>" }
        let operators: HTML? =
            refusal.status == 401
            ? "<p>Operators of this host log in with a link that <code>plughost operator link</code> prints there.</p>"
            : nil
        let way: HTML =
            switch refusal.status {
            case 401 where refusal.isForOperators: "<a class=\"button plain\" href=\"/\">To the start page</a>"
            case 401: "<a class=\"button\" href=\"/login\">Log in with your PDA</a>"
            default: "<a class=\"button plain\" href=\"/\">To the start page</a>"
            }
        return Page(
            Self.title(refusal.status),
            status: refusal.status,
            """
            <p>\(what)</p>
            \(advice)
            \(operators)
            <p class="row">\(way)</p>
            <p class="quiet">\(refusal.error.code.text)</p>
            """
        )
    }
}

extension String {
    /// Capitalised and with a full stop, as error messages have neither.
    package var sentence: String {
        guard let first else { return self }
        let text = first.uppercased() + dropFirst()
        return text.hasSuffix(".") ? text : text + "."
    }
}
