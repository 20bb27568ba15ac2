/// What went wrong, where, and what to do: the only error that crosses plughost's module boundaries.
///
/// The message and the advice are written for the person at the terminal. They contain no secrets, query strings or response
/// bodies.
public struct PlugError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable code such as `page-not-json`; `plughost explain CODE` explains it.
    public var code: Code { parts.code }
    /// The exit status that this error leads to.
    public var exit: ExitStatus { parts.exit }
    /// What happened and where, in one sentence without a final full stop.
    public var message: String {
        get { parts.message }
        set { parts.message = newValue }
    }
    /// What a service or a program has said about it, in its own words. They may contain personal data, so they are in neither
    /// the message nor the description and are neither logged nor stored; `quoted` is for those who may see them.
    public internal(set) var quote: String? {
        get { parts.quote }
        set { parts.quote = newValue }
    }
    /// What the reader can do about it.
    public var advice: String? {
        get { parts.advice }
        set { parts.advice = newValue }
    }
    /// The stream in which it happened.
    public var stream: String? {
        get { parts.stream }
        set { parts.stream = newValue }
    }
    /// How much of a run it ends.
    public var reach: Reach {
        get { parts.reach }
        set { parts.reach = newValue }
    }
    /// When it makes sense to try again, in microseconds since 1970, if known.
    public var retryAt: Int64? {
        get { parts.retryAt }
        set { parts.retryAt = newValue }
    }
    /// Whether every connection of the plug would meet it now, not just this one.
    public var concernsPlug: Bool {
        get { parts.concernsPlug }
        set { parts.concernsPlug = newValue }
    }

    /// The parts are behind one pointer: everything that may hold an error (an outcome, an event, an async function's frame)
    /// reserves room for it, and errors are few.
    private var box: Box
    private var parts: Parts {
        get { box.parts }
        set { box = Box(newValue) }
    }

    private struct Parts: Sendable, Equatable {
        let code: Code
        let exit: ExitStatus
        var message: String
        var quote: String?
        var advice: String?
        var stream: String?
        var reach: Reach
        var retryAt: Int64?
        var concernsPlug = false
    }

    private final class Box: Sendable {
        let parts: Parts
        init(_ parts: Parts) { self.parts = parts }
    }

    /// Whether both say the same.
    public static func == (one: PlugError, other: PlugError) -> Bool { one.parts == other.parts }

    /// How much of a run an error ends.
    public enum Reach: Sendable, Equatable {
        /// One request or one batch: those that follow may fare better.
        case item
        /// One stream.
        case stream
        /// The run: nothing else in this connection would fare better now.
        case run
    }

    /// Describes an error that ends as its code says. A code without an exit status, used only for warnings or dead letters,
    /// counts as failed.
    ///
    /// - Parameter reach: `nil` for what the exit status suggests: wrong data ends a stream, anything else the run.
    public init(
        _ code: Code,
        _ message: String,
        advice: String? = nil,
        stream: String? = nil,
        reach: Reach? = nil
    ) {
        self.init(code: code, exit: code.exit ?? .failed, message, advice, stream, reach)
    }

    /// Describes an error whose code leaves the exit status open.
    ///
    /// - Parameter reach: `nil` for what the exit status suggests: wrong data ends a stream, anything else the run.
    public init(
        _ code: Code.Open,
        exit: ExitStatus,
        _ message: String,
        advice: String? = nil,
        stream: String? = nil,
        reach: Reach? = nil
    ) {
        self.init(code: code.code, exit: exit, message, advice, stream, reach)
    }

    private init(
        code: Code,
        exit: ExitStatus,
        _ message: String,
        _ advice: String?,
        _ stream: String?,
        _ reach: Reach?
    ) {
        box = Box(
            Parts(
                code: code,
                exit: exit,
                message: message,
                advice: advice,
                stream: stream,
                reach: reach ?? (exit == .data || exit == .failed ? .stream : .run)
            )
        )
    }

    /// `error: [code] message` with the stream and the advice.
    public var description: String {
        let place = stream.map { "stream '\($0)': " } ?? ""
        let help = advice.map { "\n  help: \($0)" } ?? ""
        return "error: [\(code)] \(place)\(message)\(help)"
    }

    /// The same error, with the time from which another try makes sense.
    public func retrying(at microseconds: Int64) -> PlugError {
        var copy = self
        copy.retryAt = microseconds
        return copy
    }

    /// The same error, with the stream in which it happened unless one is set already.
    public func inStream(_ name: String) -> PlugError {
        var copy = self
        copy.stream = stream ?? name
        return copy
    }
}

extension PlugError {
    /// The error of a run that was ended by a signal or its caller.
    public static var interrupted: PlugError {
        PlugError(
            .interrupted,
            "the run was interrupted",
            advice: "nothing is lost: the next run continues where this one stopped"
        )
    }

    /// The error of a run for which there is not enough memory.
    ///
    /// - Parameter what: What could not be read.
    public static func memoryShort(_ what: String) -> PlugError {
        PlugError(
            .memoryShort,
            "there is not enough memory to read \(what)",
            advice: "give the process more memory, or let it do less at a time; nothing is lost: run it again"
        )
    }
}
