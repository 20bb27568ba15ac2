import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// What a person is advised to do fits what went wrong.
struct AdviceTests {
    private static func read(_ reply: Script.Reply, _ http: String = "", page: String = "{next: .next}") async throws
        -> PlugError?
    {
        try await Bench(
            "http: {base: \"https://api.test\"\(http)}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: \(page)}}\n"
        ).read(from: Script(reply)).error
    }

    @Test(
        "an answer that cannot be read",
        arguments: [
            (HTTPError.Code.tooLarge, "ask for smaller pages, or raise 'http.max_body' in the manifest"),
            (.growsTooMuch, "a page of records does not expand that much: request the same address by hand"),
            (
                .badEncoding,
                "no setting changes it: request the same address by hand; something between this machine and the "
                    + "source may be compressing its answers"
            ),
            (
                .badResponse,
                "check the scheme and port of the address: no HTTP server answers there, or something in between "
                    + "changes its answers"
            ),
            (
                .headerTooLarge,
                "no answer needs such a large header: something between this machine and the source may add to it"
            ),
        ]
    )
    func unreadable(code: HTTPError.Code, advice: String) async throws {
        let error = try await Self.read(.failure(code))
        #expect(error?.code == "page-unreadable")
        #expect(error?.advice == advice)
    }

    @Test("an answer that is too deep is JSON")
    func deep() async throws {
        let brackets = (String(repeating: "[", count: 127), String(repeating: "]", count: 127))
        #expect(try await Self.read(.json("{\"items\":[],\"deep\":\(brackets.0)\(brackets.1),\"next\":null}")) == nil)
        let error = try await Self.read(.json("{\"items\":[],\"deep\":[\(brackets.0)\(brackets.1)],\"next\":null}"))
        #expect(
            error
                == PlugError(
                    .pageTooDeep,
                    "the answer to GET https://api.test/t has arrays and objects nested deeper than the limit of 128 "
                        + "levels, at byte offset 146",
                    advice: "no setting raises the limit: request less per answer, if the "
                        + "service has a parameter for it",
                    stream: "things",
                    reach: .item
                )
        )
    }

    @Test("a wait that the manifest's own rate asks for is not the service's")
    func ownRate() async throws {
        let reply = Script.Reply.json(#"{"items":[{"id":1}],"next":"/t?page=2"}"#)
        let own = try await Self.read(reply, ", limits: [{rate: 1/1h}], retry: {max_wait: 60s}")
        #expect(
            own?.message == "GET https://api.test/t: 'http.limits' in the manifest allows no more requests before "
                + "2026-11-21T13:00:01Z"
        )
        let advice = "run it again then; it continues where it stopped. If the service allows more, raise the rate"
        #expect(own?.advice == advice)
        let told = try await Self.read(
            .status(429, HTTPHeader("Retry-After", "3600")),
            ", limits: [{rate: 1/1h}], retry: {max_wait: 60s}"
        )
        #expect(
            told?.message == "GET https://api.test/t: the source accepts no more requests before 2026-11-21T13:00:00Z"
        )
        #expect(told?.advice == "run it again then; it continues where it stopped")
    }

    @Test(
        "a link that leads out",
        arguments: [
            (
                "https://files.test/t", "which is not one of the plug's hosts (api.test)",
                "if the plug is meant to follow it, add \"files.test\" to 'hosts' in the manifest"
            ),
            (
                "https://api.test:8443/t", "which is not one of the plug's hosts (api.test)",
                "if the plug is meant to follow it, add \"api.test:8443\" to 'hosts' in the manifest"
            ),
            (
                "http://api.test/t", "which is not encrypted, although the request was",
                "if 'page.next' gives it, correct it in the program: .next | sub(\"^http:\"; \"https:\"); plughost "
                    + "never follows it as it is"
            ),
            (
                "https://api.test:port/t", "which is not a usable address",
                "check where it comes from: the program in the manifest may give something other than the address"
            ),
        ]
    )
    func escape(link: String, words: String, advice: String) async throws {
        let error = try await Self.read(.json("{\"items\":[{\"id\":1}],\"next\":\"\(link)\"}"))
        #expect(error?.code == "pagination-escape")
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.advice == advice)
    }
}
