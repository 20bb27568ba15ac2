import PlugCore

// Rules for what a service refuses because it is too much: they need something that can be made smaller.
extension ManifestBuilder {
    /// A rule that asks for smaller pages needs a size to send.
    func checkRefusals(_ keys: CheckedMapping, of stream: String, _ paging: Paging?) {
        for node in keys["on"]?.sequence ?? [] where paging?.sendsSize != true {
            guard let action = Self.action(.shrink, of: node) else { continue }
            let message = "'do: shrink' asks for smaller pages, and the stream '\(stream)' sends no page size"
            findings.error(.shrinkNeedsSize, message, at: action.location, help: Self.sizeHelp)
        }
    }

    /// The same for a rule of `http`, which is there for at least one stream.
    func checkRefusals(_ http: YAMLNode?, _ streams: [Stream]) {
        for node in http?["on"]?.sequence ?? [] where !streams.contains(where: { $0.paging?.sendsSize == true }) {
            guard let action = Self.action(.shrink, of: node) else { continue }
            let message = "'do: shrink' asks for smaller pages, and no stream sends a page size"
            findings.error(.shrinkNeedsSize, message, at: action.location, help: Self.sizeHelp)
        }
    }

    private static let sizeHelp =
        "write 'size' and 'size_param' in 'number', 'offset' or 'cursor', or {{ page.size }} in the request"

    private static func action(_ action: StatusRule.Action, of rule: YAMLNode) -> YAMLNode? {
        rule["do"].flatMap { $0.scalar?.text == action.rawValue ? $0 : nil }
    }
}
