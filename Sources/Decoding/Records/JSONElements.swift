internal import PlugCore

/// The elements of a list in a JSON file, however long it is: one element is held in memory, and what surrounds the list only
/// if it is to be kept.
///
/// Elements are checked for JSON when their block is sealed, as JSONL lines are. What surrounds the list is only scanned for
/// quotes and brackets. A file whose path leads to something other than a list is given without what surrounds the path, for
/// `records` to judge.
package struct JSONElements: RecordDecoder {
    /// The position in the file.
    private enum Place {
        /// Before the file's value.
        case start
        /// Before a value that the path leads to or through.
        case value
        /// In an object of the path, before a key, or before the first one or the end.
        case key(isFirst: Bool)
        /// In a key.
        case inKey
        /// After a key; whether it is the path's next step.
        case colon(isStep: Bool)
        /// In the value of a member that is not on the path.
        case skipped
        /// After a member's value.
        case behindMember
        /// In the list, before an element, or before the first one or the end.
        case element(isFirst: Bool)
        /// In an element.
        case inElement
        /// After an element.
        case behindElement
        /// In a value that is given as a whole.
        case inWhole
        /// After the file's value.
        case end
    }

    /// Keys are compared with the path up to this length; longer ones are not on it.
    private static let keyLimit = 4096

    private static let missing = "there is no list at the place of the records"
    private static let twice = "a member that leads to the records appears twice"

    private let steps: [[UInt8]]
    private let isWhole: Bool
    private let keepsRest: Bool
    private let isNeeded: Bool
    private let limits: DecodingLimits
    private var place = Place.start
    private var beginning = TextBeginning(refuses: [.html, .xml])
    private var opening = JSONOpening()
    /// How many objects of the path are open.
    private var open = 0
    /// Whether the path has led to something, or to nothing.
    private var hasFound = false
    private var scan = JSONValueScan()
    /// What has arrived of an incomplete value or key.
    private var carry: [UInt8] = []
    private var line = 1
    /// The line on which the value began.
    private var valueLine = 1
    /// What arrived while the block was full.
    private var waiting: [UInt8] = []

    /// A decoder of one file.
    package init(_ list: JSONList, _ limits: DecodingLimits = DecodingLimits()) {
        steps = (list.path ?? []).map { Array($0.utf8) }
        isWhole = list.path == nil
        (keepsRest, isNeeded) = (list.keepsRest, list.isNeeded)
        self.limits = limits
    }

    package var isBehind: Bool { !waiting.isEmpty }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        if waiting.isEmpty { return try read(bytes, block) }
        let all = waiting + bytes
        waiting = []
        var outcome: Result<Void, DecodingFault> = .success(())
        all.withUnsafeBytes { bytes in
            do throws(DecodingFault) { try read(bytes, block) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try take(UnsafeRawBufferPointer(start: nil, count: 0), into: block)
        if isBehind { return }
        switch place {
        case .end: return
        case .inWhole where open == 0 && scan.isScalar:
            // A number or a word ends with the file.
            try give(whole: carry, block)
            (carry, place) = ([], .end)
        case .start: throw fault("there is no JSON in it")
        default: throw fault("the JSON ends too soon")
        }
    }

    private func fault(_ reason: String, _ kind: DecodingFault.Kind = .malformed) -> DecodingFault {
        DecodingFault(kind, reason, line: line)
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        var at = 0
        while at < bytes.count {
            if block.isFull {
                waiting = Array(bytes[at...])
                return
            }
            switch place {
            case .start:
                let (taken, isOpen) = try opening.take(UnsafeRawBufferPointer(rebasing: bytes[at...]))
                line += bytes.lineEnds(at..<(at + taken))
                at += taken
                if isOpen { place = .value }
            case .inElement, .inWhole, .skipped, .inKey: at = try goOn(bytes, at, block)
            default:
                at = bytes.behindBlanks(at, &line)
                if at < bytes.count { at = try step(bytes[at], at, block) }
            }
        }
    }

    /// Takes a non-blank character, or begins a value with it.
    ///
    /// - Returns: Where to continue.
    private mutating func step(_ byte: UInt8, _ at: Int, _ block: BlockBuilder) throws(DecodingFault) -> Int {
        switch place {
        case .value:
            if !isWhole, open == steps.count, byte == UInt8(ascii: "[") {
                hasFound = true
                place = .element(isFirst: true)
                try rest(byte, block)
                block.rest.list = block.rest.bytes.count
                return at + 1
            }
            if !isWhole, open < steps.count, byte == UInt8(ascii: "{") {
                open += 1
                try rest(byte, block)
                place = .key(isFirst: true)
                return at + 1
            }
            if isNeeded { throw fault(Self.missing, .otherFormat) }
            hasFound = true
            begin(.inWhole)
            return at
        case .key(let isFirst):
            // Exports that end like that have always been accepted.
            if isFirst || !isNeeded, byte == UInt8(ascii: "}") { return try leaveObject(at, block) }
            guard byte == UInt8(ascii: "\"") else { throw fault("a member's name is missing") }
            begin(.inKey)
            return at
        case .colon(let isStep):
            guard byte == UInt8(ascii: ":") else { throw fault("a colon is missing") }
            try rest(byte, block)
            if isStep { place = .value } else { place = .skipped }
            scan = JSONValueScan()
            return at + 1
        case .behindMember:
            if byte == UInt8(ascii: "}") { return try leaveObject(at, block) }
            guard byte == UInt8(ascii: ",") else { throw fault("a comma is missing") }
            try rest(byte, block)
            place = .key(isFirst: false)
            return at + 1
        case .element(let isFirst):
            if isFirst, byte == UInt8(ascii: "]") {
                leaveValue()
                try rest(byte, block)
                return at + 1
            }
            begin(.inElement)
            return at
        case .behindElement:
            if byte == UInt8(ascii: "]") {
                leaveValue()
                try rest(byte, block)
                return at + 1
            }
            guard byte == UInt8(ascii: ",") else { throw fault("a comma is missing between two elements") }
            place = .element(isFirst: false)
            return at + 1
        case .end:
            // An assignment ends with it.
            guard byte == UInt8(ascii: ";"), opening.isAssignment else {
                throw fault("there is something after the JSON value")
            }
            return at + 1
        case .start, .inElement, .inWhole, .skipped, .inKey: return at
        }
    }

    private mutating func begin(_ place: Place) {
        self.place = place
        scan = JSONValueScan()
        valueLine = line
    }

    private mutating func leaveValue() { place = open == 0 ? .end : .behindMember }

    /// Ends an object of the path. If the member that leads on is missing, `records` is to decide what that means.
    private mutating func leaveObject(_ at: Int, _ block: BlockBuilder) throws(DecodingFault) -> Int {
        open -= 1
        try rest(UInt8(ascii: "}"), block)
        if !hasFound {
            if isNeeded { throw fault(Self.missing, .otherFormat) }
            hasFound = true
            try give(whole: Array("{}".utf8), block)
        }
        leaveValue()
        return at + 1
    }

    /// Continues in a value or a key.
    private mutating func goOn(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ block: BlockBuilder
    ) throws(DecodingFault) -> Int {
        var at = start
        // The value of a member that is left out may be preceded by blanks.
        if case .skipped = place, !scan.hasBegun { at = bytes.behindBlanks(at, &line) }
        guard at < bytes.count else { return at }
        if !scan.hasBegun {
            switch bytes[at] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
                throw fault("a value is missing")
            default: break
            }
        }
        let end = scan.take(bytes, at, &line)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[at..<end])
        switch place {
        case .inElement:
            if scan.isDone, carry.isEmpty {
                if piece.count > limits.record { throw tooLong }
                block.appendUnproved(piece, line: valueLine)
            } else {
                try keep(piece, limits.record)
                if scan.isDone { giveElement(block) }
            }
            if scan.isDone { place = .behindElement }
        case .inWhole:
            try keep(piece, limits.whole)
            if scan.isDone {
                try give(whole: carry, block)
                carry = []
                leaveValue()
            }
        case .inKey:
            try rest(piece, block)
            carry.append(contentsOf: piece.prefix(max(0, Self.keyLimit - carry.count)))
            if scan.isDone {
                let isStep = JSONKey.isSame(carry, as: steps[open - 1])
                // JSON readers differ on which of the two counts.
                if isStep, hasFound { throw fault(Self.twice) }
                place = .colon(isStep: isStep)
                carry.removeAll(keepingCapacity: true)
            }
        default:
            try rest(piece, block)
            if scan.isDone { place = .behindMember }
        }
        return end
    }

    /// Keeps what surrounds the list.
    private func rest(_ piece: UnsafeRawBufferPointer, _ block: BlockBuilder) throws(DecodingFault) {
        guard keepsRest else { return }
        if block.rest.bytes.count + piece.count > limits.whole {
            throw fault("the limit for everything outside the list is \(limits.whole) bytes", .overLimit)
        }
        block.rest.bytes.append(contentsOf: piece)
    }

    private func rest(_ byte: UInt8, _ block: BlockBuilder) throws(DecodingFault) {
        guard keepsRest else { return }
        let fault = withUnsafeBytes(of: byte) { piece -> DecodingFault? in
            do throws(DecodingFault) { try rest(piece, block) } catch { return error }
            return nil
        }
        if let fault { throw fault }
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer, _ limit: Int) throws(DecodingFault) {
        if carry.count + piece.count > limit { throw tooLong }
        carry.append(contentsOf: piece)
    }

    private var tooLong: DecodingFault {
        var reason = "a record is longer than the limit of \(limits.record) bytes"
        if case .inWhole = place {
            reason =
                "data that is not read in pieces may have \(HumanSize.text(limits.whole)) ('http.max_body'): make 'records' "
                + "begin with the path of the list, as '.items[]' does"
        }
        return DecodingFault(.overLimit, reason, line: valueLine)
    }

    private mutating func giveElement(_ block: BlockBuilder) {
        carry.withUnsafeBytes { block.appendUnproved($0, line: valueLine) }
        carry.removeAll(keepingCapacity: true)
    }

    /// Gives a value as a file that contains only it, at the place that the path has reached.
    private func give(whole value: [UInt8], _ block: BlockBuilder) throws(DecodingFault) {
        var text: [UInt8] = []
        for step in steps.prefix(open) { text += Array("{".utf8) + JSONKey.quoted(step) + Array(":".utf8) }
        text += value
        text += [UInt8](repeating: UInt8(ascii: "}"), count: open)
        try block.setWhole(text, line: valueLine)
    }
}
