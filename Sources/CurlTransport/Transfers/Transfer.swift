import CLibCURL
import LosslessJSON
import Synchronization

/// One request in flight.
///
/// - Note: `@unchecked Sendable` proof: the constants are Sendable, `cancelWish` is atomic, and every variable is touched only by
///   the loop's thread, in orders from the inbox and in callbacks that libcurl makes on that thread. The task that created it
///   uses only the constants once it has been posted.
final class Transfer: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    let request: HTTPRequest
    let url: HTTPURL
    let guarding: AddressGuard
    let headers: HeaderText
    let cancelWish = Atomic(false)
    /// The longest silences before and during the response, in nanoseconds.
    private let silence: (firstByte: Int64, idle: Int64)

    // MARK: The loop's thread only
    var continuation: Continuation?
    var handle: TransferHandle?
    var list: CurlList?
    /// `nil` once the caller has been resumed.
    var reader: ResponseReader?
    /// How much of the body has been sent.
    var bodyOffset = 0
    /// How often libcurl has begun to send the request.
    var attempts = 0
    /// When bytes last moved, on the monotonic clock.
    var lastActivity: Int64 = 0
    /// Bytes transferred since the deadline was last extended.
    private var unnotedBytes: Int64 = 0
    /// Whether any part of a response has arrived.
    var hasAnswer = false
    /// Why one of the addresses was not dialled.
    var refusal: HTTPError.Code?
    /// Whether any address was dialled.
    var hasDialled = false
    /// Why a callback ended the transfer.
    var failure: HTTPError?

    /// Checks everything that can be checked before the first byte is sent.
    init(request: HTTPRequest, url: HTTPURL, policy: NetworkPolicy) throws(HTTPError) {
        guarding = AddressGuard(url: url, side: request.side, policy: policy)
        try guarding.check()
        guard HeaderText.isToken(request.method), request.method != "CONNECT" else {
            throw HTTPError(.invalidRequest, "a request has a method that cannot be sent")
        }
        self.request = request
        self.url = url
        headers = try HeaderText(of: request, userAgent: policy.userAgent)
        reader = ResponseReader(request)
        silence = (request.timeouts.firstByte.nanoseconds, request.timeouts.idle.nanoseconds)
    }

    /// Whether libcurl may resend it automatically: attempts are not counted, and sending it twice has no further effect.
    var mayBeResent: Bool {
        !request.isSentOnce && ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(request.method)
    }

    /// When it fails for lack of bytes; `nil` while connecting, which libcurl times itself.
    var deadline: Int64? {
        guard attempts > 0 else { return nil }
        return lastActivity &+ (hasAnswer ? silence.idle : silence.firstByte)
    }

    /// Records a failure for which a callback is about to end the transfer.
    func refuse(_ refusal: ResponseReader.Refusal) {
        failure = HTTPError(refusal.code, "\(url.hostAndPort) \(refusal.text)", mayHaveArrived: true)
    }

    /// The minimum transfer rate, in bytes a second, measured over the longest permitted silence: a server that sends a byte now
    /// and then holds no one up for longer than a silent one.
    static let minimumRate: Int64 = 128

    /// Counts bytes of a body that were sent or received. They extend the deadline once there are enough of them.
    func noteBytes(_ count: Int) {
        unnotedBytes += Int64(count)
        let milliseconds = min(silence.idle / 1_000_000, 1 << 40)
        guard unnotedBytes * 1000 >= milliseconds * Self.minimumRate else { return }
        unnotedBytes = 0
        lastActivity = CurlLibrary.monotonicNow()
    }

    /// Gives up its handle, which must not be in the multi handle.
    func release() {
        handle?.clear()
        (handle, list) = (nil, nil)
    }

    /// Resumes the caller, once. The file of a body that is not handed over has been deleted by then.
    func resume(_ result: Result<HTTPResponse, HTTPError>) {
        reader = nil
        continuation?.resume(returning: result)
        continuation = nil
    }
}

extension Duration {
    /// Whole nanoseconds, at most a century.
    var nanoseconds: Int64 {
        let seconds = min(max(0, components.seconds), 3_000_000_000)
        return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
