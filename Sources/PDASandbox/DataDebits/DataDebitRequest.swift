internal import LosslessJSON
internal import PlugCore

/// A data consumer's request. The key in it is required and ignored: the path's key counts.
struct DataDebitRequest: Sendable {
    var purpose: String
    /// In milliseconds since 1970.
    var start: Int64
    /// Whole seconds, as the reference server stores it.
    var period: Int64
    var cancelsAtPeriodEnd: Bool
    var clientName: String
    var clientURL: String
    var clientLogoURL: String
    var applicationID: String?
    var description: String?
    var termsURL: String
    var conditions: DataBundle?
    var bundle: DataBundle

    init(_ reader: ShapeReader) throws {
        _ = try reader.member("dataDebitKey").text()
        purpose = try reader.member("purpose").text()
        start = try Self.moment(reader.member("start"))
        period = try Self.duration(reader.member("period"))
        cancelsAtPeriodEnd = try reader.member("cancelAtPeriodEnd").bool()
        clientName = try reader.member("requestClientName").text()
        clientURL = try reader.member("requestClientUrl").text()
        clientLogoURL = try reader.member("requestClientLogoUrl").text()
        _ = try reader.optional("requestClientCallbackUrl")?.text()
        applicationID = try reader.optional("requestApplicationId")?.text()
        description = try reader.optional("requestDescription")?.text()
        termsURL = try reader.member("termsUrl").text()
        conditions = try reader.optional("conditions").map { try DataBundle($0) }
        bundle = try DataBundle(reader.member("bundle"))
    }

    /// The data debit of an application that reads data, from its definition.
    init?(of application: KnownApplication, at now: Int64) throws {
        guard let retrieved = application.dataRetrieved else { return nil }
        let info = application.definition["info"]
        func text(_ value: JSONValue?) -> String { value?.stringText ?? "" }
        purpose = text(info?["dataUsePurpose"])
        start = now
        period = 30 * 86_400
        cancelsAtPeriodEnd = false
        clientName = text(info?["name"])
        clientURL = text(application.definition["kind"]?["url"])
        clientLogoURL = text(info?["graphics"]?["logo"]?["normal"])
        applicationID = application.id
        description = info?["description"]?["text"]?.stringText
        termsURL = text(info?["termsUrl"])
        bundle = try DataBundle(ShapeReader(retrieved, at: "obj.permissions.dataRetrieved"))
    }

    /// An ISO text or milliseconds since 1970.
    private static func moment(_ reader: ShapeReader) throws -> Int64 {
        if let number = reader.value.number {
            let limit: Int64 = 1 << 53
            guard let value = number.int64, -limit...limit ~= value else { throw reader.refusal("error.expected.date") }
            return value
        }
        guard let moment = Timestamp(try reader.text()) else { throw reader.refusal("error.expected.date.isoformat") }
        return moment.milliseconds
    }

    /// Milliseconds, or an ISO 8601 duration in days or smaller units.
    private static func duration(_ reader: ShapeReader) throws -> Int64 {
        let milliseconds: Int64?
        if let number = reader.value.number {
            milliseconds = number.int64
        } else {
            milliseconds = ISODuration.milliseconds(try reader.text())
        }
        // Unlike the reference server, which accepts a negative period and computes an end before the start.
        guard let milliseconds, 0..<(1 << 53) ~= milliseconds else { throw reader.refusal("error.invalid.duration") }
        return milliseconds / 1000
    }
}

/// `P1DT2H3M4.5S`, `P2W`: days, hours, minutes and seconds have a fixed length; months and years do not.
enum ISODuration {
    static func milliseconds(_ text: String) -> Int64? {
        guard text.first == "P" else { return nil }
        var total = 0.0
        var digits = ""
        var isTime = false
        var hasPart = false
        for character in text.dropFirst() {
            switch character {
            case "T":
                guard !isTime, digits.isEmpty else { return nil }
                isTime = true
            case "0"..."9", ".", "-": digits.append(character)
            default:
                let unit: Double? =
                    switch (character, isTime) {
                    case ("W", false): 604_800
                    case ("D", false): 86_400
                    case ("H", true): 3600
                    case ("M", true): 60
                    case ("S", true): 1
                    default: nil
                    }
                guard let unit, let value = Double(digits), value.isFinite else { return nil }
                total += value * unit * 1000
                digits = ""
                hasPart = true
            }
        }
        guard hasPart, digits.isEmpty, abs(total) < 9e15 else { return nil }
        return Int64(total.rounded())
    }
}
