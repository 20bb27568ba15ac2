/// Damages programs that are right, which finds what a grammar would never write.
struct Mutation {
    static let corpus = #"""
        .items[] | select(.kind == "a" and (.tags | index("x"))) | {id, name: .name // "none"}
        [.[] | {id: .id, playedAt: .played_at, artists: [.track.artists[].name]}]
        reduce .[] as {a: $x, b: [$y]} ({}; .[$x | tostring] += [$y]) | to_entries | sort_by(.key)
        def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; [range(10) | fac]
        . as [$a, {b: $c}] ?// {a: $a} | [$a, $c]
        [paths(type == "number")] as $p | delpaths($p) | [leaf_paths | join(".")?]
        "a,b, c" | split(", *"; null) | map(ascii_upcase) | @csv, @tsv, @sh
        with_entries(select(.value != null) | .value |= (tostring | ltrimstr("a")))
        label $out | foreach .[]? as $x (0; . + 1; if . > 3 then ., break $out else . end)
        try (tojson | fromjson | walk(if type == "object" then del(.a) else . end)) catch .
        .a.b[2:4] = ["x"] | .c[-1:] |= map(. + 1) | .d //= {} | .e += 5
        "2015-03-05T23:51:47Z" | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime | todate
        [limit(5; repeat(. * 2)?)] + [first(range(10; 0; -3))] | group_by(. % 2) | unique_by(length) | flatten(1)
        tostream | select(length == 2) | .[0] |= map(tostring) | @json "x\(.)y"
        getpath(["a", 0, "b"]) as $v | setpath(["z"]; $v) | pick(.z, .a[0])
        [match("(?<k>[a-z]+)(?<n>[0-9]*)"; "g") | .captures | map({(.name): .string}) | add] | transpose?
        input_line_number? // env? // $__loc__ // ltrimstr("x") // splits("a")
        [.[]? | ascii?, explode?, implode?, @base64?, @base64d?, @uri?, tonumber?, length?]
        def f(g; $n): def h: if $n > 0 then g, f(g; $n - 1) else empty end; h; [f(.[]?; 3)] | add
        any(.[]; . == 1) or all(.a; not) | if . then "x" elif 1 then [1] else {} end | -1 * 2 - -3
        """#.split(separator: "\n").map(String.init)

    private static let pieces = [
        "|", ",", "(", ")", "[", "]", "{", "}", ".", "..", "?", "//", "as", "$x", "def f:", ";", "if", "then", "end",
        "\"",
        "\\(", "1e9", "-", "reduce", "try", "catch", "@base32d", "?//", "|=", "label $a |", "break $a", ":", "and",
        "not",
        "limit(3;", "path(", "\u{0}", "é", "#", "::", "$__loc__", "foreach", "import", "1.e5", ".5.", "elif", "else",
    ]

    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    mutating func program() -> String {
        var words = dice.pick(Self.corpus).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for _ in 0...dice.below(4) {
            let at = dice.below(words.count)
            switch dice.below(6) {
            case 0: words.remove(at: at)
            case 1: words.insert(words[at], at: dice.below(words.count))
            case 2: words.insert(dice.pick(Self.pieces), at: at)
            case 3: words.swapAt(at, dice.below(words.count))
            case 4: words[at] = String(words[at].dropLast(1 + dice.below(3)))
            default:
                let other = dice.pick(Self.corpus).split(separator: " ").map(String.init)
                words.insert(contentsOf: other.dropFirst(dice.below(other.count)), at: at)
            }
            if words.isEmpty { words = ["."] }
        }
        return words.joined(separator: " ")
    }
}
