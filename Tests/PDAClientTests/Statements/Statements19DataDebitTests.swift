import CurlTransport
import LosslessJSON
import PDAClient
import TestKit
import Testing

/// S19–S33: data debits, against written answers over a socket.
@Suite(.fewAtATime)
struct Statements19DataDebitTests {
    private static let base = "/api/v2.6/data-debit"

    private func debit() throws -> DataDebitObject {
        try DataDebitObject(json: try JSONValue(parsing: Examples.debit))
    }

    private func keys(_ value: JSONValue?) -> Set<String> { Set(value?.object?.keys.map(\.text) ?? []) }

    @Test func s19ListingAnswersDataDebitsAndARefreshedToken() async throws {
        let tokens = InMemoryTokens(Secret("T0"))
        let answer = Result<HTTPResponse, HTTPError>.answer(200, "[\(Examples.debit)]", ["x-auth-token": "T1"])
        try await ScriptedServer.withClient(answer, .answer(500, "{}"), tokens: tokens) { client, server async throws in
            #expect(try await client.dataDebits().map(\.dataDebitKey) == ["acme-weekly"])
            #expect(await tokens.current() == Secret("T1"))
            #expect(await pdaError { _ = try await client.dataDebits() }?.code == .server)
            #expect(server.lines == ["GET \(Self.base)", "GET \(Self.base)"])
        }
    }

    @Test func s20EightMembersAreRequiredAndFiveAreNot() throws {
        let required = [
            "dataDebitKey", "dateCreated", "permissions", "requestClientName", "requestClientUrl",
            "requestClientLogoUrl", "active", "accepted", "permissionsLatest",
        ]
        let optional = ["requestDescription", "requestApplicationId", "start", "end", "permissionsActive"]
        let whole = try #require(try JSONValue(parsing: Examples.debit).object)
        for key in required {
            var object = whole
            object[JSONString(key)] = nil
            #expect(throws: PDAError(.undecodable, "'\(key)' is missing")) {
                try DataDebitObject(json: .object(object))
            }
        }
        var object = whole
        for key in optional { object[JSONString(key)] = nil }
        #expect(try DataDebitObject(json: .object(object)).dataDebitKey == "acme-weekly")
    }

    @Test func s21AKeyOrABundleNameInUseIsRefused() async throws {
        let key = #"{"message":"Bad Request","cause":"Data Debit with such ID already exists"}"#
        let bundle = #"{"message":"Bad Request","cause":"Data bundle with such ID already exists"}"#
        try await ScriptedServer.withClient(.answer(400, key), .answer(400, bundle)) { client, _ async throws in
            for text in [key, bundle] {
                let failure = await pdaError { _ = try await client.createDataDebit(DataDebitTests.creation) }
                #expect(failure?.code == .refused)
                #expect(failure?.failure?.body == (try? JSONValue(parsing: text)))
            }
        }
    }

    @Test func s22APermissionHasItsMembers() throws {
        let text =
            #"{"dateCreated":"2024-05-06T09:00:00+0000","cancelAtPeriodEnd":true,"termsUrl":"https://a.example","#
            + #""period":1000,"active":true,"accepted":true,"bundle":{"name":"b","bundle":{}}"#
        let least = try DataDebitPermissionsObject(json: try JSONValue(parsing: text + "}"))
        #expect(least.purpose == nil)
        #expect(least.start == nil)
        #expect(least.end == nil)
        #expect(least.conditions == nil)
        let rest =
            #","purpose":"p","start":"2024-05-06T00:00:00Z","end":"2024-05-07T00:00:00Z","#
            + #""conditions":{"name":"c","bundle":{}}}"#
        let whole = try DataDebitPermissionsObject(json: try JSONValue(parsing: text + rest))
        #expect(whole.purpose == "p")
        #expect(whole.conditions?.name == "c")
        #expect(whole.json.compactText == text + rest)
    }

    /// The documentation says seconds; its own example, and servers, have milliseconds (C9).
    @Test func s23ThePeriodIsMillisecondsWhateverThePageSays() throws {
        var creation = DataDebitTests.creation
        creation.period = .seconds(1)
        #expect(creation.json["period"] == .integer(1000))
        #expect(try debit().permissionsLatest.period == .seconds(7 * 24 * 3600))
    }

    @Test func s24TheExamplesPeriodIsADay() throws {
        let text = Examples.creation.replacing("604800000", with: "86400000")
        let creation = try DataDebitCreationObject(json: try JSONValue(parsing: text))
        #expect(creation.period == .seconds(24 * 3600))
    }

    @Test func s25ABundleIsANameAndPropertiesWithOrderAndLimit() throws {
        let text =
            #"{"name":"b","bundle":{"p":{"endpoints":[{"endpoint":"a/b"}],"orderBy":"x","ordering":"descending","#
            + #""limit":3},"q":{"endpoints":[{"endpoint":"a/b"}],"ordering":"ascending"}}}"#
        let bundle = try DataBundle(json: try JSONValue(parsing: text))
        #expect(bundle.bundle.names == ["p", "q"])
        #expect(bundle.bundle["p"]?.ordering == .descending)
        #expect(bundle.bundle["q"]?.ordering == .ascending)
        #expect(bundle.bundle["p"]?.limit == 3)
        #expect(bundle.json.compactText == text)
        try bundle.check()
    }

    @Test func s26AnEndpointNeedsOnlyItsNameAndNestsLinks() throws {
        #expect(EndpointQuery("a/b").json.compactText == #"{"endpoint":"a/b"}"#)
        let text = #"{"endpoint":"a/b","mapping":{"x":"y"},"filters":[],"links":[{"endpoint":"c/d","links":[]}]}"#
        let query = try EndpointQuery(json: try JSONValue(parsing: text))
        #expect(query.links?.first?.endpoint == "c/d")
        #expect(query.json.compactText == text)
    }

    @Test func s27AFilterHasAFieldATransformationAndAnOperator() throws {
        let transformations: [(FilterTransformation, String)] = [
            (.identity, #"{"transformation":"identity"}"#),
            (.datetimeExtract("hour"), #"{"transformation":"datetimeExtract","part":"hour"}"#),
            (.timestampExtract("dow"), #"{"transformation":"timestampExtract","part":"dow"}"#),
            (.searchable, #"{"transformation":"searchable"}"#),
        ]
        for (transformation, text) in transformations {
            let filter = DataFilter(field: "f", transformation: transformation, operator: .find("x"))
            #expect(filter.json["field"]?.stringText == "f")
            #expect(filter.json["transformation"] == (try JSONValue(parsing: text)))
        }
    }

    @Test func s28ThereAreFourOperators() throws {
        let operators: [(FilterOperator, String)] = [
            (.find("x"), #"{"operator":"find","search":"x"}"#),
            (.contains(.array([.bool(true)])), #"{"operator":"contains","value":[true]}"#),
            (.between(.integer(1), .integer(2)), #"{"operator":"between","lower":1,"upper":2}"#),
            (.in([.text("a"), .text("b")]), #"{"operator":"in","value":["a","b"]}"#),
        ]
        for (value, text) in operators {
            #expect(DataFilter(field: "f", operator: value).json["operator"] == (try JSONValue(parsing: text)))
        }
    }

    @Test func s29ConditionsAreABundleAndStopTheDataWhereOneFails() async throws {
        var creation = DataDebitTests.creation
        creation.conditions = DataBundle(
            name: "consent",
            bundle: ["hasConsent": PropertyQuery(endpoints: [EndpointQuery("a/consent")])]
        )
        #expect(creation.json["conditions"]?["bundle"]?["hasConsent"] != nil)
        let values = #"{"conditions":{"hasConsent":false},"bundle":{}}"#
        try await ScriptedServer.withClient(.answer(200, values)) { client, _ async throws in
            let values = try await client.dataDebitValues("acme-weekly")
            #expect(!values.meetsConditions)
            #expect(values.bundle.names == [])
        }
    }

    @Test func s30TheCreationObjectHasTheTenFields() {
        var creation = DataDebitTests.creation
        (creation.requestApplicationID, creation.requestDescription) = (nil, nil)
        let fields: Set = [
            "dataDebitKey", "purpose", "start", "period", "termsUrl", "cancelAtPeriodEnd", "requestClientName",
            "requestClientUrl", "requestClientLogoUrl", "bundle",
        ]
        #expect(keys(creation.json) == fields)
    }

    @Test func s31CreatingAnswers201WithWhatIsNotAgreedYet() async throws {
        try await ScriptedServer.withClient(.answer(201, Examples.debit)) { client, server async throws in
            let debit = try await client.createDataDebit(DataDebitTests.creation)
            #expect(!debit.isAccepted)
            #expect(!debit.isActive)
            #expect(debit.permissionsActive == nil)
            #expect(debit.permissionsLatest == debit.permissions.first)
            #expect(server.lines == ["POST \(Self.base)/acme-weekly"])
        }
    }

    @Test func s32ApprovalIsAPageWithTwoAddresses() throws {
        let client = PDA("pda.example.net", tokens: InMemoryTokens(), transport: ScriptedSending())
        let url = try client.approvalURL(of: "acme-weekly", redirect: "acme://yes", fallback: "acme://no")
        let page = "https://pda.example.net/#/data-debit/acme-weekly/quick-confirm"
        #expect(url == "\(page)?redirect=acme%3A%2F%2Fyes&fallback=acme%3A%2F%2Fno")
    }

    @Test func s33ValuesAreOneArrayForEachPropertyAndErrorsNameTheKey() async throws {
        let refusal = #"{"message":"Bad Request","cause":"Data Debit acme-weekly not enabled"}"#
        try await ScriptedServer.withClient(.answer(200, Examples.values), .answer(400, refusal)) {
            client,
            server async throws in
            let values = try await client.dataDebitValues("acme-weekly")
            #expect(values.bundle["steps"]?.map(\.endpoint) == ["acme-steps/daily"])
            #expect(values.bundle["steps"]?.first?.recordID == "6f1d0c3e-3c43-4c0b-9a56-2f7a0b9f1a11")
            #expect(values.bundle["steps"]?.first?.data["count"] == .integer(8123))
            let failure = await pdaError { _ = try await client.dataDebitValues("acme-weekly") }
            #expect(failure?.message.contains("acme-weekly") == true)
            #expect(server.lines.first == "GET \(Self.base)/acme-weekly/values")
        }
    }
}
