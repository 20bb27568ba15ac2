internal import PlugCore
internal import Syncing

/// Why a plug cannot be connected at this host, and to whom that matters.
struct LackText: Sendable {
    private let lack: PlugLack

    init(_ lack: PlugLack) { self.lack = lack }

    /// In a list.
    var short: String {
        switch lack.kind {
        case .file: "Only from the shell."
        case .client, .program: "Not available here yet."
        }
    }

    /// On the plug's page.
    func html(for visitor: Visitor) -> HTML {
        if case .operator = visitor {
            let advice: HTML? = lack.error.advice.map { "<p>\($0.sentence)</p>" }
            return """
                <div class="sheet"><p><b class="warn">Nobody can connect this plug here.</b> \(lack.error.message.sentence)</p>\(advice)
                <p class="quiet">\(lack.error.code.text)</p></div>
                """
        }
        return "<p class=\"sheet\"><b class=\"warn\">This plug cannot be connected here.</b> \(forPeople)</p>"
    }

    private var forPeople: String {
        switch lack.kind {
        case .file:
            "It reads a file that you download from the service, and these pages take no files. Whoever runs this host can "
                + "read it for you."
        case .client: "Whoever runs this host has not registered it with the service yet."
        case .program: "Whoever runs this host has to install or allow its program first."
        }
    }
}
