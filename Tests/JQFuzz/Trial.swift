import JQ
import LosslessJSON

/// One program on one input, both made from a seed.
struct Trial {
    let source: String
    let input: String

    /// Small, so that many trials fit in a second, and one that takes longer than it may is seen.
    static let limits = JQLimits(steps: 30_000, bytes: 4 << 20, time: .seconds(20))

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        if dice.once(in: 4) {
            var mutation = Mutation(Dice(seed: dice.next()))
            source = mutation.program()
        } else {
            var maker = ProgramMaker(Dice(seed: dice.next()))
            source = maker.program()
        }
        var maker = InputMaker(Dice(seed: dice.next()))
        input = maker.text()
    }

    /// Runs the program on the value as a tree and on the value in its document.
    ///
    /// - Returns: What is wrong, `nil` where all is well: errors of programs are.
    func fault() -> String? {
        let program: JQProgram
        do { program = try JQProgram(source) } catch { return nil }
        let document: JSONDocument
        do { document = try JSONDocument(bytes: Array(input.utf8)) } catch { return "the input is no JSON: \(error)" }
        let before = JQLimits.processorTime()
        let view = answer(program, JQInput(document.root))
        let middle = JQLimits.processorTime()
        let tree = answer(program, JQInput(document.root.value))
        let longest = max(middle - before, JQLimits.processorTime() - middle)
        if longest > .seconds(15) { return "took \(longest)" }
        // Where a limit was met, one form may have come further than the other.
        if view.isLimited || tree.isLimited { return nil }
        if view.text != tree.text {
            return "gives\n  \(view.text.prefix(2_000))\nin its document, and\n  \(tree.text.prefix(2_000))\nas a tree"
        }
        return nil
    }

    private func answer(_ program: JQProgram, _ input: JQInput) -> (text: String, isLimited: Bool) {
        do throws(JQError) {
            var text = ""
            for output in try program.run(input, limits: Self.limits) {
                let own = output.json.compactText
                var bytes: [UInt8] = []
                output.append(to: &bytes)
                var canonical = CanonicalJSON()
                output.append(to: &canonical)
                var expected = CanonicalJSON()
                expected.append(output.json)
                if canonical.bytes != expected.bytes { return ("the canonical form differs for \(own)", false) }
                if JSONValue(lenient: bytes) != output.json { return ("the text differs for \(own)", false) }
                text += own + "\n"
            }
            return (text, false)
        } catch {
            if case .thrown = error.kind { return (error.message, false) }
            return (error.message, true)
        }
    }
}

extension JSONValue {
    /// Reads what the engine wrote, which may be nested as deep as input and engine together.
    fileprivate init?(lenient bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(depth: 300)) else { return nil }
        self = value
    }
}
