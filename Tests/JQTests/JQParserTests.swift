import LosslessJSON
import Testing

@testable import JQ

struct JQParserTests {
    @Test func aFieldIsAnIndexByALiteralString() throws {
        let program = try JQProgram(".a")
        guard case .index(let target, let key) = program.syntax.node, case .identity = target.node,
            case .literal(let name) = key.node
        else {
            Issue.record("not an index")
            return
        }
        #expect(name == .text("a"))
        #expect(program.syntax.range == 0..<2)
    }
}
