package import LosslessJSON

/// A program that constructs an object from paths, literals and nested constructions: it copies bytes out of a page instead of
/// building values, and writes the bytes of the engine's output in canonical form.
///
/// If a record does not have the shape that the program expects (an index into a number, say), it writes nothing and leaves the
/// record to the engine, so that errors and rare cases are handled in one place.
///
/// It is compiled to a list of plain operations. The members of the record that paths begin with are found in one walk
/// over its keys.
package final class JQProjection: Sendable {
    /// What to do at one place of the output, after a piece of constant text.
    struct Operation: Sendable {
        enum Kind: UInt8, Sendable {
            /// Writes the value that the path leads to, or `null`.
            case value
            /// Writes each value that the path leads to, between commas.
            case collected
            /// Leaves the record to the engine unless the path leads to a value.
            case required
            /// Lets the caller write the value that the path leads to.
            case converted
            /// Writes the content of the text that the caller gives.
            case inserted
            /// Nothing: only the last text.
            case end
        }

        var kind: Kind
        /// Where the constant text before it ends; it begins where the last operation's ended.
        var textEnd: Int
        /// The member of the record that the path begins with; -1 for the record itself.
        var root: Int
        /// The steps after that.
        var steps: Range<Int>
        /// Which of the members to convert.
        var converted: Int

        /// Whether its output may be copied from the page, or from what the caller gives.
        var isCopyable: Bool {
            switch kind {
            case .value, .inserted, .end: true
            case .collected, .required, .converted: false
            }
        }
    }

    /// A key that paths begin with.
    struct Root: Sendable {
        var start: Int
        var end: Int
        /// See `JSONCursor.keyHint`.
        var hint: Int
    }

    /// Stands where a program has no projection: every record is left to the engine.
    package static let none = JQProjection()

    private let operations: [Operation]
    private let text: [UInt8]
    private let steps: PathSteps
    private let roots: [Root]
    /// Whether a record of plain values can be written in one piece.
    private let isCopyable: Bool
    /// Whether it is the projection of no program.
    package let isNone: Bool

    /// The projection of a program, `nil` if it needs the engine, or gives anything but an object.
    ///
    /// - Parameters:
    ///   - converting: Members of the constructed object whose values the caller writes, each of them a plain path. Members that
    ///     the program does not construct are ignored.
    ///   - inserting: The key of a new member, UTF-8. If the program already constructs it, there is no projection.
    package init?(_ program: JQProgram, converting: [[UInt8]] = [], inserting: [UInt8]? = nil) {
        guard let shape = ProjectionShape(program.syntax), shape.isObject,
            let compiler = ProjectionCompiler(shape, converting, inserting)
        else { return nil }
        operations = compiler.operations
        text = compiler.text
        steps = compiler.steps
        roots = compiler.roots
        isCopyable = operations.allSatisfy(\.isCopyable)
        isNone = false
    }

    private init() { (operations, text, steps, roots, isCopyable, isNone) = ([], [], PathSteps(), [], false, true) }

    /// Appends the program's output for a value.
    ///
    /// - Parameters:
    ///   - inserted: The new member's text, decoded UTF-8.
    ///   - convert: Writes the value of a member to convert, given its index and the node at its path; `false` as below.
    /// - Returns: `false` if the engine has to decide; the caller discards what was written.
    package func write(
        _ cursor: JSONCursor,
        _ node: Int,
        inserted: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON,
        convert: (Int, JQPath.Target, inout CanonicalJSON) -> Bool
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: max(1, roots.count)) { found in
            withWalk(cursor, node, found) { walk in
                guard walk.find() else { return false }
                if isCopyable, walk.copy(inserted, to: &writer) { return true }
                return walk.write(inserted, to: &writer, convert)
            }
        }
    }

    /// As above, for a program without converted or inserted members.
    package func write(_ cursor: JSONCursor, _ node: Int, to writer: inout CanonicalJSON) -> Bool {
        write(cursor, node, inserted: UnsafeBufferPointer(start: nil, count: 0), to: &writer) { _, _, _ in false }
    }

    @inline(__always)
    private func withWalk(
        _ cursor: JSONCursor,
        _ node: Int,
        _ found: UnsafeMutableBufferPointer<Int>,
        _ body: (ProjectionWalk) -> Bool
    ) -> Bool {
        operations.withUnsafeBufferPointer { operations in
            text.withUnsafeBufferPointer { text in
                roots.withUnsafeBufferPointer { roots in
                    steps.withPointers { steps, keys in
                        body(
                            ProjectionWalk(
                                cursor: cursor,
                                node: node,
                                operations: operations,
                                text: text,
                                roots: roots,
                                steps: steps,
                                keys: keys,
                                found: found
                            )
                        )
                    }
                }
            }
        }
    }
}
