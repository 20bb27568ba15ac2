internal import Glibc
internal import JQ
internal import LosslessJSON
internal import PlugCore

/// A jq filter over the documents in files, each result written as it comes.
struct FilterRun {
    struct Style {
        var isCompact = false
        var isRaw = false
        var joins = false
    }

    let filter: String
    let program: JQProgram
    let globals: JQGlobals
    let style: Style
    let context: CommandContext

    /// - Throws: `PlugError` `jq-filter` (usage), with the place in the filter.
    init(
        _ filter: String,
        arguments: [(name: String, value: JSONValue)],
        style: Style,
        context: CommandContext
    ) throws(PlugError) {
        do {
            program = try JQProgram(filter, globals: arguments.map(\.name))
        } catch {
            let caret = Self.caret(filter, error.range)
            throw PlugError(.jqFilter, "\(error.message)\(caret)", advice: error.help)
        }
        self.filter = filter
        globals = JQGlobals(arguments.map(\.value))
        self.style = style
        self.context = context
    }

    /// A program that is already compiled.
    init(_ program: JQProgram, globals: JQGlobals, style: Style, context: CommandContext) {
        (filter, self.program, self.globals) = (program.source, program, globals)
        (self.style, self.context) = (style, context)
    }

    /// Runs the filter once on a value.
    ///
    /// - Parameter place: The place of the filter and its input, for errors.
    /// - Returns: Whether it succeeded; an error has been reported, and the next input may follow, as in jq.
    func apply(_ input: JQInput, at place: String? = nil) -> Bool {
        do {
            try program.forEach(input, globals: globals, limits: JQLimits(depth: Self.depth)) { output in
                write(output)
                // The reader has gone away: nothing more is computed.
                if context.output.isClosed { throw CancellationError() }
            }
        } catch let error as JQError {
            let caret = error.offset.map { Self.caret(filter, $0..<$0 + 1) } ?? ""
            context.tell(PlugError(.jqFailed, "\(place.map { "\($0): " } ?? "")\(error.message)\(caret)"))
            return false
        } catch {}
        return true
    }

    /// The depth that jq writes.
    private static let depth = 10_000

    private func write(_ output: JQOutput) {
        if style.isRaw, let text = output.text {
            context.output.write(context.outputIsTerminal ? PrettyJSON.safe(text) : text)
        } else {
            var bytes: [UInt8] = []
            output.append(to: &bytes)
            let printer = PrettyJSON(isForTerminal: context.outputIsTerminal)
            printer.write(bytes, isCompact: style.isCompact) { context.output.write($0) }
        }
        if !style.joins { context.output.write("\n") }
    }

    /// The filter's line with a caret below the place.
    private static func caret(_ filter: String, _ range: Range<Int>) -> String {
        let scalars = Array(filter.unicodeScalars)
        let before = scalars.prefix(range.lowerBound)
        let lineStart = before.lastIndex(of: "\n").map { $0 + 1 } ?? 0
        let line = scalars[lineStart...].prefix { $0 != "\n" }
        let margin = String(repeating: " ", count: before.count - lineStart)
        let length = max(1, min(range.count, lineStart + line.count - before.count))
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: line)
        return "\n    \(String(shown))\n    \(margin)^\(String(repeating: "~", count: length - 1))"
    }
}
