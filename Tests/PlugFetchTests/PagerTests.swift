import JQ
import LosslessJSON
import Testing

@testable import PlugFetch
@testable import PlugManifest

struct PagerTests {
    private static func paging(
        _ kind: Paging.Kind,
        stop: Paging.Stop? = nil,
        size: Int? = nil,
        maximum: Int = 10_000
    ) -> Paging {
        Paging(
            kind: kind,
            place: .query,
            onlyFirst: [],
            sinceOnlyFirst: false,
            more: nil,
            total: nil,
            stop: stop,
            maximum: maximum,
            size: size
        )
    }

    private static let number = paging(.number(param: "page", from: 1, sizeParam: nil))
    private static let offset = paging(.offset(param: "skip", size: 100, sizeParam: nil), size: 100)
    private static func cursor(_ stop: Paging.Stop? = nil, size: Int? = nil) throws -> Paging {
        paging(.cursor(from: try JQProgram(".next"), param: "after", sizeParam: nil), stop: stop, size: size)
    }
    private static func token(_ text: String) -> Place { .token(.text(text)) }

    /// One row: a pager at its start, one page, and where it goes then.
    private struct Row {
        var paging: Paging?
        var facts: PageFacts
        var next: Place?
    }

    @Test func goesWhereTheKindAndTheStopRulesSay() throws {
        let cursor = try Self.cursor()
        let rows: [Row] = [
            Row(paging: nil, facts: PageFacts(count: 5)),
            Row(paging: Self.number, facts: PageFacts(count: 5), next: .number(2)),
            Row(paging: Self.number, facts: PageFacts(count: 0)),
            Row(paging: Self.number, facts: PageFacts(count: 0, more: true), next: .number(2)),
            Row(paging: Self.number, facts: PageFacts(count: 5, more: false)),
            Row(paging: Self.number, facts: PageFacts(count: 5, total: 5)),
            Row(paging: Self.number, facts: PageFacts(count: 5, total: 6), next: .number(2)),
            Row(paging: Self.offset, facts: PageFacts(count: 100), next: .offset(100)),
            // Fewer than asked for may have more behind them.
            Row(paging: Self.offset, facts: PageFacts(count: 50), next: .offset(50)),
            // What `records` filters out was there all the same.
            Row(paging: Self.offset, facts: PageFacts(count: 50, countsAll: false), next: .offset(100)),
            Row(paging: Self.offset, facts: PageFacts(count: 0)),
            Row(paging: cursor, facts: PageFacts(count: 5, following: Self.token("b")), next: Self.token("b")),
            Row(paging: cursor, facts: PageFacts(count: 0, following: Self.token("b")), next: Self.token("b")),
            Row(paging: cursor, facts: PageFacts(count: 5)),
            Row(paging: cursor, facts: PageFacts(count: 5, following: Self.token("b"), more: false)),
            Row(paging: try Self.cursor(.empty), facts: PageFacts(count: 0, following: Self.token("b"))),
            Row(paging: try Self.cursor(.short, size: 10), facts: PageFacts(count: 9, following: Self.token("b"))),
            // A round number may be the source's own size.
            Row(
                paging: try Self.cursor(.short, size: 100),
                facts: PageFacts(count: 50, following: Self.token("b")),
                next: Self.token("b")
            ),
            Row(
                paging: try Self.cursor(.short, size: 100),
                facts: PageFacts(count: 25, following: Self.token("b")),
                next: Self.token("b")
            ),
            Row(paging: try Self.cursor(.short, size: 100), facts: PageFacts(count: 51, following: Self.token("b"))),
            Row(
                paging: try Self.cursor(.short, size: 10),
                facts: PageFacts(count: 10, following: Self.token("b")),
                next: Self.token("b")
            ),
        ]
        for row in rows {
            var pager = Pager(row.paging)
            let goesOn = try pager.take(row.facts)
            #expect((goesOn ? pager.place : nil) == row.next, "\(row)")
        }
    }

    @Test func refusesATokenThatItSawBefore() throws {
        var pager = Pager(try Self.cursor())
        #expect(try pager.take(PageFacts(count: 1, following: Self.token("a"))))
        #expect(try pager.take(PageFacts(count: 1, following: Self.token("b"))))
        #expect(throws: PagingFault.loop) { try pager.take(PageFacts(count: 1, following: Self.token("a"))) }
        #expect(pager.place == Self.token("b"))
    }

    @Test func anEmptyPageThatLeadsToItselfIsTheEnd() throws {
        var pager = Pager(try Self.cursor())
        #expect(try pager.take(PageFacts(count: 1, following: Self.token("a"))))
        #expect(try !pager.take(PageFacts(count: 0, following: Self.token("a"))))
        // One with records may be a service that ignores the token.
        #expect(throws: PagingFault.loop) { try pager.take(PageFacts(count: 1, following: Self.token("a"))) }
    }

    @Test func followsTwentyEmptyPagesAndNotOneMore() throws {
        var pager = Pager(try Self.cursor())
        for at in 1...20 { #expect(try pager.take(PageFacts(count: 0, following: Self.token("\(at)")))) }
        var other = pager
        #expect(throws: PagingFault.empty) { try pager.take(PageFacts(count: 0, following: Self.token("x"))) }
        // A record in between begins a new count.
        #expect(try other.take(PageFacts(count: 1, following: Self.token("x"))))
        for at in 1...20 { #expect(try other.take(PageFacts(count: 0, following: Self.token("y\(at)")))) }
    }

    @Test func takesTheSameRecordsThreeTimesForALoop() throws {
        var pager = Pager(Self.number)
        for hash in [1, 2, 1, 1] { #expect(try pager.take(PageFacts(count: 3, mark: .hash(hash)))) }
        #expect(throws: PagingFault.loop) { try pager.take(PageFacts(count: 3, mark: .hash(1))) }
        // Pages without records are counted elsewhere.
        for _ in 1...9 { #expect(try pager.take(PageFacts(count: 3, mark: nil))) }
    }

    @Test func stopsAtTheMaximum() throws {
        var pager = Pager(Self.paging(.number(param: "p", from: 1, sizeParam: nil), maximum: 2))
        #expect(try pager.take(PageFacts(count: 3)))
        #expect(throws: PagingFault.limit) { try pager.take(PageFacts(count: 3)) }
        // The last page may be the one at the maximum.
        var exact = Pager(Self.paging(.number(param: "p", from: 1, sizeParam: nil), maximum: 2))
        #expect(try exact.take(PageFacts(count: 3)))
        #expect(try !exact.take(PageFacts(count: 0)))
    }

    @Test func goesOnePageBackWherePagesShift() throws {
        func resumed(_ paging: Paging, _ facts: PageFacts...) throws -> Place? {
            var pager = Pager(paging)
            for facts in facts { _ = try pager.take(facts) }
            return Pager(paging, resuming: .object(JSONObject(pager.members)))?.place
        }
        #expect(try resumed(Self.number) == .number(1))
        #expect(try resumed(Self.number, PageFacts(count: 5), PageFacts(count: 5)) == .number(2))
        #expect(try resumed(Self.offset, PageFacts(count: 100), PageFacts(count: 40)) == .offset(100))
        #expect(try resumed(try Self.cursor(), PageFacts(count: 5, following: Self.token("b"))) == Self.token("b"))
    }

    @Test(arguments: [
        (number, [1, 1, 2, 2, 3, 3, 4].map(Place.number)), (offset, [0, 0, 100, 100, 200, 200, 300].map(Place.offset)),
    ])
    func getsOnWhereEachRunReadsOnePage(_ paging: Paging, _ expected: [Place]) throws {
        var state = JSONValue.null
        var places: [Place] = []
        for _ in expected {
            var pager = Pager(paging, resuming: state) ?? Pager(paging)
            places.append(pager.place)
            #expect(try pager.take(PageFacts(count: 100)))
            state = .object(JSONObject(pager.members))
        }
        // Each page is read again once, because pages shift while nobody looks, and then the next one's turn has come.
        #expect(places == expected)
    }

    @Test func goesOnBehindTheLastPageThatARunMayRead() throws {
        let paging = Self.paging(.number(param: "p", from: 1, sizeParam: nil), maximum: 3)
        var pager = Pager(paging)
        for _ in 0..<2 { #expect(try pager.take(PageFacts(count: 3))) }
        #expect(throws: PagingFault.limit) { try pager.take(PageFacts(count: 3)) }
        var next = try #require(Pager(paging, resuming: .object(JSONObject(pager.members))))
        #expect(next.place == .number(3))
        for _ in 0..<2 { #expect(try next.take(PageFacts(count: 3))) }
        #expect(throws: PagingFault.limit) { try next.take(PageFacts(count: 3)) }
        #expect(next.place == .number(6))
    }

    @Test func countsATotalOverAnInterruption() throws {
        var pager = Pager(Self.number)
        for _ in 0..<3 { #expect(try pager.take(PageFacts(count: 10, total: 35))) }
        var resumed = try #require(Pager(Self.number, resuming: .object(JSONObject(pager.members))))
        #expect(resumed.place == .number(3))
        #expect(try resumed.take(PageFacts(count: 10, total: 35)))
        #expect(try !resumed.take(PageFacts(count: 5, total: 35)))
    }

    @Test func doesNotContinueAPlaceOfAnotherKind() throws {
        let state = JSONValue.members(("place", .members(("url", .text("https://api.test/2")))))
        #expect(Pager(Self.number, resuming: state) == nil)
        #expect(Pager(nil, resuming: state) == nil)
        #expect(Pager(Self.paging(.link), resuming: state)?.place == .url("https://api.test/2"))
    }
}

struct LinkHeaderTests {
    @Test(arguments: [
        (#"<https://a/2>; rel="next""#, "https://a/2"),
        (#"<https://a/2>; rel=next"#, "https://a/2"),
        (#"<https://a/2>;rel="next",<https://a/9>;rel="last""#, "https://a/2"),
        (#"<https://a/1>; rel="prev", <https://a/3>; rel="next""#, "https://a/3"),
        (#"<https://a/3>; rel="last next""#, "https://a/3"),
        (#"<https://a/3>; REL="NEXT""#, "https://a/3"),
        (#"<https://a/x,y;z>; title="a, b; rel=\"next\""; rel=next"#, "https://a/x,y;z"),
        (#"<https://a/1>; title="x, <https://evil>; rel=next"; rel=prev"#, nil),
        (#"<https://a/1>; rel=prev; rel=next"#, nil),
        (#"<https://a/1>; rel=next; anchor="/other""#, nil),
        (#"</things?page=2>; rel="next""#, "/things?page=2"),
        (#"<https://a/2> ; rel = "next""#, "https://a/2"),
        ("", nil), (",,,", nil), ("<>", nil), (#"<https://a/2>; rel"#, nil), (#"<https://a/2>; rel="nex"#, nil),
        (#"</style.css>; rel=preload; nopush"#, nil), (#"<https://a/next>; rel=prev; title=next"#, nil),
    ])
    func findsTheNextLink(field: String, target: String?) {
        #expect(LinkHeader.target(in: [field], relation: "next") == target.map { .link($0) } ?? .none)
    }

    /// Forms that RFC 8288 does not have, and other clients read.
    @Test(arguments: [
        "<https://a/2>; rel='next'", "https://a/2; rel=\"next\"", "https://a/2; rel=next, <https://a/3>; rel=next",
        "\"https://a/2\"; rel=next", "< https://a/2 >;rel=next", "<https://a/2> rel=\"next\"",
        "<https://a/2>;; rel=next;",
        "<https://a/2>; rel=\"last,next\"", "<https://a/1>; rel='prev', <https://a/2>; type='a, b'; rel='next'",
        "garbage, <https://a/2>; rel=next",
    ])
    func findsTheNextLinkInOtherForms(field: String) {
        #expect(LinkHeader.target(in: [field], relation: "next") == .link("https://a/2"))
    }

    @Test(arguments: [
        "<https://a/2; rel=next", "rel=next; <https://a/2>", "<https://a/2>; rel=\"next",
        "&lt;https://a/2&gt;; rel=next",
        "next: https://a/2", "<https://a/2>; next", "{\"next\": \"https://a/2\"}", "https://a/2 rel=next",
    ])
    func aNextLinkThatCannotBeReadIsNotAbsent(field: String) {
        #expect(LinkHeader.target(in: [field], relation: "next") == .unreadable)
        let both = [field, "<https://a/3>; rel=next"]
        #expect(LinkHeader.target(in: both, relation: "next") == .link("https://a/3"))
    }

    @Test func looksThroughSeveralHeaders() {
        let fields = ["<https://a/1>; rel=prev", "<https://a/2>; rel=next"]
        #expect(LinkHeader.target(in: fields, relation: "next") == .link("https://a/2"))
    }
}
