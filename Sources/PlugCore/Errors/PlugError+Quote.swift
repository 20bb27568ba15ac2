extension PlugError {
    /// The same error with third-party words in its message replaced by their number of characters, and kept as its `quote`.
    ///
    /// - Parameter words: What a service or a program has said, as it appears in the message.
    public func hiding(_ words: String) -> PlugError {
        // The last place where they occur: what precedes a quote is ours.
        guard quote == nil, !words.isEmpty, let found = message.ranges(of: words).last else { return self }
        var copy = self
        copy.message.replaceSubrange(found, with: Self.place(of: words))
        copy.quote = words
        return copy
    }

    /// The same error with its quote in the message: for readers who see requests and records anyway, as with `--dry-run`.
    public var quoted: PlugError {
        guard let quote, let found = message.ranges(of: Self.place(of: quote)).last else { return self }
        var copy = self
        copy.message.replaceSubrange(found, with: quote)
        copy.quote = nil
        return copy
    }

    /// The same error with the quote of another one, whose message it repeats.
    public func quoting(as other: PlugError) -> PlugError {
        var copy = self
        copy.quote = other.quote
        return copy
    }

    /// What a message shows in place of a quote.
    private static func place(of quote: String) -> String {
        "<\(quote.count.counted("character")), shown by --dry-run>"
    }
}
