/// Makes inputs as sources under attack may send them, always JSON.
struct InputMaker {
    private static let numbers = [
        "0", "-0", "1", "-1", "0.1", "1.10", "1e1000", "-1e1000", "1e-1000", "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808", "12345678901234567890.123", "1e18", "1E+2", "253402300800", "-100000000000000", "1e308",
        "0.30000000000000004", "123456789012345678901234567890123456789012345678901234567890",
    ]

    /// As deep as inputs are.
    static let depth = 10_000

    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    mutating func text() -> String {
        switch dice.below(20) {
        case 0: return nested(dice.once(in: 4) ? Self.depth : 120)
        case 1: return "[" + (0..<(1 + dice.below(1_500))).map { "\($0 % 7)" }.joined(separator: ",") + "]"
        case 2:
            return "[" + (0..<dice.below(300)).map { #"{"a":\#($0 % 5),"key":"k\#($0)"}"# }.joined(separator: ",") + "]"
        case 3: return "{" + (0..<dice.below(400)).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        case 4:
            return "\"\(String(repeating: dice.pick(["a", " ", "é", "\\u0000", "ab "]), count: dice.below(3_000)))\""
        case 5: return String(repeating: "9", count: 1 + dice.below(2_000))
        default: return value(1 + dice.below(4))
        }
    }

    private mutating func nested(_ depth: Int) -> String {
        let levels = dice.below(depth)
        let isArray = dice.once(in: 2)
        let (open, close) = isArray ? ("[", "]") : (#"{"a":"#, "}")
        return String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
    }

    private mutating func value(_ depth: Int) -> String {
        switch dice.below(depth > 0 ? 9 : 5) {
        case 0: return dice.pick(["null", "true", "false"])
        case 1, 2: return dice.pick(Self.numbers)
        case 3, 4: return string()
        case 5, 6: return "[" + (0..<dice.below(5)).map { _ in value(depth - 1) }.joined(separator: ",") + "]"
        default:
            // A key may be there twice.
            let members = (0..<dice.below(5)).map { _ in
                "\(dice.once(in: 3) ? string() : dice.pick([#""a""#, #""b""#, #""key""#])):\(value(depth - 1))"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private mutating func string() -> String { "\"\(dice.pick(ProgramMaker.strings))\"" }
}
