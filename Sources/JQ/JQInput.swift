package import LosslessJSON

/// A program's input, made once and used by any number of programs.
package struct JQInput: Sendable {
    let value: Value

    /// An owned value.
    package init(_ value: JSONValue) { self.value = Value(value) }

    /// A value of a document, however large: programs open only what they read, and pay for that.
    package init(_ view: JSONView) {
        value = view.document.withCursor { cursor in Value(cursor, view.node, in: view.document) }
    }

    /// An array of values.
    package init(_ inputs: [JQInput]) { value = .array(ValueArray(inputs.map(\.value))) }
}
