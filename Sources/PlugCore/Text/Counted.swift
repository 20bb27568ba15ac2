extension BinaryInteger {
    /// The number with what it counts: `1 record`, `2 records`.
    ///
    /// - Parameter plural: The plural, if it is not the noun with an `s`.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}
