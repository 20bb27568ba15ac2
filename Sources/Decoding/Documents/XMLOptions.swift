/// Which elements of an XML file are records, and how they become JSON.
package struct XMLOptions: Sendable, Equatable {
    /// How namespaces appear in names.
    package enum Namespaces: String, Sendable, CaseIterable {
        /// As the file writes them: `dc:creator`.
        case prefix
        /// Not at all: `creator`.
        case strip
    }

    /// Which elements are records.
    package var records: XMLPath
    /// How namespaces appear in names.
    package var namespaces: Namespaces
    /// Elements that become lists even if there is only one.
    package var lists: Set<String>

    /// Options; without a path, every child of the root is a record.
    package init(
        records: XMLPath = .childrenOfRoot,
        namespaces: Namespaces = .prefix,
        lists: Set<String> = []
    ) {
        self.records = records
        self.namespaces = namespaces
        self.lists = lists
    }
}

/// Selects elements by name and by those around them: `item`, `channel/item`, `/rss/channel/item`, `/*/*`.
package struct XMLPath: Sendable, Equatable {
    /// The names from the outside in, `nil` for any.
    let steps: [String?]
    /// Whether the first one is the root.
    let isWhole: Bool
    /// As it was written.
    package let text: String

    /// Every child of the root.
    package static let childrenOfRoot = XMLPath(steps: [nil, nil], isWhole: true, text: "/*/*")

    private init(steps: [String?], isWhole: Bool, text: String) {
        (self.steps, self.isWhole, self.text) = (steps, isWhole, text)
    }

    /// Reads a path, `nil` if it is invalid: names separated by slashes, at most 16.
    package init?(_ text: String) {
        let isWhole = text.hasPrefix("/")
        let names = text.dropFirst(isWhole ? 1 : 0).split(separator: "/", omittingEmptySubsequences: false)
        let isRight = names.allSatisfy { name in
            name == "*"
                || (!name.isEmpty && name.unicodeScalars.allSatisfy { $0.value > 0x7F || Self.isNameCharacter($0) })
        }
        guard isRight, (1...16).contains(names.count) else { return nil }
        self.init(steps: names.map { $0 == "*" ? nil : String($0) }, isWhole: isWhole, text: text)
    }

    private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", ":": true
        default: false
        }
    }

    /// Which steps a name matches, one bit for each.
    func mask(of name: String) -> UInt32 {
        var mask: UInt32 = 0
        for (at, step) in steps.enumerated() where step == nil || step == name { mask |= 1 << UInt32(at) }
        return mask
    }

    /// Whether the innermost of these elements is selected, by the masks of all of them from the root on.
    func matches(_ stack: [UInt32]) -> Bool {
        guard stack.count >= steps.count, !isWhole || stack.count == steps.count else { return false }
        let from = stack.count - steps.count
        for at in steps.indices where stack[from + at] & (1 << UInt32(at)) == 0 { return false }
        return true
    }
}
