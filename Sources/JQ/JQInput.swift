public import LosslessJSON

/// What a program runs on, made once and used by as many programs as there are.
public struct JQInput: Sendable {
    /// How many nodes a value may have to be read where it lies. A program may ask for members again and again, and a
    /// view finds each by looking at all before it.
    private static let viewLimit = 512

    let value: Value

    /// An owned value.
    public init(_ value: JSONValue) { self.value = Value(value) }

    /// A value of a document, of which programs open only what they look at; a large one is copied.
    public init(_ view: JSONView) {
        value = view.document.withCursor { cursor in
            cursor.after(view.node) - view.node <= Self.viewLimit
                ? Value(cursor, view.node, in: view.document) : Value(view.value)
        }
    }
}
