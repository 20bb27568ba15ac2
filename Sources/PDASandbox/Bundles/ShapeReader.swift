internal import LosslessJSON

/// A part of a request's body with its path, so that errors in it can be named as the reference server does.
struct ShapeReader: Sendable {
    let value: JSONValue
    let path: String

    init(_ value: JSONValue, at path: String = "obj") {
        self.value = value
        self.path = path
    }

    /// A required member.
    func member(_ name: String) throws(ShapeRefusal) -> ShapeReader {
        guard let member = value[name] else { throw ShapeRefusal(path: "\(path).\(name)", code: "error.path.missing") }
        return ShapeReader(member, at: "\(path).\(name)")
    }

    /// A member that may be missing or null.
    func optional(_ name: String) -> ShapeReader? {
        value[name].flatMap { $0.isNull ? nil : ShapeReader($0, at: "\(path).\(name)") }
    }

    func text() throws(ShapeRefusal) -> String { try expected(value.stringText, "error.expected.jsstring") }
    func bool() throws(ShapeRefusal) -> Bool { try expected(value.bool, "error.expected.jsboolean") }
    func integer() throws(ShapeRefusal) -> Int {
        let number = try expected(value.number, "error.expected.jsnumber")
        return try expected(number.int64.flatMap { Int32(exactly: $0) }.map(Int.init), "error.expected.int")
    }

    /// The elements of an array, each with its place.
    func elements() throws(ShapeRefusal) -> [ShapeReader] {
        let elements = try expected(value.elements, "error.expected.jsarray")
        return elements.enumerated().map { ShapeReader($1, at: "\(path)[\($0)]") }
    }

    /// The members of an object, each with its place.
    func members() throws(ShapeRefusal) -> [(name: String, reader: ShapeReader)] {
        let object = try expected(value.object, "error.expected.jsobject")
        return object.members.map { ($0.key.text, ShapeReader($0.value, at: "\(path).\($0.key.text)")) }
    }

    func refusal(_ code: String) -> ShapeRefusal { ShapeRefusal(path: path, code: code) }

    private func expected<Value>(_ value: Value?, _ code: String) throws(ShapeRefusal) -> Value {
        guard let value else { throw refusal(code) }
        return value
    }
}
