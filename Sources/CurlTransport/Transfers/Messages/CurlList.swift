import CLibCURL
internal import Glibc

/// Lines in libcurl's form, such as a request's header fields or the recipients of a mail. They must live as long as the transfer:
/// libcurl reads them in place.
final class CurlList {
    /// The first node; `nil` for an empty list.
    let pointer: UnsafeMutablePointer<curl_slist>?
    private let text: UnsafeMutablePointer<CChar>

    /// - Parameters:
    ///   - bytes: The lines, each with a zero byte at its end and nowhere else.
    ///   - count: The number of lines.
    init(_ bytes: [UInt8], count: Int) {
        text = .allocate(capacity: bytes.count)
        UnsafeMutableRawPointer(text).copyMemory(from: bytes, byteCount: bytes.count)
        guard count > 0 else {
            pointer = nil
            return
        }
        let nodes = UnsafeMutablePointer<curl_slist>.allocate(capacity: count)
        var line = text
        for node in nodes..<nodes + count {
            node.initialize(to: curl_slist(data: line, next: node + 1 < nodes + count ? node + 1 : nil))
            line += strlen(line) + 1
        }
        pointer = nodes
    }

    deinit {
        pointer?.deallocate()
        text.deallocate()
    }
}
