import CLibCURL
import Glibc
import LosslessJSON

/// What libcurl calls while a transfer runs: on the loop's thread, inside curl_multi_perform, with the transfer's handle as the
/// context. The loop holds both until the handle is removed from the multi handle, so the context is always alive.
extension Transfer {
    /// A header line. Returning any number but its size ends the transfer.
    static let onHeader: plughost_curl_data_callback = { bytes, size, count, context in
        guard let transfer = Transfer.from(context) else { return 0 }
        if !transfer.hasAnswer {
            transfer.lastActivity = CurlLibrary.monotonicNow()
            transfer.hasAnswer = true
            transfer.handle?.sweep.note(transfer.deadline)
        }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        transfer.noteBytes(line.count)
        if let refusal = transfer.reader?.header(line) {
            transfer.refuse(refusal)
            return 0
        }
        return line.count
    }

    /// A piece of the body. Returning any number but its size ends the transfer.
    static let onWrite: plughost_curl_data_callback = { bytes, size, count, context in
        guard let transfer = Transfer.from(context) else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        transfer.noteBytes(piece.count)
        if let refusal = transfer.reader?.piece(piece) {
            transfer.refuse(refusal)
            return 0
        }
        return piece.count
    }

    /// Wants bytes of the request's body. 0 means that it is complete.
    static let onRead: plughost_curl_data_callback = { bytes, size, count, context in
        guard let transfer = Transfer.from(context), let bytes, let body = transfer.request.body else { return 0 }
        transfer.lastActivity = CurlLibrary.monotonicNow()
        let length = min(size * count, body.count - transfer.bodyOffset)
        guard length > 0 else { return 0 }
        body.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: bytes, count: length)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[transfer.bodyOffset...].prefix(length)))
        }
        transfer.bodyOffset += length
        return length
    }

    /// Wants to restart the body, because the kept connection turned out to be dead.
    static let onSeek: plughost_curl_seek_callback = { context, offset, origin in
        guard let transfer = Transfer.from(context), origin == SEEK_SET, let body = transfer.request.body,
            (0...body.count).contains(Int(offset))
        else { return CURL_SEEKFUNC_FAIL }
        transfer.bodyOffset = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    /// Wants a socket for an address of the host. Without one libcurl tries the host's next address, if there is one.
    static let onOpenSocket: plughost_curl_open_socket_callback = { context, purpose, address in
        guard let transfer = Transfer.from(context) else { return -1 }
        return openSocket(purpose, address) { target in
            // The operator chose the proxy; only the services that hand out credentials stay blocked.
            let isMetadata = target.map { AddressTable.verdict(for: $0) == .metadata } ?? true
            let code =
                transfer.guarding.usesProxy
                ? (isMetadata ? HTTPError.Code.metadataRefused : nil)
                : target.map(transfer.guarding.refusal) ?? .addressRefused
            if let code { transfer.refusal = code } else { transfer.hasDialled = true }
            return code == nil
        }
    }

    /// The connection is established, new or kept, and the request is about to be sent on it.
    static let beforeRequest: plughost_curl_before_request_callback = { context, primary, _, _, _ in
        guard let transfer = Transfer.from(context) else { return CURL_PREREQFUNC_ABORT }
        transfer.lastActivity = CurlLibrary.monotonicNow()
        // Checked again, so that a kept connection follows the same rules as a new one.
        if !transfer.guarding.usesProxy {
            let code = primary.flatMap { IPAddress(cString: $0) }.map(transfer.guarding.refusal)
            if let code = code ?? .addressRefused {
                transfer.failure = transfer.guarding.error(code)
                return CURL_PREREQFUNC_ABORT
            }
        }
        // libcurl resends a request automatically when a kept connection ends without a response, or an HTTP/2 server refuses its
        // stream. This cannot be disabled, but libcurl calls here each time. Requests that are not idempotent are left to the
        // caller, because the first may have arrived; so are those that count against a rate.
        if transfer.attempts > 0, !transfer.mayBeResent {
            var failure = HTTPError(
                .connectionLost,
                "\(transfer.url.hostAndPort) closed the connection before it answered",
                mayHaveArrived: true
            )
            failure.lostKeptConnection = true
            transfer.failure = failure
            return CURL_PREREQFUNC_ABORT
        }
        transfer.attempts += 1
        transfer.handle?.sweep.note(transfer.deadline)
        return CURL_PREREQFUNC_OK
    }

    /// How much is received at once: each time takes two system calls. Only what has been received takes memory. libcurl
    /// adds a byte: together they are 256 KiB, the largest block that tcmalloc caches.
    static let receiveBuffer = (256 << 10) - 1

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        TransferHandle.from(context)?.transfer
    }
}
