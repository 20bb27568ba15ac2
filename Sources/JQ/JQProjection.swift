public import LosslessJSON

/// A program that constructs an object of paths, literals and constructions of them: it copies bytes out of a page
/// instead of building values, and gives the bytes that the engine's output has in canonical form.
///
/// Where a record does not have the shape that the program expects (an index into a number, say), it writes nothing and
/// leaves the record to the engine, so that errors and rare cases have one home.
///
/// It is compiled to a list of plain operations. The members of the record that paths begin with are found in one walk
/// over its keys.
public final class JQProjection: Sendable {
    /// A member that the caller writes: of an object that the program constructs.
    public struct Hole: Sendable {
        /// The member's key, UTF-8.
        public var key: [UInt8]
        /// Whether the program has such a member, whose value the caller converts; else it is a new one.
        public var converts: Bool

        /// A hole.
        public init(key: [UInt8], converts: Bool) {
            self.key = key
            self.converts = converts
        }
    }

    /// What is done at one place of the output, after a piece of constant text.
    struct Operation: Sendable {
        enum Kind: UInt8, Sendable {
            /// Writes the value that the path leads to, or `null`.
            case value
            /// Writes each value that the path leads to, between commas.
            case collected
            /// Leaves the record to the engine unless the path leads to a value.
            case required
            /// Lets the caller write, who is told where the path leads.
            case hole
            /// Nothing: the last text.
            case end
        }

        var kind: Kind
        /// Where the constant text before it ends; it begins where the last operation's ended.
        var textEnd: Int
        /// The member of the record that the path begins with; -1 for the record itself.
        var root: Int
        /// The steps after that.
        var steps: Range<Int>
        /// Which hole.
        var hole: Int
    }

    /// A key that paths begin with.
    struct Root: Sendable {
        var start: Int
        var end: Int
    }

    private let operations: [Operation]
    private let text: [UInt8]
    private let steps: PathSteps
    private let roots: [Root]
    /// For each length of a key modulo 32, whether a root has it: most keys of a record are of no interest.
    private let lengths: UInt32

    /// The projection of a program, `nil` where it needs the engine, and where it gives anything but an object.
    ///
    /// - Parameter holes: Members of the object that the program constructs which the caller writes. A new one whose key
    ///   is there already, one to convert that is more than a path, and holes in anything but an object give `nil`.
    ///   One to convert that is not there is left out.
    public init?(_ program: JQProgram, holes: [Hole] = []) {
        guard let shape = ProjectionShape(program.syntax), shape.isObject,
            let compiler = ProjectionCompiler(shape, holes)
        else { return nil }
        operations = compiler.operations
        text = compiler.text
        steps = compiler.steps
        roots = compiler.roots
        lengths = compiler.roots.reduce(0) { $0 | 1 << UInt32(($1.end - $1.start) & 31) }
    }

    /// Appends what the program makes of a value.
    ///
    /// - Parameter fill: Writes a hole, by its index, with the value that belongs there; `false` as below.
    /// - Returns: `false` where the engine has to decide; the caller takes back what was written.
    public func write<Failure: Error>(
        _ cursor: JSONCursor,
        _ node: Int,
        to writer: inout CanonicalJSON,
        fill: (Int, JQPath.Target, inout CanonicalJSON) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let capacity = roots.count
        var failure: Failure?
        let isWritten = withUnsafeTemporaryAllocation(of: Int.self, capacity: max(1, capacity)) { found in
            steps.withPointers { steps, keys in
                guard find(cursor, node, keys, found) else { return false }
                return text.withUnsafeBufferPointer { text in
                    do throws(Failure) {
                        return try write(cursor, node, steps, keys, text, found, &writer, fill)
                    } catch {
                        failure = error
                        return false
                    }
                }
            }
        }
        if let failure { throw failure }
        return isWritten
    }

    /// As above, for a program without holes.
    public func write(_ cursor: JSONCursor, _ node: Int, to writer: inout CanonicalJSON) -> Bool {
        write(cursor, node, to: &writer) { _, _, _ in false }
    }

    /// Finds the members that paths begin with: their nodes, -1 for those that are not there.
    ///
    /// - Returns: `false` where the record is nothing that has members.
    private func find(
        _ cursor: JSONCursor,
        _ node: Int,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ found: UnsafeMutableBufferPointer<Int>
    ) -> Bool {
        if roots.isEmpty { return true }
        found.initialize(repeating: -1)
        let kind = cursor.kind(node)
        guard kind == .object else { return kind == .null }
        roots.withUnsafeBufferPointer { roots in
            var at = cursor.first(in: node)
            while let key = at {
                let value = cursor.value(ofKey: key)
                // An escaped key is longer than what it stands for.
                if lengths & 1 << UInt32(cursor.rawString(key).count & 31) != 0 || cursor.hasEscape(key) {
                    for (index, root) in roots.enumerated()
                    where cursor.isEqual(key, UnsafeBufferPointer(rebasing: keys[root.start..<root.end])) {
                        // Of a repeated key the last value counts.
                        found[index] = value
                    }
                }
                at = cursor.next(after: value)
            }
        }
        return true
    }

    @inline(__always)
    private func write<Failure: Error>(
        _ cursor: JSONCursor,
        _ node: Int,
        _ steps: UnsafeBufferPointer<PathSteps.Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ text: UnsafeBufferPointer<UInt8>,
        _ found: UnsafeMutableBufferPointer<Int>,
        _ writer: inout CanonicalJSON,
        _ fill: (Int, JQPath.Target, inout CanonicalJSON) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var written = 0
        for index in operations.indices {
            let operation = operations[index]
            writer.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<operation.textEnd]))
            written = operation.textEnd
            if operation.kind == .end { return true }
            let path = UnsafeBufferPointer(rebasing: steps[operation.steps])
            let start = operation.root < 0 ? node : found[operation.root]
            if operation.kind == .collected {
                guard start >= 0, Self.collect(path, keys, cursor, start, &writer) else { return false }
                continue
            }
            let target = start < 0 ? .missing : PathSteps.resolve(path, keys, cursor, start)
            switch (operation.kind, target) {
            case (.hole, _): guard try fill(operation.hole, target, &writer) else { return false }
            case (_, .unfit): return false
            case (.required, .missing): return false
            case (.required, _): break
            case (_, .missing): writer.appendNull()
            case (_, .node(let value)): writer.append(cursor, value)
            }
        }
        return true
    }

    private static func collect(
        _ path: UnsafeBufferPointer<PathSteps.Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ node: Int,
        _ writer: inout CanonicalJSON
    ) -> Bool {
        var isFirst = true
        return PathSteps.forEach(path, keys, cursor, node) { value in
            if !isFirst { writer.append(UInt8(ascii: ",")) }
            isFirst = false
            if let value { writer.append(cursor, value) } else { writer.appendNull() }
        }
    }
}
