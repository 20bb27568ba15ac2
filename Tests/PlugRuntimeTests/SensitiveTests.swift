import PlugCore
import PlugManifest
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

/// Members that are not shown: the PDA gets them, and the state knows of them before it holds a record.
struct SensitiveTests {
    private static let lines = [
        "key: [.email]", "version: none", "fields: {email: {string, sensitive: true}, n: integer}",
    ]
    private let id = StreamID(connection: ConnectionID("ada"), stream: "items")

    @Test func aDryRunShowsMarksAndARunSendsValues() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set([#"{"email":"a@x.org","n":1}"#, #"{"email":"b@x.org","n":2}"#])
        await bench.run { $0.isDryRun = true }
        #expect(
            bench.warnings.all == [
                #"demo/items {"_id":"<hidden>","email":"<hidden>","n":1}"#,
                #"demo/items {"_id":"<hidden>","email":"<hidden>","n":2}"#,
            ]
        )
        await bench.run()
        #expect(
            bench.pda.stored == [
                #"{"_id":"demo/items/a@x.org","email":"a@x.org","n":1}"#,
                #"{"_id":"demo/items/b@x.org","email":"b@x.org","n":2}"#,
            ]
        )
    }

    @Test func theStateKnowsOfThemAsSoonAsItHoldsARecord() async throws {
        var bench = try Bench(Self.lines)
        bench.source.set([#"{"email":"a@x.org","n":"many"}"#, #"{"email":"b@x.org","n":2}"#])
        await bench.run()
        #expect(try await bench.letters().count == 1)
        #expect(try await bench.store.profile(of: id)?.hidden == HiddenMembers(["email"], hidesIdentity: true))
        // A manifest that says otherwise changes it with its first page.
        bench.manifest = try manifest([
            ("items", ["key: [.email]", "version: none", "fields: {n: {any, sensitive: true}}"])
        ])
        await bench.run()
        #expect(try await bench.store.profile(of: id)?.hidden == HiddenMembers(["n"]))
    }

    @Test func aConflictDoesNotNameTheRecord() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set([#"{"email":"a@x.org","n":1}"#, #"{"email":"a@x.org","n":2}"#])
        let report = await bench.run()
        #expect(report.error?.code == .idConflict)
        #expect(report.error?.message.contains("the first: '<hidden>'") == true)
    }
}
