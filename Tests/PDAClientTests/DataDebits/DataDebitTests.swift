import LosslessJSON
import PDAClient
import PlugCore
import Testing

struct DataDebitTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch let error as PDAError { return error.description } catch { return "\(error)" }
        return nil
    }

    private static let bundle = DataBundle(
        name: "acme-weekly-bundle",
        bundle: ["steps": PropertyQuery(endpoints: [EndpointQuery("acme-steps/daily")], limit: 7)]
    )

    static let creation = DataDebitCreationObject(
        dataDebitKey: "acme-weekly",
        purpose: "Weekly report",
        start: "2024-05-06T00:00:00+0000",
        period: .seconds(604_800),
        termsURL: "https://acme.example.com/terms",
        cancelsAtPeriodEnd: false,
        requestClientName: "Acme",
        requestClientURL: "https://acme.example.com",
        requestClientLogoURL: "https://acme.example.com/logo.png",
        requestApplicationID: "acme-diary",
        requestDescription: "Steps for the weekly report",
        bundle: bundle
    )

    @Test func s30TheCreationObjectIsTheDocumentedOne() throws {
        #expect(Self.creation.json.compactText == (try parsed(Examples.creation)).compactText)
        #expect(try DataDebitCreationObject(json: try parsed(Examples.creation)) == Self.creation)
        try Self.creation.check()
        let required = [
            "dataDebitKey", "purpose", "start", "period", "termsUrl", "cancelAtPeriodEnd", "requestClientName",
            "requestClientUrl", "requestClientLogoUrl", "bundle",
        ]
        let whole = try #require(try parsed(Examples.creation).object)
        for key in whole.keys {
            var object = whole
            object[key] = nil
            let found = message { _ = try DataDebitCreationObject(json: .object(object)) }
            #expect(found == (required.contains(key.text) ? "'\(key)' is missing (undecodable)" : nil))
        }
    }

    @Test func s20S22TheDocumentedDataDebitIsRead() throws {
        let debit = try DataDebitObject(json: try parsed(Examples.debit))
        #expect(debit.dataDebitKey == "acme-weekly")
        #expect(debit.dateCreated == "2024-05-06T09:00:00+0000")
        #expect(debit.permissions == [debit.permissionsLatest])
        #expect(debit.requestClientName == "Acme")
        #expect(debit.requestClientURL == "https://acme.example.com")
        #expect(debit.requestClientLogoURL == "https://acme.example.com/logo.png")
        #expect(debit.requestApplicationID == "acme-diary")
        #expect(debit.requestDescription == "Steps for the weekly report")
        #expect(!debit.isActive)
        #expect(!debit.isAccepted)
        #expect(debit.start == "2024-05-06T00:00:00.000Z")
        #expect(debit.end == nil)
        #expect(debit.permissionsActive == nil)
        let latest = debit.permissionsLatest
        #expect(latest.dateCreated == "2024-05-06T09:00:00+0000")
        #expect(latest.purpose == "Weekly report")
        #expect(latest.start == "2024-05-06T00:00:00.000Z")
        #expect(latest.period == .seconds(604_800))
        #expect(!latest.cancelsAtPeriodEnd)
        #expect(latest.canceledAt == nil)
        #expect(latest.termsURL == "https://acme.example.com/terms")
        #expect(latest.conditions == nil)
        #expect(latest.bundle == Self.bundle)
        #expect(!latest.isAccepted)
        #expect(!latest.isActive)
        #expect(latest.end == nil)
    }

    @Test func s20WhatADataDebitMustHaveIsNamedWhereItLacks() throws {
        let required = [
            "dataDebitKey", "dateCreated", "permissions", "requestClientName", "requestClientUrl",
            "requestClientLogoUrl", "active", "accepted", "permissionsLatest",
        ]
        let whole = try #require(try parsed(Examples.debit).object)
        for key in whole.keys {
            var object = whole
            object[key] = nil
            let found = message { _ = try DataDebitObject(json: .object(object)) }
            #expect(found == (required.contains(key.text) ? "'\(key)' is missing (undecodable)" : nil))
        }
    }

    @Test func s22WhatPermissionsMustHaveIsNamedWhereItLacks() throws {
        let required = [
            "dateCreated", "period", "cancelAtPeriodEnd", "termsUrl", "bundle", "accepted", "active",
        ]
        let whole = try #require(try parsed(Examples.debit)["permissionsLatest"]?.object)
        for key in whole.keys {
            var object = whole
            object[key] = nil
            let found = message { _ = try DataDebitPermissionsObject(json: .object(object)) }
            #expect(found == (required.contains(key.text) ? "'\(key)' is missing (undecodable)" : nil))
        }
    }

    /// The documentation's text says seconds; its example's end is 24 hours behind its start.
    @Test func s23S24ThePeriodIsMilliseconds() throws {
        var permissions = try #require(try parsed(Examples.debit)["permissionsLatest"]?.object)
        permissions["period"] = .integer(86_400_000)
        permissions["cancelAtPeriodEnd"] = .bool(true)
        permissions["end"] = .text("2024-05-07T00:00:00.000Z")
        let read = try DataDebitPermissionsObject(json: .object(permissions))
        #expect(read.period == .seconds(24 * 60 * 60))
        let start = try #require(read.start?.timestamp)
        let end = try #require(read.end?.timestamp)
        #expect(end.seconds - start.seconds == read.period.components.seconds)
        #expect(read.json.compactText == JSONValue.object(permissions).compactText)
    }

    @Test(arguments: [
        ("0", "0"), ("1", "1"), ("86400000.0", "86400000.0"), ("8.64e7", "8.64e7"),
        ("9223372036854775807", "9223372036854775807"), (#""PT86400S""#, "86400000"), (#""PT1.5S""#, "1500"),
    ])
    func periodsLoseNoMillisecond(written: String, again: String) throws {
        var object = try #require(try parsed(Examples.creation).object)
        object["period"] = try parsed(written)
        #expect(try DataDebitCreationObject(json: .object(object)).json["period"]?.compactText == again)
    }

    @Test(arguments: [
        ("-1", "'period' is negative (undecodable)"),
        ("1.5", "'period' is not a whole number of milliseconds (undecodable)"),
        ("9223372036854775808", "'period' is not a whole number of milliseconds (undecodable)"),
        (#""PT-5S""#, "'period' is negative (undecodable)"),
        (#""P1D""#, "'period' is neither a number of milliseconds nor a duration such as PT86400S (undecodable)"),
        ("true", "'period' should be a number of milliseconds, not a boolean (undecodable)"),
    ])
    func periodsThatAreNoneAreRefused(written: String, problem: String) throws {
        var object = try #require(try parsed(Examples.creation).object)
        object["period"] = try parsed(written)
        let creation = JSONValue.object(object)
        #expect(message { _ = try DataDebitCreationObject(json: creation) } == problem)
    }

    @Test func whatCannotBeAskedForIsRefused() {
        func problem(_ change: (inout DataDebitCreationObject) -> Void) -> String? {
            var creation = Self.creation
            change(&creation)
            return message { try creation.check() }
        }
        let advice = "; give a Duration of whole milliseconds"
        #expect(problem { $0.period = .milliseconds(-1) } == "'period' is negative (invalid_request)\(advice)")
        #expect(problem { $0.period = .nanoseconds(-1) } == "'period' is negative (invalid_request)\(advice)")
        #expect(
            problem { $0.period = .microseconds(1500) }
                == "'period' is not a whole number of milliseconds (invalid_request)\(advice)"
        )
        #expect(problem { $0.period = .seconds(Int64.max) }?.contains("not a whole number") == true)
        #expect(problem { $0.dataDebitKey = "a/b" }?.hasPrefix("'dataDebitKey' is not a name") == true)
        #expect(problem { $0.dataDebitKey = "" }?.hasPrefix("'dataDebitKey' is not a name") == true)
        #expect(problem { $0.start = "soon" }?.hasPrefix("'start' is not a time") == true)
        #expect(problem { $0.conditions = $0.bundle }?.hasPrefix("'conditions.name' is also the bundle's name") == true)
        #expect(
            problem {
                $0.conditions = DataBundle(name: "c", bundle: ["p": PropertyQuery(endpoints: [])])
            }?.hasPrefix("'conditions.bundle.p.endpoints' is empty") == true
        )
    }

    @Test func s29ConditionsAreABundle() throws {
        var creation = Self.creation
        creation.conditions = DataBundle(
            name: "consent",
            bundle: ["hasConsent": PropertyQuery(endpoints: [EndpointQuery("acme/consent")])]
        )
        try creation.check()
        #expect(creation.json["conditions"]?["name"] == .text("consent"))
        #expect(try DataDebitCreationObject(json: creation.json) == creation)
    }

    @Test func s33ValuesAreRecordsByProperty() throws {
        let values = try DataDebitValuesObject(json: try parsed(Examples.values))
        #expect(values.bundle.names == ["steps"])
        let steps = try #require(values.bundle["steps"])
        #expect(steps.map(\.endpoint) == ["acme-steps/daily"])
        #expect(steps.map(\.recordID) == ["6f1d0c3e-3c43-4c0b-9a56-2f7a0b9f1a11"])
        struct Steps: Codable, Equatable { var count: Int, day: String }
        #expect(try steps.map { try $0.data(as: Steps.self) } == [Steps(count: 8123, day: "2024-05-05")])
        #expect(values.conditions == ["hasConsent": true])
        #expect(values.meetsConditions)
        let unmet = try DataDebitValuesObject(json: try parsed(#"{"conditions":{"a":true,"b":false},"bundle":{}}"#))
        #expect(!unmet.meetsConditions)
        #expect(unmet.bundle.names.isEmpty)
    }

    @Test func s33ARecordThatIsNoneIsReportedBesideTheOthers() throws {
        let text = #"{"bundle":{"p":[{"recordId":"1"},{"endpoint":"a/b","recordId":"2","data":1.10},3]}}"#
        let values = try DataDebitValuesObject(json: try parsed(text))
        let list = try #require(values.bundle["p"])
        #expect(list.map(\.recordID) == ["2"])
        #expect(list.undecodable.map(\.index) == [0, 2])
        #expect(
            list.undecodable.map(\.error.message) == [
                "'bundle.p[0].endpoint' is missing", "'bundle.p[2]' should be an object, not a number",
            ]
        )
        #expect(throws: PDAError.self) { try list.all() }
        #expect(values.json.compactText == text)
    }
}
