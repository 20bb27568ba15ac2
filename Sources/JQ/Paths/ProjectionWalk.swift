internal import LosslessJSON

/// The state of a projection over one record. All of it is pointers, so that no reference is counted.
struct ProjectionWalk {
    let cursor: JSONCursor
    let node: Int
    let operations: UnsafeBufferPointer<JQProjection.Operation>
    let text: UnsafeBufferPointer<UInt8>
    let roots: UnsafeBufferPointer<JQProjection.Root>
    let steps: UnsafeBufferPointer<PathSteps.Step>
    let keys: UnsafeBufferPointer<UInt8>
    /// For each root, the node of the record's member, -1 if there is none; filled by `find`.
    let found: UnsafeMutableBufferPointer<Int>

    /// Finds the members that paths begin with.
    ///
    /// - Returns: `false` if the record has no members.
    @inline(__always)
    func find() -> Bool {
        if roots.isEmpty { return true }
        found.initialize(repeating: -1)
        let kind = cursor.kind(node)
        guard kind == .object else { return kind == .null }
        cursor.forEachMember(of: node) { key, value in
            let hint = cursor.keyHint(key)
            for index in roots.indices where hint == nil || hint == roots[index].hint {
                guard cursor.isKey(key, self.key(roots[index])) else { continue }
                // Of a repeated key the last value counts.
                found[index] = value
                // No two roots share a key.
                break
            }
        }
        return true
    }

    @inline(__always)
    private func key(_ root: JQProjection.Root) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: keys[root.start..<root.end])
    }

    @inline(__always)
    private func target(of operation: JQProjection.Operation) -> JQPath.Target {
        let start = operation.root < 0 ? node : found[operation.root]
        return start < 0 ? .missing : PathSteps.resolve(path(of: operation), keys, cursor, start)
    }

    @inline(__always)
    private func path(of operation: JQProjection.Operation) -> UnsafeBufferPointer<PathSteps.Step> {
        UnsafeBufferPointer(rebasing: steps[operation.steps])
    }

    // MARK: - In one piece

    /// Writes a record whose values are all canonical as they are, like nearly all records, with a single allocation.
    ///
    /// - Returns: `false`, with nothing written, if some value is not.
    @inline(__always)
    func copy(_ inserted: UnsafeBufferPointer<UInt8>, to writer: inout CanonicalJSON) -> Bool {
        withUnsafeTemporaryAllocation(
            of: UnsafeBufferPointer<UInt8>.self,
            capacity: operations.count
        ) { pieces in
            var size = text.count
            for index in operations.indices {
                guard let piece = piece(of: operations[index], inserted) else { return false }
                pieces[index] = piece
                size += piece.count
            }
            writer.append(count: size) { target in
                var target = target
                var copied = 0
                for index in operations.indices {
                    let end = operations[index].textEnd
                    Self.copy(UnsafeBufferPointer(rebasing: text[copied..<end]), to: &target)
                    Self.copy(pieces[index], to: &target)
                    copied = end
                }
            }
            return true
        }
    }

    /// What an operation writes, if that can be copied, else `nil`.
    @inline(__always)
    private func piece(
        of operation: JQProjection.Operation,
        _ inserted: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        switch operation.kind {
        case .value:
            switch target(of: operation) {
            case .node(let value): return cursor.canonicalScalar(value)
            case .missing: return UnsafeBufferPointer(start: Self.null.utf8Start, count: Self.null.utf8CodeUnitCount)
            case .unfit: return nil
            }
        case .inserted: return JSONText.isAnyEscaped(inserted) ? nil : inserted
        case .end: return UnsafeBufferPointer(start: nil, count: 0)
        case .collected, .required, .converted: return nil
        }
    }

    private static let null: StaticString = "null"

    @inline(__always)
    private static func copy(_ piece: UnsafeBufferPointer<UInt8>, to target: inout UnsafeMutablePointer<UInt8>) {
        guard let base = piece.baseAddress else { return }
        target.initialize(from: base, count: piece.count)
        target += piece.count
    }

    // MARK: - Piece by piece

    /// Writes any record.
    ///
    /// - Returns: `false` if the engine has to decide.
    func write(
        _ inserted: UnsafeBufferPointer<UInt8>,
        to writer: inout CanonicalJSON,
        _ convert: (Int, JQPath.Target, inout CanonicalJSON) -> Bool
    ) -> Bool {
        var written = 0
        for operation in operations {
            writer.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<operation.textEnd]))
            written = operation.textEnd
            switch operation.kind {
            case .end: break
            case .inserted: writer.appendInside(inserted)
            case .collected:
                let start = operation.root < 0 ? node : found[operation.root]
                guard start >= 0, collect(path(of: operation), start, &writer) else { return false }
            case .converted: guard convert(operation.converted, target(of: operation), &writer) else { return false }
            case .required: guard case .node = target(of: operation) else { return false }
            case .value:
                switch target(of: operation) {
                case .node(let value): writer.append(cursor, value)
                case .missing: writer.appendNull()
                case .unfit: return false
                }
            }
        }
        return true
    }

    private func collect(
        _ path: UnsafeBufferPointer<PathSteps.Step>,
        _ start: Int,
        _ writer: inout CanonicalJSON
    ) -> Bool {
        var isFirst = true
        return PathSteps.forEach(path, keys, cursor, start) { value in
            if !isFirst { writer.append(UInt8(ascii: ",")) }
            isFirst = false
            if let value { writer.append(cursor, value) } else { writer.appendNull() }
        }
    }
}
