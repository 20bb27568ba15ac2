package import PlugCore

/// Something that happens while a source is read, for a progress line, `--dry-run` and the log.
///
/// Addresses come without their query and with configured secrets redacted.
package struct FetchEvent: Sendable, Equatable {
    /// What happened.
    package enum Kind: Sendable, Equatable {
        /// A request was answered, whatever the status; `bytes` is the size of the decompressed body.
        case answered(method: String, url: String, status: Int, bytes: Int, duration: Duration)
        /// A request was sent and no usable answer came back.
        case unanswered(method: String, url: String, reason: String)
        /// Nothing is sent before `until`, in microseconds since 1970.
        case waiting(reason: WaitReason, until: Int64)
        /// Something worth a person's attention; reading continues.
        case warning(code: PlugError.Code, message: String)
    }

    /// Why nothing is sent for a while.
    package enum WaitReason: String, Sendable {
        /// The source said when to come back.
        case retryAfter = "retry-after"
        /// The last attempt failed.
        case backoff
        /// A rate limit of the manifest.
        case rate
    }

    /// The stream it concerns; empty if it concerns all of them.
    package var stream: String
    /// What happened.
    package var kind: Kind

    /// An event.
    package init(stream: String, _ kind: Kind) {
        self.stream = stream
        self.kind = kind
    }

    /// Where it happened, for messages; `nil` if it concerns all streams.
    package var place: String? { stream.isEmpty ? nil : "stream '\(stream)'" }
}
