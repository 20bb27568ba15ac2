/// Links to other sites.
package enum WebLink {
    /// A link; `nil` if the address is not one of the web, so that no page leads to a program.
    package static func html(_ address: String, _ text: String) -> HTML? {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["https", "http"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://") else { return nil }
        return "<a href=\"\(address)\" rel=\"noreferrer\">\(text)</a>"
    }

    /// The same; only the text if the address is not one of the web.
    package static func orText(_ address: String, _ text: String) -> HTML { html(address, text) ?? .text(text) }
}
