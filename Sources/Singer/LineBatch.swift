internal import Glibc
package import LosslessJSON
package import PlugCore

/// Some lines of a program, parsed as one document: an array with an element for each line.
///
/// One document for many lines costs a fraction of one for each. Afterwards each element is verified to be one line: otherwise
/// two broken lines could make a whole one.
package struct LineBatch: Sendable {
    /// The array.
    package let document: JSONDocument
    /// Where each message begins in it.
    package let nodes: [Int]
    /// The number of the first line, from 1, and each line's distance from it: blank lines are left out.
    package let lines: [Int]
    /// What is wrong with the next line; `nil` if nothing is.
    package let fault: PlugError?
}

/// Splits a program's output into lines, and groups lines into batches.
package struct LineGatherer {
    /// The longest line.
    private let limit: Int
    /// Begins with `[`; lines without leading blanks, each followed by a comma.
    private var text: JSONBuffer
    /// Where each line begins in it, and its number.
    private var starts: [Int] = []
    private var numbers: [Int] = []
    /// The start of a line whose end has not arrived.
    private var partial: [UInt8] = []
    private var number = 0
    private var fault: PlugError?

    /// - Parameter limit: The longest line, in bytes.
    package init(limit: Int) {
        self.limit = limit
        text = Self.emptyText()
    }

    private static func emptyText() -> JSONBuffer {
        let text = JSONBuffer(capacity: 640 << 10)
        text.append([UInt8(ascii: "[")])
        return text
    }

    /// Bytes of complete lines that wait to be read.
    package var byteCount: Int { text.count - 1 }

    /// Whether a line was faulty, after which nothing more is accepted.
    package var isFaulty: Bool { fault != nil }

    /// Accepts output. After a fault nothing more is accepted.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while fault == nil, !rest.isEmpty {
            guard let end = Self.lineEnd(in: rest) else {
                partial.append(contentsOf: rest)
                if partial.count > limit { refuseLength() }
                return
            }
            let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
            number += 1
            if partial.count + piece.count > limit {
                number -= 1
                return refuseLength()
            }
            if partial.isEmpty {
                add(piece)
            } else {
                partial.append(contentsOf: piece)
                partial.withUnsafeBytes { add($0) }
                partial.removeAll(keepingCapacity: true)
            }
        }
    }

    private static func lineEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        // memchr(3) returns an address inside the bytes, or none.
        return memchr(start, 0x0A, bytes.count).map { UnsafeRawPointer($0) - start }
    }

    /// Marks the end of the output. A line without a line ending is incomplete: the program died while writing it.
    package mutating func finish() {
        guard fault == nil, partial.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        fault = PlugError(
            .programMessage,
            "line \(number + 1) of the program's output is cut off: the program ended in the middle of it",
            advice: "what came before is not affected; run it again: it continues from the last saved state"
        )
    }

    private mutating func refuseLength() {
        partial = []
        fault = PlugError(
            .programLine,
            "line \(number + 1) of the program's output is longer than \(limit >> 10) KiB (exec.limits.line)",
            advice: "what came before is not affected; raise the limit if the program has such records"
        )
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
        guard let first = line.firstIndex(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        starts.append(text.count)
        numbers.append(number)
        text.append(UnsafeRawBufferPointer(rebasing: line[first...]))
        withUnsafeBytes(of: UInt8(ascii: ",")) { text.append($0) }
    }

    /// The lines since the last batch; `nil` if there are none and nothing is wrong.
    package mutating func batch() -> LineBatch? {
        guard !starts.isEmpty else {
            guard let fault else { return nil }
            self.fault = nil
            return Self.empty(fault)
        }
        let (text, starts, numbers, end) = (self.text, self.starts, self.numbers, self.text.count)
        (self.text, self.starts, self.numbers) = (Self.emptyText(), [], [])
        if let whole = read(text, starts, numbers, fault) {
            fault = nil
            return whole
        }
        // A line is broken: those before it are not.
        var good = 0
        var wrong = JSONError("nothing", at: 0)
        text.withBytes { bytes in
            while good < starts.count {
                // As it is in the batch: in brackets.
                let line = bytes[starts[good]..<((good + 1 < starts.count ? starts[good + 1] : end) - 1)]
                do throws(JSONError) {
                    let document = try JSONDocument(
                        bytes: [UInt8(ascii: "[")] + line + [UInt8(ascii: "]")],
                        limits: limits
                    )
                    if document.withCursor({ $0.count(of: 0) }) != 1 {
                        throw JSONError("there is text after the end of the value", at: 0)
                    }
                } catch {
                    wrong = error
                    break
                }
                good += 1
            }
        }
        let broken = refusal(of: good < numbers.count ? numbers[good] : number, wrong)
        fault = nil
        guard good > 0 else { return Self.empty(broken) }
        let before = JSONBuffer(capacity: starts[good - 1] + limit)
        text.withBytes { bytes in
            let end = good < starts.count ? starts[good] : bytes.count
            before.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<end]))
        }
        return read(before, Array(starts[..<good]), Array(numbers[..<good]), broken) ?? Self.empty(broken)
    }

    /// A line has at most one value or punctuation mark per four bytes of the longest line, so that reading it takes some eight times
    /// that many bytes; beside it there are lines of half a megabyte.
    private var limits: JSONLimits { JSONLimits(bytes: .max, tokens: limit / 4 + (512 << 10)) }

    private func refusal(of line: Int, _ error: JSONError) -> PlugError {
        let (place, kept) = ("line \(line) of the program's output", "what came before is not affected")
        switch error.kind {
        case .noMemory: return .memoryShort(place)
        case .malformed:
            return PlugError(
                .programMessage,
                "\(place) is not JSON: \(error.reason)",
                advice: "\(kept); Singer programs write only messages to stdout"
            )
        case .tooDeep:
            return PlugError(
                .programMessage,
                "\(place) cannot be read: \(error.reason)",
                advice: "\(kept); deselect the stream or the field in the catalogue if the program cannot write it flat"
            )
        case .tooLarge, .tooManyTokens:
            return PlugError(
                .programLine,
                "\(place) has more values and punctuation marks than a line of \(limit >> 10) KiB may have (exec.limits.line)",
                advice:
                    "\(kept); raise the limit if the program has such records, and give the host eight times as much memory"
            )
        }
    }

    private func read(_ text: JSONBuffer, _ starts: [Int], _ numbers: [Int], _ fault: PlugError?) -> LineBatch? {
        // A final element that is left out below, so that no comma precedes the bracket.
        text.append(Array("0]".utf8))
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(text, limits: limits) } catch {
            return error.kind == .noMemory ? Self.empty(.memoryShort("the program's output")) : nil
        }
        var nodes: [Int] = []
        nodes.reserveCapacity(starts.count)
        document.withCursor { cursor in
            var at = cursor.first(in: 0)
            while let node = at {
                nodes.append(node)
                at = cursor.next(after: node)
            }
        }
        nodes.removeLast()
        guard nodes.count == starts.count else { return nil }
        // If each element begins with its line, each also ends there: there is room for only one comma before the next line.
        guard zip(nodes, starts).allSatisfy({ document.offset(of: $0) == $1 }) else { return nil }
        return LineBatch(document: document, nodes: nodes, lines: numbers, fault: fault)
    }

    private static func empty(_ fault: PlugError) -> LineBatch? {
        // `[]` is JSON.
        (try? JSONDocument(bytes: Array("[]".utf8))).map { LineBatch(document: $0, nodes: [], lines: [], fault: fault) }
    }
}

extension JSONBuffer {
    fileprivate func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }
}
