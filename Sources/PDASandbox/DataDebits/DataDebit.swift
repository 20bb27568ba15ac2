internal import LosslessJSON
internal import PlugCore

/// An agreement to give data, with everything ever proposed for it.
struct DataDebit: Sendable {
    var key: String
    /// Milliseconds since 1970, like all moments here.
    var created: Int64
    var clientName: String
    var clientURL: String
    var clientLogoURL: String
    var applicationID: String?
    var description: String?
    /// In the order in which they were proposed.
    var permissions: [Permission]

    /// One proposal.
    struct Permission: Sendable {
        var created: Int64
        var purpose: String
        var start: Int64
        /// In seconds.
        var period: Int64
        var cancelsAtPeriodEnd: Bool
        var canceled: Int64?
        var termsURL: String
        var conditions: DataBundle?
        var bundle: DataBundle
        var isAccepted: Bool
    }

    /// The latest proposal.
    var latest: Permission? { permissions.last }

    /// The permission in force, `nil` for none.
    func active(at now: Int64) -> Permission? { permissions.last { $0.isActive(at: now) } }
}

extension DataDebit.Permission {
    /// When it ends, `nil` if it rolls on forever.
    var end: Int64? {
        guard let canceled else { return cancelsAtPeriodEnd ? start + period * 1000 : nil }
        guard cancelsAtPeriodEnd else { return canceled }
        // The end of the period in which it was cancelled, counted from the start.
        guard period > 0, canceled > start else { return max(start, canceled) }
        let whole = period * 1000
        return start + ((canceled - start + whole - 1) / whole) * whole
    }

    func isActive(at now: Int64) -> Bool { start <= now && isAccepted && end.map { $0 > now } ?? true }
}

// MARK: - As JSON

extension DataDebit {
    func json(at now: Int64) -> JSONValue {
        let active = active(at: now)
        let accepted = permissions.last { $0.isAccepted }
        var members: [JSONObject.Member] = [
            ("dataDebitKey", .text(key)),
            ("dateCreated", .text(Self.date(created))),
            ("permissions", .array(permissions.map { $0.json(at: now) })),
            ("requestClientName", .text(clientName)),
            ("requestClientUrl", .text(clientURL)),
            ("requestClientLogoUrl", .text(clientLogoURL)),
        ]
        if let applicationID { members.append(("requestApplicationId", .text(applicationID))) }
        if let description { members.append(("requestDescription", .text(description))) }
        members += [
            ("active", .bool(active != nil)),
            ("accepted", .bool(accepted != nil)),
            ("start", Self.moment((active ?? latest)?.start)),
            ("end", Self.moment((active ?? latest)?.end)),
            ("permissionsActive", active?.json(at: now) ?? .null),
            ("permissionsLatest", latest?.json(at: now) ?? .null),
        ]
        return .object(JSONObject(members))
    }

    /// `2017-12-11T13:54:02+0000`
    static func date(_ milliseconds: Int64) -> String {
        Timestamp.text(milliseconds: milliseconds).prefix(19) + "+0000"
    }

    static func moment(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { .text(Timestamp.text(milliseconds: $0)) } ?? .null
    }
}

extension DataDebit.Permission {
    func json(at now: Int64) -> JSONValue {
        var members: [JSONObject.Member] = [
            ("dateCreated", .text(DataDebit.date(created))),
            ("purpose", .text(purpose)),
            ("start", DataDebit.moment(start)),
            ("period", .number(JSONNumber(period * 1000))),
            ("cancelAtPeriodEnd", .bool(cancelsAtPeriodEnd)),
        ]
        if let canceled { members.append(("canceledAt", DataDebit.moment(canceled))) }
        members.append(("termsUrl", .text(termsURL)))
        if let conditions { members.append(("conditions", conditions.json)) }
        members += [
            ("bundle", bundle.json),
            ("accepted", .bool(isAccepted)),
            ("active", .bool(isActive(at: now))),
            ("end", DataDebit.moment(end)),
        ]
        return .object(JSONObject(members))
    }
}
