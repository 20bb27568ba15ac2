/// What went wrong, where, and what to do: the one error that crosses the walls between plughost's modules.
///
/// The message and the advice are written for the person at the terminal. They hold no secret, no query string and no
/// body of an answer.
public struct PlugError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable code such as `page-not-json`; `plughost explain CODE` tells more.
    public let code: Code
    /// The exit status that this error leads to.
    public let exit: ExitStatus
    /// What happened and where, in one sentence without a final full stop.
    public var message: String
    /// What a service or a program has said about it, in its own words. They may hold anything of a person: neither the message
    /// nor the description has them, so that they are neither logged nor kept; `quoted` is for those who may see them.
    public internal(set) var quote: String?
    /// What the reader can do about it.
    public var advice: String?
    /// The stream in which it happened.
    public var stream: String?
    /// How much of a run it ends.
    public var reach: Reach
    /// When it makes sense to try again, in microseconds since 1970, where somebody has said so.
    public var retryAt: Int64?
    /// Whether every connection of the plug would meet it now, and not this one alone.
    public var concernsPlug = false

    /// How much of a run an error ends.
    public enum Reach: Sendable, Equatable {
        /// One request or one batch: what comes after it may fare better.
        case item
        /// One stream.
        case stream
        /// The run: nothing of this connection would fare better now.
        case run
    }

    /// Describes an error that ends as its code says. A code without an exit status, which is only a warning's or a
    /// dead letter's, counts as failed.
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

    /// Describes an error whose code leaves its exit status open.
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
        self.reach = reach ?? (exit == .data || exit == .failed ? .stream : .run)
        self.code = code
        self.exit = exit
        self.message = message
        self.advice = advice
        self.stream = stream
    }

    /// `error: [code] message` with the stream and the advice.
    public var description: String {
        let place = stream.map { "stream '\($0)': " } ?? ""
        let help = advice.map { "\n  help: \($0)" } ?? ""
        return "error: [\(code)] \(place)\(message)\(help)"
    }

    /// The same error, with the time from which on another try makes sense.
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
    /// The error of a run that a signal or its caller ended.
    public static var interrupted: PlugError {
        PlugError(
            .interrupted,
            "the run was interrupted",
            advice: "nothing is lost: the next run continues where this one stopped"
        )
    }
}
