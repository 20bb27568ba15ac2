public import LosslessJSON

/// A list whose elements were read one by one: those that could not be read are here too, never dropped.
///
/// As a collection, it consists of its elements.
public struct PDAList<Element: Sendable>: Sendable {
    /// The elements that could be read, in their order.
    public var elements: [Element]
    /// The others, in their order.
    public var undecodable: [UndecodableElement]

    /// A list of elements.
    public init(_ elements: [Element], undecodable: [UndecodableElement] = []) {
        self.elements = elements
        self.undecodable = undecodable
    }

    /// The elements, if all could be read.
    ///
    /// - Throws: The error of the first element that could not.
    public func all() throws(PDAError) -> [Element] {
        if let first = undecodable.first { throw first.error }
        return elements
    }
}

/// A malformed element of a list.
public struct UndecodableElement: Sendable, Equatable {
    /// Its index in the list, from 0.
    public var index: Int
    /// The element as it came.
    public var json: JSONValue
    /// `undecodable`; the message names the path, such as `[3].application.info.name`.
    public var error: PDAError

    /// An element and its error.
    public init(index: Int, json: JSONValue, error: PDAError) {
        self.index = index
        self.json = json
        self.error = error
    }
}

extension PDAList: Equatable where Element: Equatable {}

extension PDAList: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { elements.startIndex }
    /// How many elements could be read.
    public var endIndex: Int { elements.endIndex }
    /// An element that could be read.
    public subscript(position: Int) -> Element { elements[position] }
}

extension PDAList: MemberValue where Element: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> PDAList {
        guard let values = value.elements else {
            throw .undecodable(path, "should be an array, not \(value.article)")
        }
        var list = PDAList([])
        for (index, value) in values.enumerated() {
            do throws(PDAError) {
                list.elements.append(try Element.read(value, at: "\(path)[\(index)]"))
            } catch {
                list.undecodable.append(UndecodableElement(index: index, json: value, error: error))
            }
        }
        return list
    }

    /// All of them, those that could not be read in their original places.
    var written: JSONValue {
        var values = elements.map(\.written)
        for other in undecodable { values.insert(other.json, at: Swift.min(Swift.max(0, other.index), values.count)) }
        return .array(values)
    }
}
