package import LosslessJSON

/// A node of a parsed program: its kind and its place.
///
/// A program made only of paths is a chain of `identity`, `index` with a literal key, `slice` with literal bounds,
/// `iterate`, `attempt` and `pipe`; `.a.b[0]` is `index(index(index(identity, "a"), "b"), 0)`, and `.a | .b` is
/// `pipe(index(identity, "a"), index(identity, "b"))`.
package struct JQSyntax: Sendable {
    /// What the node is.
    package let node: Node
    /// Its place, in Unicode scalars of the source.
    package let range: Range<Int>
    /// The depth of the tree below it, itself included.
    let depth: Int

    /// The kinds of nodes. Every child is a whole program of its own that reads the same input unless it says otherwise.
    package indirect enum Node: Sendable {
        /// `.`
        case identity
        /// `..`
        case recursion
        /// A number, a string without interpolation, or `null`, `true`, `false`.
        case literal(JSONValue)
        /// `T.name`, `T."name"`, `T[KEY]`: `.a` has the target `identity` and the key `literal(string)`, `.[0]` the key
        /// `literal(number)`, `.[-1]` the key `negation(literal(number))`. The key reads the input, not the target's output.
        case index(JQSyntax, key: JQSyntax)
        /// `T[FROM:TO]`, either bound may be missing.
        case slice(JQSyntax, from: JQSyntax?, to: JQSyntax?)
        /// `T[]`
        case iterate(JQSyntax)
        /// `T?`: the outputs up to an error, which is dropped. If T is an index, a slice or an iteration, only errors of that
        /// last step are dropped: `.a.b?` still fails if `.a` does. `(T)?` is `trying` without a handler.
        case attempt(JQSyntax)
        /// `A | B`: B reads each output of A.
        case pipe(JQSyntax, JQSyntax)
        /// `A, B`
        case comma(JQSyntax, JQSyntax)
        /// `[A]` or `[]`
        case array(JQSyntax?)
        /// `{…}`: the entries in order; keys are programs too (`literal(string)` for `a:` and `"a":`).
        case object([Entry])
        /// `"a\(B)c"`, `@base64 "…"`: texts and programs in order, `format` is `@base64` or `nil`.
        case interpolation(format: String?, [Part])
        /// `@base64` on its own, with the `@`.
        case format(String)
        /// `-A`
        case negation(JQSyntax)
        /// `A + B`, `A < B` and so on.
        case binary(Operator, JQSyntax, JQSyntax)
        /// `A and B`
        case and(JQSyntax, JQSyntax)
        /// `A or B`
        case or(JQSyntax, JQSyntax)
        /// `A // B`
        case alternative(JQSyntax, JQSyntax)
        /// `PATHS = B`, `PATHS |= B`, `PATHS += B` and so on.
        case update(Update, JQSyntax, JQSyntax)
        /// `if A then B elif C then D else E end`; without `else` the input itself.
        case condition([Branch], otherwise: JQSyntax?)
        /// `try A catch B`
        case trying(JQSyntax, handler: JQSyntax?)
        /// `reduce A as PATTERN (INITIAL; UPDATE)`
        case reduce(JQSyntax, Pattern, initial: JQSyntax, update: JQSyntax)
        /// `foreach A as PATTERN (INITIAL; UPDATE; EXTRACT)`
        case foreach(JQSyntax, Pattern, initial: JQSyntax, update: JQSyntax, extract: JQSyntax?)
        /// `A as PATTERN ?// PATTERN | BODY`
        case binding(JQSyntax, [Pattern], body: JQSyntax)
        /// `def NAME(PARAMETERS): BODY; REST`
        case definition(Definition, rest: JQSyntax)
        /// `label $NAME | BODY`
        case label(String, body: JQSyntax)
        /// `break $NAME`
        case breakTo(String)
        /// `$name`, without the `$`.
        case variable(String)
        /// `name` or `name(A; B)`: a builtin, a definition, a parameter, a global or a function of the host.
        case call(String, [JQSyntax])
    }

    /// A member of an object construction.
    package struct Entry: Sendable {
        /// The key.
        package let key: JQSyntax
        /// The value; `{a}` has `index(identity, "a")` and `{$a}` has `variable("a")`.
        package let value: JQSyntax
    }

    /// A piece of an interpolated string.
    package enum Part: Sendable {
        /// Literal text.
        case text(String)
        /// `\(A)`
        case program(JQSyntax)
    }

    /// `if A then B`
    package struct Branch: Sendable {
        /// The condition.
        package let condition: JQSyntax
        /// The program to run if it holds.
        package let body: JQSyntax
    }

    /// Operators with two values.
    package enum Operator: String, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case modulo = "%"
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// Operators that change the values at paths.
    package enum Update: Sendable {
        /// `=`
        case assign
        /// `|=`
        case modify
        /// `+=`, `-=`, `*=`, `/=`, `%=`
        case arithmetic(Operator)
        /// `//=`
        case alternative
    }

    /// A destructuring pattern.
    package indirect enum Pattern: Sendable {
        /// `$name`
        case variable(String)
        /// `[A, B]`
        case array([Pattern])
        /// `{a: P, $b, $c: P, (E): P}`
        case object([PatternEntry])
    }

    /// A member of an object pattern.
    package struct PatternEntry: Sendable {
        /// The variable of `$b` and `$c: P`, bound to the member itself.
        package let variable: String?
        /// The key.
        package let key: JQSyntax
        /// The pattern that destructures the member.
        package let pattern: Pattern?
    }

    /// `def NAME(PARAMETERS): BODY;`
    package struct Definition: Sendable {
        /// The name.
        package let name: String
        /// The parameters, `$x` with its dollar sign.
        package let parameters: [String]
        /// The body.
        package let body: JQSyntax
    }
}
