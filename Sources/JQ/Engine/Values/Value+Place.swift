import LosslessJSON

// The address of a value's storage. An in-place change leaves it unchanged; a shared value, or one without spare capacity, is
// copied elsewhere, which has to be paid for.

extension String {
    /// The address of a text too long to be stored inline in the string.
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
