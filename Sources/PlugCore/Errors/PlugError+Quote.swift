extension PlugError {
    /// The same error with somebody else's words in its message replaced by how many characters they are, and kept as its
    /// `quote`.
    ///
    /// - Parameter words: What a service or a program has said, as it stands in the message.
    public func hiding(_ words: String) -> PlugError {
        // The last place where they stand: what comes before a quote is ours.
        guard quote == nil, !words.isEmpty, let found = message.ranges(of: words).last else { return self }
        var copy = self
        copy.message.replaceSubrange(found, with: Self.place(of: words))
        copy.quote = words
        return copy
    }

    /// The same error with its quote in the message: for whoever looks at requests and records anyway, as with `--dry-run`.
    public var quoted: PlugError {
        guard let quote, let found = message.ranges(of: Self.place(of: quote)).last else { return self }
        var copy = self
        copy.message.replaceSubrange(found, with: quote)
        copy.quote = nil
        return copy
    }

    /// The same error with the quote of another one, whose message its own repeats.
    public func quoting(as other: PlugError) -> PlugError {
        var copy = self
        copy.quote = other.quote
        return copy
    }

    /// What stands in a message in the place of a quote.
    private static func place(of quote: String) -> String {
        "<\(quote.count) character\(quote.count == 1 ? "" : "s"), shown by --dry-run>"
    }
}
