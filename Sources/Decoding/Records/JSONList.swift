/// The position of the list in a JSON file whose elements are read one by one.
package struct JSONList: Sendable, Equatable {
    /// The members that lead to it, outermost first; `nil` if the file is not read in pieces.
    package var path: [String]?
    /// Whether what surrounds the list is kept.
    package var keepsRest = false
    /// Whether a file without the list is refused; otherwise it is given as a whole, for `records` to judge.
    package var isNeeded = false

    /// A list, or with `nil` a whole file.
    package init(path: [String]?) { self.path = path }
}

/// What surrounds the list of a JSON file that is read in pieces.
package struct JSONRest: Sendable, Equatable {
    /// The file without the list's elements, as far as it has arrived.
    var bytes: [UInt8] = []
    /// Where in it the elements would be.
    var list = 0

    /// Its size in bytes.
    package var count: Int { bytes.count }

    /// The file with one element in the list, or none.
    package func file(with element: [UInt8]?) -> [UInt8] {
        bytes[..<list] + (element ?? []) + bytes[list...]
    }
}
