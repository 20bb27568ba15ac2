/// Programs that rename the members of a record. Objects in lists are unchanged, as in the engine.
enum KeyPrograms {
    /// Defines `renamed`, with `$new` in place of `$old`.
    static let replacing =
        "def renamed: with_entries((.key |= (split($old) | join($new))) "
        + "| if .value | type == \"object\" then .value |= renamed else . end)"

    /// Defines `renamed`: words in lower case, joined with `_`. Letters beyond ASCII count as lower case; the engine writes them
    /// in ASCII.
    static let snakeCase =
        #"def snake: [match("[A-Z]+[a-z\\x{80}-\\x{10FFFF}]*|[a-z\\x{80}-\\x{10FFFF}]+|[0-9]+|"#
        + #"[^A-Za-z0-9\\x{80}-\\x{10FFFF}]+"; "g").string "#
        + #"| if test("^[A-Za-z0-9\\x{80}-\\x{10FFFF}]") then . else "" end] "#
        + #"| if length >= 3 then .[:1] + (.[1:-1] | map(select(. != ""))) + .[-1:] else . end "#
        + #"| if (.[0] // "") | test("^[0-9]+$") then [""] + . else . end | map(ascii_downcase) | join("_"); "#
        + #"def renamed: with_entries((.key |= snake) | if .value | type == "object" then .value |= renamed else . end)"#

    /// Defines `flat($lists)`, which leaves no nested objects. A member keeps its own name until another one has it, or a list
    /// was found. Members are taken from the end, as the engine does: this decides which of two keeps its name.
    static let flat =
        #"def flat($lists): {todo: [[., "_"]], done: {}, long: false} | until(.todo == []; .todo[-1] as [$value, $name] "#
        + #"| .todo |= .[:-1] | if $value | type == "object" then reduce ($value | to_entries[]) as $e (.; "#
        + #".todo += [[$e.value, (if .long or (.done | has($e.key)) then "\($name).\($e.key)" else $e.key end)]]) "#
        + #"elif $lists and ($value | type == "array") then reduce range($value | length) as $i (.; .long = true "#
        + #"| .todo += [[$value[$i], "\($name).\($i)"]]) else .done[$name] = $value end) | .done"#
}
