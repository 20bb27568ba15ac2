import LosslessJSON

// Where a value's storage lies. What changes a value in place leaves it there; what others hold as well, or what has no
// room left, is copied elsewhere, and that has to be paid for.

extension String {
    /// The address of a text that is too long to lie in the string itself.
    var place: UInt {
        guard utf8.count > 15 else { return 0 }
        return utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? 0
    }
}

extension ValueArray {
    var place: UInt { elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}

extension ValueObject {
    var place: UInt { members.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
}
