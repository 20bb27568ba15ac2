package import PlugCore

extension Findings {
    /// The time zone of a name; reports it if there is none.
    package func zone(_ name: String, at location: Diagnostic.Location) -> NamedZone? {
        if let zone = NamedZone(name) { return zone }
        let help =
            Spelling.question(name, in: NamedZone.names)
            ?? "write a name of the IANA time zone database, such as Europe/Berlin, or UTC"
        error(.badZone, "'\(MessageText.shortened(name))' is not a time zone", at: location, help: help)
        return nil
    }
}
