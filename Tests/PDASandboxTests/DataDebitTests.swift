import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// The life of a data debit, beyond what the conformance lines say. The clock stands at 2023-11-14T22:13:20Z.
@Suite(.fewAtATime)
struct DataDebitTests {
    private func permission(
        start: Int64 = 0,
        period: Int64 = 10,
        cancels: Bool = false,
        canceled: Int64? = nil,
        accepted: Bool = true
    ) throws -> DataDebit.Permission {
        DataDebit.Permission(
            created: 0,
            purpose: "",
            start: start,
            period: period,
            cancelsAtPeriodEnd: cancels,
            canceled: canceled,
            termsURL: "",
            bundle: try DataBundle(name: "b", stored: "{}"),
            isAccepted: accepted
        )
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "1e400", "9007199254740993"])
    func aStartThatNoCalendarHasIsRefused(start: String) async throws {
        try await RunningSandbox.with { sandbox in
            let body = DebitRequest.json().replacing(#/"start":("[^"]*"|[0-9]+)/#, with: "\"start\":\(start)")
            let reply = try await sandbox.send("POST", PDARoute.dataDebit("d"), body, token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(reply.text.contains("error.expected.date"))
        }
    }

    @Test func theEndOfAPermission() throws {
        #expect(try permission().end == nil)
        #expect(try permission(cancels: true).end == 10_000)
        #expect(try permission(canceled: 4321).end == 4321)
        // Cancelled at the end of a period: of the one that it falls in.
        #expect(try permission(cancels: true, canceled: 4321).end == 10_000)
        #expect(try permission(start: 1000, cancels: true, canceled: 11_000).end == 11_000)
        #expect(try permission(start: 1000, cancels: true, canceled: 11_001).end == 21_000)
        #expect(try permission(start: 5000, cancels: true, canceled: 1).end == 5000)
        #expect(try permission(period: 0, cancels: true, canceled: 7).end == 7)
    }

    @Test func whenAPermissionIsActive() throws {
        #expect(try permission(start: 5).isActive(at: 5))
        #expect(try !permission(start: 5).isActive(at: 4))
        #expect(try !permission(accepted: false).isActive(at: 5))
        #expect(try permission(cancels: true).isActive(at: 9999))
        #expect(try !permission(cancels: true).isActive(at: 10_000))
    }

    @Test(
        arguments: [
            ("P1D", 86_400_000), ("PT1H30M", 5_400_000), ("P1DT0.5S", 86_400_500), ("P2W", 1_209_600_000),
            ("PT-5S", -5000),
            ("P1M", nil), ("1D", nil), ("P", nil), ("PT", nil), ("P1", nil), ("PD", nil), ("P1DT1D", nil),
            ("PT1e5S", nil),
        ] as [(String, Int64?)]
    )
    func durations(text: String, milliseconds: Int64?) { #expect(ISODuration.milliseconds(text) == milliseconds) }

    @Test func theOldPermissionCountsUntilTheNewOneIsAccepted() async throws {
        try await RunningSandbox.with { sandbox in
            let (path, enable) = (PDARoute.dataDebit("d"), PDARoute.enableDataDebit("d"))
            _ = try await sandbox.send("POST", path, DebitRequest.json(bundle: "one"), token: sandbox.owner)
            _ = try await sandbox.get(enable, token: sandbox.owner)
            sandbox.clock.advance(seconds: 5)
            let second = DebitRequest.json(bundle: "two", endpoint: "c/d")
            let updated = try await sandbox.send("PUT", path, second, token: sandbox.owner).json
            #expect(updated?["permissionsActive"]?["bundle"]?["name"]?.stringText == "one")
            #expect(updated?["permissionsLatest"]?["bundle"]?["name"]?.stringText == "two")
            let agreed = try await sandbox.get(enable, token: sandbox.owner).json
            #expect(agreed?["permissionsActive"]?["bundle"]?["name"]?.stringText == "two")
            #expect(agreed?["permissions"]?.elements?.map { $0["accepted"]?.bool } == [false, true])
            // A known bundle keeps its content, whatever a proposal says.
            let third = DebitRequest.json(bundle: "two", endpoint: "e/f")
            let kept = try await sandbox.send("PUT", path, third, token: sandbox.owner).json
            let endpoints = kept?["permissionsLatest"]?["bundle"]?["bundle"]?["p"]?["endpoints"]?.elements
            #expect(endpoints?.first?["endpoint"]?.stringText == "c/d")
            // A bundle that is merely registered hits a constraint.
            _ = try await sandbox.send("POST", "/api/v2.6/data-bundle/loose", "{}", token: sandbox.owner)
            let clash = try await sandbox.send("PUT", path, DebitRequest.json(bundle: "loose"), token: sandbox.owner)
            #expect(clash.status == 500)
        }
    }

    @Test func disablingAtThePeriodsEndLetsItRunOut() async throws {
        try await RunningSandbox.with { sandbox in
            let start = #""2023-11-14T22:13:20.000Z""#
            let body = DebitRequest.json(start: start, period: #""PT100S""#)
            let path = PDARoute.dataDebit("d")
            let made = try await sandbox.send("POST", path, body, token: sandbox.owner).json
            #expect(made?["permissionsLatest"]?["period"]?.number?.int64 == Int64(100_000))
            _ = try await sandbox.get(PDARoute.enableDataDebit("d"), token: sandbox.owner)
            sandbox.clock.advance(seconds: 250)
            let later = PDARoute.disableDataDebit("d", atPeriodEnd: true)
            let ending = try await sandbox.get(later, token: sandbox.owner).json
            #expect(ending?["active"]?.bool == true)
            #expect(ending?["end"]?.stringText == "2023-11-14T22:18:20.000Z")
            #expect(ending?["permissionsActive"]?["cancelAtPeriodEnd"]?.bool == true)
            #expect(ending?["permissionsActive"]?["canceledAt"]?.stringText == "2023-11-14T22:17:30.000Z")
            sandbox.clock.advance(seconds: 50)
            #expect(try await sandbox.get(path, token: sandbox.owner).json?["active"]?.bool == false)
            // Enabling again leaves it to end with a period that is over already.
            let again = try await sandbox.get(PDARoute.enableDataDebit("d"), token: sandbox.owner).json
            #expect(again?["active"]?.bool == false)
            #expect(again?["accepted"]?.bool == true)
            let missing = try await sandbox.get("\(path)/disable", token: sandbox.owner)
            #expect(missing.status == 400)
            #expect(missing.text == #"{"error":"Bad Request","message":"Missing parameter: atPeriodEnd"}"#)
            let unknown = try await sandbox.get(PDARoute.enableDataDebit("x"), token: sandbox.owner)
            #expect(unknown.status == 400)
            #expect(unknown.text == #"{"message":"Not Found","cause":"Data Debit with this ID does not exist"}"#)
        }
    }

    @Test func whoeverProposedMayReadAndChangeAndNobodyElse() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("a/b", #"{"n":1}"#)
            let (carol, dave) = (try await sandbox.user("carol"), try await sandbox.user("dave"))
            let (mine, other) = (try sandbox.token(of: carol), try sandbox.token(of: dave))
            let path = PDARoute.dataDebit("d")
            #expect(try await sandbox.send("POST", path, DebitRequest.json(), token: mine).status == 201)
            #expect(try await sandbox.get(PDARoute.enableDataDebit("d"), token: mine).status == 403)
            #expect(try await sandbox.get(PDARoute.dataDebits, token: mine).status == 403)
            _ = try await sandbox.get(PDARoute.enableDataDebit("d"), token: sandbox.owner)
            for (token, status) in [(mine, 200), (other, 403)] {
                #expect(try await sandbox.get(path, token: token).status == status)
                #expect(try await sandbox.get(PDARoute.dataDebitValues("d"), token: token).status == status)
                #expect(try await sandbox.send("PUT", path, DebitRequest.json(), token: token).status == status)
            }
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: mine).status == 403)
        }
    }

    @Test func aFieldThatIsNoDateIsAMalformedBundle() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("a/b", #"{"when":"soon"}"#)
            let filter = #"""
                {"endpoint":"a/b","filters":[{"field":"when","transformation":{"transformation":"datetimeExtract",
                 "part":"hour"},"operator":{"operator":"between","lower":0,"upper":23}}]}
                """#
            let body = DebitRequest.json().replacing(#"{"endpoint":"a/b"}"#, with: filter)
            _ = try await sandbox.send("POST", PDARoute.dataDebit("d"), body, token: sandbox.owner)
            _ = try await sandbox.get(PDARoute.enableDataDebit("d"), token: sandbox.owner)
            let reply = try await sandbox.get(PDARoute.dataDebitValues("d"), token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(failure(reply)?.title == "Data Debit Bundle malformed")
        }
    }

    @Test(arguments: [
        (#""period":86400000"#, #""period":-1"#, "obj.period"), (#""purpose":"To know","#, "", "obj.purpose"),
        (#""name":"mine""#, #""name":"my bundle""#, "obj.bundle.name"),
        (#""endpoint":"a/b""#, #""endpoint":"A_b""#, "obj.bundle.bundle.p.endpoints[0].endpoint"),
        (#""start":"2023-11-14T00:00:00.000Z""#, #""start":"soon""#, "obj.start"),
    ])
    func aWrongRequestIsNamedByItsPath(part: String, wrong: String, path: String) async throws {
        try await RunningSandbox.with { sandbox in
            let body = DebitRequest.json().replacing(part, with: wrong)
            let reply = try await sandbox.send("POST", PDARoute.dataDebit("d"), body, token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(reply.json?["message"]?.object?.keys.map(\.text) == [path])
        }
    }
}
