import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import PlugNormalise

/// Runs a stream's own programs over a simulated body, to see whether it gives what was intended.
struct RecordProbe: Sendable {
    /// A record as it would be delivered.
    struct Entry: Equatable {
        /// Its `_id`, or its bytes if it has none.
        var identity: [UInt8]
        /// The same without the version.
        var thing: [UInt8]
        var bytes: [UInt8]
    }

    /// The result of reading a body.
    struct Reading {
        var entries: [Entry] = []
        /// The output of `since.field` for each of the carrier's records, `null` for nothing.
        var since: [JSONValue] = []
        /// How many of the entries are deletions.
        var deletions = 0

        /// The `_id`s without versions.
        var things: [[UInt8]] { entries.map(\.thing) }
    }

    /// Why a body gives no records.
    struct Failure: Error {
        var reason: String
    }

    let family: StreamFamily
    let form: AnswerForm
    /// The configuration without its secrets.
    private let config: JSONValue
    /// The parents that the carrier's request was made for.
    let parents: [JSONValue]
    private let normaliser: Normaliser

    /// `nil` for a stream that is not delivered, or whose answers have a format that cannot be simulated.
    init?(_ family: StreamFamily, config: JSONValue, parents: [JSONValue]) {
        guard let normaliser = Normaliser(family.stream, config: config), let form = AnswerForm(family.carrier) else {
            return nil
        }
        self.family = family
        self.form = form
        self.config = config
        self.parents = parents
        self.normaliser = normaliser
    }

    /// Reads a body.
    ///
    /// - Throws: `Failure` if a program fails, or a record does not fit.
    func read(_ body: JSONValue) throws(Failure) -> Reading {
        let carrier = family.carrier
        let carrierGlobals = carrier.recordGlobals.values(parents: parents, config: config)
        var records: [JSONValue] = []
        for input in form.recordInputs(body) { records += try Self.outputs(carrier.records, input, carrierGlobals) }
        var reading = Reading()
        if let since = carrier.since {
            reading.since = records.map { record in
                for field in since.fields {
                    guard let value = try? field.run(record, globals: carrierGlobals).first, !value.isNull,
                        value.stringText != ""
                    else { continue }
                    return value
                }
                return .null
            }
        }
        guard !family.inside.isEmpty else {
            try normalise(records, parents, &reading)
            return reading
        }
        var level = records.map { (record: $0, above: parents) }
        for (index, stream) in family.inside.enumerated() {
            let isLast = index == family.inside.count - 1
            var next: [(record: JSONValue, above: [JSONValue])] = []
            for (record, above) in level {
                let lineage = above + [record]
                let globals = stream.recordGlobals.values(parents: lineage, config: config)
                let inner = try Self.outputs(stream.records, record, globals)
                if isLast {
                    try normalise(inner, lineage, &reading)
                } else {
                    next += inner.map { ($0, lineage) }
                }
            }
            level = next
        }
        return reading
    }

    /// The first output of a program of `page` over an answer; `nil` if it fails.
    func page(_ program: JQProgram, _ body: JSONValue, headers: JSONValue) -> JSONValue? {
        let globals = family.carrier.pageGlobals.values(parents: parents, config: config, headers: headers)
        return try? program.run(form.pageInput(body), globals: globals).first ?? .null
    }

    /// The records of a page: the outputs, or the elements of a single output that is an array.
    private static func outputs(
        _ program: JQProgram,
        _ input: JSONValue,
        _ globals: [JSONValue]
    ) throws(Failure) -> [JSONValue] {
        let outputs: [JSONValue]
        do throws(JQError) { outputs = try program.run(input, globals: globals) } catch {
            throw Failure(reason: "'\(program.source)' fails: \(error.withoutValues)")
        }
        guard outputs.count == 1 else { return outputs }
        if outputs[0].isNull { throw Failure(reason: "'\(program.source)' gives null") }
        return outputs[0].elements ?? outputs
    }

    private func normalise(
        _ records: [JSONValue],
        _ parents: [JSONValue],
        _ reading: inout Reading
    ) throws(Failure) {
        guard !records.isEmpty else { return }
        do {
            let views = try JSONDocument(bytes: Self.bytes(.array(records))).root.elements ?? []
            let parent = try parents.last.map { try JSONDocument(bytes: Self.bytes($0)).root }
            var page = FetchedPage(records: views, parent: parent, states: [:], origin: "a made answer")
            page.ancestors = Array(parents.dropLast())
            let normalised = try normaliser.normalise(page)
            if let letter = normalised.deadLetters.first { throw Failure(reason: "[\(letter.code)] \(letter.reason)") }
            let block = normalised.block
            reading.deletions += normalised.deletions.count
            for (index, entry) in block.entries.enumerated() {
                let bytes = Array(block.bytes[entry.range])
                let thing = Array(block.thing(index))
                reading.entries.append(
                    Entry(
                        identity: entry.identity.isEmpty ? bytes : Array(block.identities[entry.identity]),
                        thing: thing.isEmpty ? bytes : thing,
                        bytes: bytes
                    )
                )
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as PlugError {
            throw Failure(reason: error.message)
        } catch {
            throw Failure(reason: "a made record is not JSON")
        }
    }

    static func bytes(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        return bytes
    }
}
