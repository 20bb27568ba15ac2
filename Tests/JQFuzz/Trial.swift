import JQ
import LosslessJSON

/// One program on one input, both made from a seed.
struct Trial {
    let source: String
    let input: String
    private let limits: JQLimits
    private let program: JQProgram?

    /// Seeds of one program, each with an input of its own: to make and compile a program takes as long as to run it.
    private static let inputs: UInt64 = 4

    /// - Parameter last: The trial before this one, whose program may be this one's.
    init(seed: UInt64, after last: (seed: UInt64, trial: Trial)? = nil) {
        let number = seed / Self.inputs
        var dice = Dice(seed: seed)
        var maker = InputMaker(Dice(seed: dice.next()))
        input = maker.text()
        if let last, last.seed / Self.inputs == number {
            (source, limits, program) = (last.trial.source, last.trial.limits, last.trial.program)
            return
        }
        dice = Dice(seed: number)
        if dice.once(in: 4) {
            var mutation = Mutation(Dice(seed: dice.next()))
            source = mutation.program()
        } else {
            var maker = ProgramMaker(Dice(seed: dice.next()))
            source = maker.program()
        }
        // Most are short: what goes round and round for longer shows nothing new, and what takes longer than it may is
        // seen as well. Those that make deep values get there.
        let isLong = source.contains(ProgramMaker.deepest)
        let steps = isLong ? 300_000 : dice.once(in: 16) ? 30_000 : 1_500
        limits = JQLimits(steps: steps, bytes: isLong ? 8 << 20 : 1 << 20, depth: 128, time: .seconds(20))
        program = try? JQProgram(source)
    }

    /// Runs the program on the value as a tree and on the value in its document.
    ///
    /// - Returns: What is wrong, `nil` where all is well: errors of programs are.
    func fault() -> String? {
        guard let program else { return nil }
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes: Array(input.utf8), limits: JSONLimits(depth: InputMaker.depth))
        } catch { return "the input is no JSON: \(error)" }
        let isDeep = (try? JSONDocument(bytes: Array(input.utf8))) == nil
        let before = JQLimits.processorTime()
        let view = isDeep ? deepAnswer(program, JQInput(document.root)) : answer(program, JQInput(document.root))
        let middle = JQLimits.processorTime()
        if middle - before > .seconds(15) { return "took \(middle - before)" }
        // What is so deep is no tree.
        if isDeep { return view.fault }
        let tree = answer(program, JQInput(document.root.value))
        let time = JQLimits.processorTime() - middle
        if time > .seconds(15) { return "took \(time) as a tree" }
        if let fault = view.fault ?? tree.fault { return fault }
        // Where a limit was met, one form may have come further than the other.
        if view.isLimited || tree.isLimited || view.text == tree.text { return nil }
        return "gives\n  \(view.text.prefix(2_000))\nin its document, and\n  \(tree.text.prefix(2_000))\nas a tree"
    }

    private struct Answer {
        var text = ""
        var isLimited = false
        var fault: String?

        mutating func end(with error: JQError) {
            text = error.message
            if case .thrown = error.kind { isLimited = false } else { isLimited = true }
        }
    }

    private func answer(_ program: JQProgram, _ input: JQInput) -> Answer {
        var answer = Answer()
        do throws(JQError) {
            for output in try program.run(input, limits: limits) {
                let own = output.json.compactText
                var bytes: [UInt8] = []
                output.append(to: &bytes)
                var canonical = CanonicalJSON()
                output.append(to: &canonical)
                var expected = CanonicalJSON()
                expected.append(output.json)
                if canonical.bytes != expected.bytes { answer.fault = "the canonical form differs for \(own)" }
                if JSONValue(lenient: bytes) != output.json { answer.fault = "the text differs for \(own)" }
                answer.text += own + "\n"
            }
        } catch { answer.end(with: error) }
        return answer
    }

    /// As much text of deep outputs is read again: `recurse` of a deep value has outputs in the square of its depth.
    private static let readAgain = 1 << 20

    /// Outputs too deep for a tree are written, and read again.
    private func deepAnswer(_ program: JQProgram, _ input: JQInput) -> Answer {
        var answer = Answer()
        do throws(JQError) {
            var limits = limits
            limits.depth = InputMaker.depth
            var left = Self.readAgain
            for output in try program.run(input, limits: limits) where left > 0 {
                var bytes: [UInt8] = []
                output.append(to: &bytes)
                left -= bytes.count
                do { _ = try JSONDocument(bytes: bytes, limits: JSONLimits(depth: InputMaker.depth)) } catch {
                    if String(decoding: bytes, as: UTF8.self).contains("<skipped: too deep>") { continue }
                    answer.fault = "the text of an output is no JSON: \(error)"
                }
            }
        } catch { answer.end(with: error) }
        return answer
    }
}

extension JSONValue {
    /// Reads what the engine wrote, which may be nested as deep as input and engine together.
    fileprivate init?(lenient bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(depth: 300)) else { return nil }
        self = value
    }
}
