import Foundation
import LosslessJSON

/// The builtin functions that are written in Swift.
struct Native: Sendable {
    let name: String
    let arity: Int
    /// Replaces the input by the result.
    let body: @Sendable (inout Value, Arguments, Meter) throws(JQError) -> Void

    init(
        _ name: String,
        _ arity: Int = 0,
        _ body: @escaping @Sendable (inout Value, Arguments, Meter) throws(JQError) -> Void
    ) {
        self.name = name
        self.arity = arity
        self.body = body
    }
}

enum Natives {
    static let all: [Native] = general + collections + strings + mathematics + dates
    static let index: [String: Int32] = Dictionary(
        all.enumerated().map { ("\($1.name)/\($1.arity)", Int32($0)) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let general: [Native] = [
        Native("not") { (input, _, _) throws(JQError) in input = .bool(!input.isTruthy) },
        Native("type") { (input, _, _) throws(JQError) in input = .text(input.typeName) },
        Native("length") { (input, _, meter) throws(JQError) in input = try length(input, meter) },
        Native("utf8bytelength") { (input, _, _) throws(JQError) in
            guard let text = input.asText else { throw Failure.single(input, "only strings have UTF-8 byte length") }
            input = .count(text.utf8.count)
        },
        Native("tostring") { (input, _, meter) throws(JQError) in input = .text(try Format.plain(input, meter)) },
        Native("tojson") { (input, _, meter) throws(JQError) in input = .text(try input.text(meter)) },
        Native("fromjson") { (input, _, meter) throws(JQError) in input = try parsed(input, meter) },
        Native("tonumber") { (input, _, meter) throws(JQError) in
            if input.isNumber { return }
            guard let text = input.asText else { throw Failure.single(input, "cannot be parsed as a number") }
            try meter.copy(bytes: 8 * text.utf8.count)
            guard let number = NumberText.value(text) else {
                throw Failure.single(input, "cannot be parsed as a number")
            }
            input = number
        },
        Native("toboolean") { (input, _, _) throws(JQError) in
            switch input {
            case .bool: break
            case .string("true"): input = .bool(true)
            case .string("false"): input = .bool(false)
            default: throw Failure.single(input, "cannot be parsed as a boolean")
            }
        },
        Native("toarray") { (input, _, _) throws(JQError) in
            if input.rank != 5 { input = .array(ValueArray([input])) }
        },
        Native("have_literal_numbers") { (input, _, _) throws(JQError) in input = .bool(true) },
        Native("have_decnum") { (input, _, _) throws(JQError) in input = .bool(true) },
        Native("builtins") { (input, _, _) throws(JQError) in
            let names = index.keys.map { $0 } + Prelude.definitions.keys.map { $0 } + Compiler.specials
            input = .array(
                ValueArray(
                    Set(names).filter { !$0.hasPrefix("_") }.sorted().map {
                        .text($0)
                    }
                )
            )
        },
        Native("_format", 1) { (input, arguments, meter) throws(JQError) in
            guard let format = Format(rawValue: "@" + (arguments[0].asText ?? "")) else {
                throw JQError(
                    "\(arguments[0].asText ?? "") is not a valid format",
                    withoutValues: "not a valid format"
                )
            }
            input = .text(try format.text(of: input, meter))
        },
        Native("_splits_match", 3) { (input, arguments, meter) throws(JQError) in
            input = try Matching.matches(input, arguments[0], arguments[1], isTest: arguments[2].isTruthy, meter)
        },
        Native("_between", 1) { (input, arguments, meter) throws(JQError) in
            input = try Matching.between(input, arguments[0], meter)
        },
        Native("_substitute", 2) { (input, arguments, meter) throws(JQError) in
            input = try Matching.assembled(input, arguments[0], arguments[1], meter)
        },
    ]

    private static func length(_ value: Value, _ meter: Meter) throws(JQError) -> Value {
        switch value {
        case .null: return .integer(0)
        case .bool: throw Failure.single(value, "has no length")
        case .string(let string):
            try meter.work(string.text.utf8.count)
            return .count(string.text.unicodeScalars.count)
        case .array(let array): return .count(array.elements.count)
        case .object(let object): return .count(object.members.count)
        case .json(.array(let elements)): return .count(elements.count)
        case .json(.object(let object)): return .count(object.count)
        case .view(let view):
            if let count = try view.elementCount(meter) { return .count(count) }
            return try length(try value.opened(meter), meter)
        case .deep(let deep): return try length(deep.value, meter)
        case .json, .integer, .double, .literal: return try absolute(value)
        }
    }

    static func absolute(_ value: Value) throws(JQError) -> Value {
        switch value {
        case .literal(let number):
            return number.text.hasPrefix("-") ? try Arithmetic.negate(value) : value
        case .integer(let integer): return integer < 0 ? try Arithmetic.negate(value) : value
        case .double(let double): return .double(double == 0 ? 0 : double.magnitude)
        // Types that sort below numbers would have to be negated; everything else is returned as it is.
        default: return value.rank < 3 ? try Arithmetic.negate(value) : value
        }
    }

    private static func parsed(_ value: Value, _ meter: Meter) throws(JQError) -> Value {
        guard let text = value.asText else { throw Failure.single(value, "only strings can be parsed") }
        // A value takes more than its text: each mark may begin one.
        let marks = text.utf8.count { [0x2C, 0x3A, 0x5B, 0x7B].contains($0) }
        try meter.take(text.utf8.count * 4 + marks * 48)
        try meter.step(text.utf8.count / 4)
        let limits = JSONLimits(depth: readingDepthLimit)
        if let document = try? JSONDocument(bytes: text.utf8, limits: limits) {
            return document.withCursor { Value(opening: $0) }
        }
        try meter.copy(elements: text.utf8.count)
        do throws(JQReader.Fault) { return try JQReader.value(of: text) } catch {
            let shown = text.utf8.count > 1_000 ? String(text.unicodeScalars.prefix(60)) + "..." : text
            throw JQError(
                "\(error.message) (while parsing '\(shown)')",
                withoutValues: "a string is not JSON: \(error.message)"
            )
        }
    }

    /// The maximum nesting depth that is read, as in jq.
    private static let readingDepthLimit = 10_000
}
