import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Extracts the records from a block of an archive's entry.
struct EntryRecords {
    private let plan: StreamPlan
    /// The entry's name in messages.
    private let name: String

    init(_ plan: StreamPlan, _ name: String) {
        self.plan = plan
        self.name = name
    }

    /// The records of a block.
    ///
    /// - Parameters:
    ///   - isLast: Whether it is the entry's last one.
    ///   - single: What is known about the outputs of the previous blocks.
    func records(
        of block: DecodedBlock,
        isLast: Bool,
        _ single: inout SingleOutput,
        _ globals: [JSONValue]
    ) throws(PlugError) -> [JSONView] {
        do throws(RecordSelection.Failure) {
            return try plan.records.records(of: block, plan.stream.decoding?.format, isLast: isLast, &single, globals)
        } catch {
            throw wording(error)
        }
    }

    private func wording(_ failure: RecordSelection.Failure) -> PlugError {
        let (place, source) = (plan.stream.places["records"], plan.stream.records.source)
        switch failure {
        case .interrupted: return .interrupted
        case .noMemory: return .memoryShort("the records of \(name)")
        case .missing:
            return PlugError(
                .recordsMissing,
                "\(place): \(name) has no records: 'records' (\(source)) gives null or nothing",
                advice: "look at the entry; if some have none, write 'records: \(source.orEmptyList)'",
                reach: .item
            )
        case .failed(let reason):
            return PlugError(
                .recordsFailed,
                "\(place): 'records' (\(source)) failed on \(name): \(reason)",
                advice: "try it with: plughost jq '\(source)' FILE",
                reach: .item
            )
        }
    }
}
