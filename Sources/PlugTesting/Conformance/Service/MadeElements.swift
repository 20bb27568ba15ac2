import LosslessJSON
import Synchronization

/// The elements of a stream's things, each made once: a page may have a thousand, and every scenario reads it.
final class MadeElements: Sendable {
    private let elements = Mutex<[RecordTemplate.Thing: JSONValue]>([:])
    /// The maximum number kept; any others are made again.
    private static let limit = 20_000

    /// The element of a thing.
    func element(of thing: RecordTemplate.Thing, _ template: RecordTemplate) -> JSONValue {
        elements.withLock { elements in
            if let known = elements[thing] { return known }
            let element = template.element(thing)
            if elements.count < Self.limit { elements[thing] = element }
            return element
        }
    }
}
