import CurlTransport
import LosslessJSON
import PDAClient
import PDAWire
import PlugCore
import Testing

/// Against written answers: the sandbox has no data debits yet.
struct DataDebitServiceTests {
    private static let base = "https://pda.example.net/api/v2.6/data-debit"

    private func client(_ sending: ScriptedSending, _ tokens: InMemoryTokens? = nil) -> PDA {
        PDA("pda.example.net", tokens: tokens ?? InMemoryTokens(Secret("T0")), transport: sending)
    }

    private func error(_ body: () async throws -> Void) async -> PDAError? {
        do { try await body() } catch { return error as? PDAError }
        return nil
    }

    @Test func s19ListsDataDebitsAndKeepsTheRefreshedToken() async throws {
        let tokens = InMemoryTokens(Secret("T0"))
        let sending = ScriptedSending(
            .answer(200, "[\(Examples.debit), {\"dataDebitKey\":\"k\"}]", ["X-Auth-Token": "T1"])
        )
        let debits = try await client(sending, tokens).dataDebits()
        #expect(debits.map(\.dataDebitKey) == ["acme-weekly"])
        let other = try #require(debits.undecodable.first)
        #expect(other.index == 1)
        #expect(other.json.compactText == #"{"dataDebitKey":"k"}"#)
        #expect(other.error.message == "'[1].dateCreated' is missing")
        #expect(await tokens.current() == Secret("T1"))
        let sent = try #require(await sending.requests.first)
        #expect(sent.method == "GET")
        #expect(sent.url == Self.base)
        #expect(HTTPHeaders(sent.headers).first("x-auth-token") == "T0")
    }

    @Test func s18S19AFailedCallIsAnErrorWithTheServersWords() async throws {
        let body = #"{"error":"Not Authenticated","message":"Not Authenticated"}"#
        let failure = await error { _ = try await client(ScriptedSending(.answer(401, body))).dataDebits() }
        #expect(failure?.code == .notAuthenticated)
        #expect(failure?.status == 401)
        #expect(failure?.failure?.cause == "Not Authenticated")
        let noList = await error { _ = try await client(ScriptedSending(.answer(200, "{}"))).dataDebits() }
        #expect(noList?.message == "the value should be an array, not an object")
    }

    @Test func s31CreatesAndAnswersWhatIsNotAgreedYet() async throws {
        let sending = ScriptedSending(.answer(201, Examples.debit))
        let debit = try await client(sending).createDataDebit(DataDebitTests.creation)
        #expect(!debit.isAccepted)
        #expect(!debit.isActive)
        #expect(debit.permissionsActive == nil)
        #expect(debit.permissions.contains(debit.permissionsLatest))
        let sent = try #require(await sending.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.url == "\(Self.base)/acme-weekly")
        #expect(sent.body == Array(try JSONValue(parsing: Examples.creation).compactText.utf8))
    }

    @Test func s21AKeyOrBundleThatIsInUseIsRefused() async throws {
        let cause = "Data Debit request malformed: Data Debit with such ID already exists"
        let sending = ScriptedSending(.answer(400, #"{"message":"Bad Request","cause":"\#(cause)"}"#))
        let failure = await error { _ = try await client(sending).createDataDebit(DataDebitTests.creation) }
        #expect(failure?.code == .refused)
        #expect(failure?.failure?.cause == cause)
    }

    @Test func s23S27S28WhatAPDAWouldMisreadIsNeverSent() async throws {
        let sending = ScriptedSending()
        var negative = DataDebitTests.creation
        negative.period = .seconds(-1)
        var deaf = DataDebitTests.creation
        deaf.bundle.bundle["steps"]?.endpoints[0].filters = [DataFilter(field: "f", operator: .find("x"))]
        for creation in [negative, deaf] {
            #expect(await error { _ = try await client(sending).createDataDebit(creation) }?.code == .invalidRequest)
            #expect(await error { _ = try await client(sending).updateDataDebit(creation) }?.code == .invalidRequest)
        }
        for key in ["", "a/b", "..", "a b"] {
            #expect(await error { _ = try await client(sending).dataDebit(key) }?.code == .invalidRequest)
            #expect(await error { _ = try await client(sending).dataDebitValues(key) }?.code == .invalidRequest)
            #expect(await error { _ = try await client(sending).enableDataDebit(key) }?.code == .invalidRequest)
        }
        #expect(await sending.requests.isEmpty)
    }

    @Test func theOtherCallsAreTheReferenceServersOwn() async throws {
        let debit = Examples.debit
        let sending = ScriptedSending(
            .answer(200, debit),
            .answer(200, debit),
            .answer(200, debit),
            .answer(200, debit),
            .answer(200, debit)
        )
        let client = client(sending)
        _ = try await client.dataDebit("acme-weekly")
        _ = try await client.updateDataDebit(DataDebitTests.creation)
        _ = try await client.enableDataDebit("acme-weekly")
        _ = try await client.disableDataDebit("acme-weekly", atPeriodEnd: true)
        _ = try await client.disableDataDebit("acme-weekly", atPeriodEnd: false)
        let sent = await sending.requests
        #expect(
            sent.map { "\($0.method) \($0.url)" } == [
                "GET \(Self.base)/acme-weekly",
                "PUT \(Self.base)/acme-weekly",
                "GET \(Self.base)/acme-weekly/enable",
                "GET \(Self.base)/acme-weekly/disable?atPeriodEnd=true",
                "GET \(Self.base)/acme-weekly/disable?atPeriodEnd=false",
            ]
        )
        #expect(sent[1].body == Array(DataDebitTests.creation.json.compactText.utf8))
    }

    @Test func anAnswerThatCannotBeReadSaysWhetherSomethingWasDone() async throws {
        let sending = ScriptedSending(.answer(200, "{}"), .answer(200, "{}"))
        let client = client(sending)
        let read = await error { _ = try await client.dataDebit("k") }
        #expect(read == PDAError(.undecodable, "'dataDebitKey' is missing"))
        let changed = await error { _ = try await client.enableDataDebit("k") }
        #expect(changed == PDAError(.undecodable, "'dataDebitKey' is missing", mayHaveArrived: true))
    }

    @Test func s33ValuesComeWithTheKeyInEachError() async throws {
        let notEnabled = #"{"message":"Bad Request","cause":"Data Debit acme-weekly not enabled"}"#
        let missing = #"{"message":"Not Found","cause":"Data Debit acme-weekly not found"}"#
        let sending = ScriptedSending(.answer(200, Examples.values), .answer(400, notEnabled), .answer(404, missing))
        let client = client(sending)
        let values = try await client.dataDebitValues("acme-weekly")
        #expect(values.json.compactText == (try JSONValue(parsing: Examples.values)).compactText)
        #expect(await sending.requests.first?.url == "\(Self.base)/acme-weekly/values")
        let refused = await error { _ = try await client.dataDebitValues("acme-weekly") }
        #expect(refused?.code == .refused)
        #expect(refused?.message.contains("/data-debit/acme-weekly/values answered 400") == true)
        let unknown = await error { _ = try await client.dataDebitValues("acme-weekly") }
        #expect(unknown?.code == .notFound)
        #expect(unknown?.message.contains("acme-weekly") == true)
    }

    @Test func s32TheApprovalURLIsTheDocumentedOneWithTheFallbackMended() async throws {
        let client = client(ScriptedSending())
        let page = "https://pda.example.net/#/data-debit/acme-weekly/quick-confirm"
        let expected = "\(page)?redirect=acme%3A%2F%2Fdebit&fallback=acme%3A%2F%2FdataDebitFailure"
        #expect(try client.approvalURL(of: "acme-weekly", scheme: "acme", host: "debit") == expected)
        #expect(try client.approvalURL(of: "acme-weekly", scheme: "acme://success", host: "debit") == expected)
        #expect(
            try client.approvalURL(of: "acme-weekly", redirect: "https://acme.example/a?b=1&c#d")
                == "\(page)?redirect=https%3A%2F%2Facme.example%2Fa%3Fb%3D1%26c%23d"
        )
        for (key, redirect) in [("a/b", "acme://x"), ("k", "no-scheme"), ("k", "://x"), ("k", "1a://x")] {
            #expect(throws: PDAError.self) { try client.approvalURL(of: key, redirect: redirect) }
        }
    }
}
