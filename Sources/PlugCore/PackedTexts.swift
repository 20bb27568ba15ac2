/// Texts by index, in two buffers: a page of thousands costs no more allocations than a page of one.
public struct PackedTexts: Sendable, Equatable {
    private var bytes: [UInt8] = []
    /// Where each text ends. Empty texts after the last non-empty one are not stored.
    private var ends: [Int] = []

    /// No texts.
    public init() {}

    /// Whether all texts are empty.
    public var isEmpty: Bool { ends.isEmpty }

    /// The text of a number, empty if none was set.
    public subscript(number: Int) -> ArraySlice<UInt8> {
        guard number < ends.count else { return [] }
        return bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
    }

    /// Sets the text of a number greater than all that have one; an empty text changes nothing.
    public mutating func append(_ text: some Collection<UInt8>, at number: Int) {
        guard !text.isEmpty, number >= ends.count else { return }
        while ends.count < number { ends.append(bytes.count) }
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
    }
}
