import JQ
import LosslessJSON

/// Makes programs of the whole grammar, with all functions, that nobody would write.
struct ProgramMaker {
    /// `name/arity` of every function, as the language itself lists them.
    static let functions: [(name: String, arity: Int)] = {
        let list = (try? JQProgram("builtins[]").run(.null)) ?? []
        return list.compactMap(\.stringText).compactMap { entry in
            let parts = entry.split(separator: "/")
            guard parts.count == 2, let arity = Int(parts[1]) else { return nil }
            return (String(parts[0]), arity)
        }
    }()

    static let numbers = [
        "0", "1", "2", "-1", "3", "0.5", "1e18", "-1e18", "1e1000", "1e-1000", "536870911", "536870912",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e15", "1.10", "100000000000000000000",
        "nan", "infinite", "-infinite", "1114111", "1114112", "55296", "1e9", "-0", "253402300800", "-62135596801",
        "1e17", "128", "200", "65536",
    ]
    static let strings = [
        "", "a", "b", "key", "ab,cd, ef", "  x ", "é", "e\\u0301", "\\u0000", "\\ud83d\\ude00", "2015-03-05T23:51:47Z",
        "%Y-%m-%dT%H:%M:%SZ", "%A %j %U %e %s %Z %c", "12", "1e400", "-0", "nan", "[1,{\\\"a\\\":2}]", "eyJhIjoxfQ==",
        "MFRGG===",
        "%41%zz", "<a href='x'>&</a>", "g", "xn", "aaaaaaaaaaaaaaaaaaaa!", "a\\tb\\nc", "%",
    ]
    static let patterns = [
        "", "a", "(a+)+$", "(?<x>[a-z]+)", "^", "$", "\\\\b", "(a|b)*c", ".", "(?:)", "(?=a)", "(?<=a)b", "[^a]*",
        "a{0,3}",
        "(.)\\\\1", "\\\\s+$", "(", "(?<n>a)|(?<n2>b)", "\\\\p{L}+", "(?i)A", "(((((a*)*)*)*)*)b", "\\\\X", ".*?x",
    ]
    static let formats = [
        "@text", "@json", "@html", "@uri", "@csv", "@tsv", "@sh", "@base64", "@base64d", "@base32", "@base32d",
    ]

    /// Deeper than jq's functions go.
    static let deepest = "range(12000)"

    private var dice: Dice
    private var variables: [String] = []
    private var labels: [String] = []
    private var definitions: [String] = []

    init(_ dice: Dice) { self.dice = dice }

    mutating func program() -> String { expression(1 + dice.below(6)) }

    private mutating func expression(_ depth: Int) -> String {
        if depth <= 0 { return leaf() }
        let d = depth - 1
        switch dice.below(31) {
        case 0...4: return call(d)
        case 5: return "(\(expression(d)) | \(expression(d)))"
        case 6: return "(\(expression(d)), \(expression(d)))"
        case 7: return "[\(expression(d))]"
        case 8: return "{a: (\(expression(d))), \"b\": (\(expression(d)))}"
        case 9: return "{(\(expression(d))): (\(expression(d)))}"
        case 10: return "(\(expression(d)) \(dice.pick(["+", "-", "*", "/", "%"])) \(expression(d)))"
        case 11: return "(\(expression(d)) \(dice.pick(["==", "!=", "<", "<=", ">", ">="])) \(expression(d)))"
        case 12: return "(\(expression(d)) \(dice.pick(["and", "or", "//"])) \(expression(d)))"
        case 13: return "(\(path(d)) \(dice.pick(["=", "|=", "+=", "-=", "*=", "/=", "%=", "//="])) \(expression(d)))"
        case 14: return "if \(expression(d)) then \(expression(d)) else \(expression(d)) end"
        case 15: return "(try \(leafOr(d)) catch \(leafOr(d)))"
        case 16: return "(\(expression(d)))?"
        case 17: return binding(d)
        case 18: return fold("reduce", d)
        case 19: return fold("foreach", d)
        case 20: return definition(d)
        case 21: return label(d)
        case 22: return "\"x\\(\(expression(d)))y\""
        case 23: return "\(dice.pick(Self.formats)) \"<\\(\(expression(d)))>\""
        case 24: return "limit(\(dice.pick(["0", "1", "3", "-1", "1e18"])); \(expression(d)))"
        case 25: return "path(\(path(d)))"
        case 26: return "[\(path(d))]"
        case 27: return "reduce range(\(dice.pick(["3", "50", "300", "5000"]))) as $i (\(leaf()); \(expression(d)))"
        case 28: return regular(d)
        case 29: return deep(d)
        default: return "\(dice.pick(["first", "last", "isempty", "add", "any", "all"]))(\(expression(d)))"
        }
    }

    private mutating func leafOr(_ depth: Int) -> String { "(\(expression(depth)))" }

    private mutating func leaf() -> String {
        switch dice.below(12) {
        case 0, 1: return "."
        case 2: return dice.pick(["null", "true", "false", "[]", "{}", "empty", "error", "..", ".[]?", "$__loc__"])
        case 3, 4: return "(\(dice.pick(Self.numbers)))"
        case 5: return "\"\(dice.pick(Self.strings))\""
        case 6: return dice.pick(Self.formats)
        case 7: return variables.isEmpty ? ".a" : "$" + dice.pick(variables)
        case 8: return definitions.isEmpty ? ".[0]?" : dice.pick(definitions)
        case 9: return labels.isEmpty ? ".a?" : "break $" + dice.pick(labels)
        default:
            return dice.pick([
                ".a", ".b", ".key", ".[0]", ".[-1]", ".[1:]", ".[:-1]", ".a.b", ".[\"a\"]", ".[nan]?", ".[1e18]?",
            ])
        }
    }

    private mutating func path(_ depth: Int) -> String {
        switch dice.below(8) {
        case 0: return "."
        case 1: return ".[]?"
        case 2: return ".."
        case 3: return ".a[\(dice.pick(Self.numbers))]?"
        case 4: return ".[\(dice.pick(Self.numbers)):\(dice.pick(Self.numbers))]?"
        case 5: return "getpath([\(leaf())])"
        case 6: return depth > 0 ? "(\(path(depth - 1)) | \(path(depth - 1)))" : ".b"
        default: return depth > 0 ? "(\(expression(depth - 1)))" : ".a"
        }
    }

    private mutating func call(_ depth: Int) -> String {
        let function = dice.pick(Self.functions)
        if function.arity == 0 { return function.name }
        let arguments = (0..<function.arity).map { _ in dice.once(in: 3) ? path(depth) : expression(depth - 1) }
        return "\(function.name)(\(arguments.joined(separator: "; ")))"
    }

    /// A value with many levels.
    private mutating func deep(_ depth: Int) -> String {
        let levels =
            dice.once(in: 10) ? Self.deepest : dice.pick(["range(30)", "range(70)", "range(130)", "range(600)"])
        let level = dice.pick(["[.]", "{a: .}", "[., 1]", "[[.], .]", "{a: ., key: [.]}", "[0, .][1:]", "{b: [.]}"])
        let value = "(reduce \(levels) as $_ (\(leaf()); \(level)))"
        switch dice.below(10) {
        case 0: return "\(value) as $x | \(expression(depth)) | $x"
        case 1: return "(\(value) | tojson | fromjson)"
        case 2: return "(\(value) \(dice.pick(["==", "<", "+", "-", "*"])) \(expression(depth)))"
        case 3: return "(\(value) | \(path(depth)) |= \(expression(depth)))"
        case 4:
            return
                "([\(value), \(value)] | \(dice.pick(["sort", "unique", "min", "add", "flatten", "transpose", "tojson"])))"
        case 5:
            return
                "(\(value) | \(dice.pick(["contains", "inside", "index", "has", "walk", "map_values", "del"]))(\(expression(depth))))"
        case 6:
            return
                "(\(value) | \(dice.pick(["flatten", "tostream", "paths", "..", "to_entries", "keys", "length", "@json"])))"
        case 7:
            return
                "(\(dice.pick(["null", value])) | setpath([\(levels) | \(dice.pick(["0", "\"a\"", "-1"]))]; \(leaf())))"
        case 8: return "(\(value) | \(dice.pick(["getpath", "delpaths"]))([[\(levels) | 0]]\(dice.pick(["", "[0]"]))))"
        default: return "(\(value) | \(call(depth)))"
        }
    }

    private mutating func regular(_ depth: Int) -> String {
        let pattern = "\"\(dice.pick(Self.patterns))\""
        let input =
            dice.once(in: 2) ? "tostring" : "(\"\(dice.pick(Self.strings))\" * \(dice.pick(["1", "3", "100", "5000"])))"
        let function = dice.pick(["test", "match", "scan", "splits", "split", "sub", "gsub", "capture", "ascii"])
        switch function {
        case "sub", "gsub": return "\(input) | \(function)(\(pattern); \(expression(depth)))"
        case "split": return "\(input) | split(\(pattern); null)"
        case "ascii": return "\(input) | test(\(pattern); \"gxi\")"
        default: return "\(input) | \(function)(\(pattern))"
        }
    }

    private mutating func binding(_ depth: Int) -> String {
        let source = expression(depth)
        let pattern = dice.pick([
            "$x", "[$x, $y]", "{a: $x}", "{$a, b: [$x]}", "[$x] ?// {a: $x} ?// $x", "{(\"a\", \"b\"): $x}",
        ])
        variables += ["x"]
        defer { variables.removeLast() }
        return "(\(source)) as \(pattern) | \(expression(depth))"
    }

    private mutating func fold(_ word: String, _ depth: Int) -> String {
        let source = expression(depth)
        variables.append("v")
        defer { variables.removeLast() }
        let extract = word == "foreach" && dice.once(in: 2) ? "; \(expression(depth))" : ""
        return "\(word) (\(source)) as $v (\(expression(depth)); \(expression(depth))\(extract))"
    }

    private mutating func definition(_ depth: Int) -> String {
        let name = dice.pick(["f", "g", "h"])
        definitions.append(name)
        let body = expression(depth)
        let rest = expression(depth)
        definitions.removeLast()
        // Only inside it the name is known for certain.
        return "(def \(name): \(body); \(name) | \(rest))".replacing(" \(name)(", with: " map(")
    }

    private mutating func label(_ depth: Int) -> String {
        labels.append("l")
        defer { labels.removeLast() }
        return "(label $l | \(expression(depth)))"
    }
}
