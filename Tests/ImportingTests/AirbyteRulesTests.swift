import Testing

@testable import Importing

@Suite("Error handlers of Airbyte's language as rules")
struct AirbyteRulesTests {
    private func rules(_ handler: String) throws -> [String] {
        let lines = try importedLines {
            $0.requester = """
                {type: HttpRequester, url_base: 'https://api.example.org/v1', path: /books, error_handler: \(handler)}
                """
        }
        return Array(lines.drop { !$0.hasPrefix("on:") })
    }

    @Test(
        "A filter holds for its statuses, and for other answers by its conditions; what is ignored is read where it is a success"
    )
    func filters() throws {
        let gone = #"(.gone == "y")"#
        for action in ["IGNORE", "SUCCESS"] {
            #expect(
                try rules(
                    """
                    {type: DefaultErrorHandler, response_filters: [{action: \(action), http_codes: [203, 404, 410], predicate: "{{ response.gone == 'y' }}"}]}
                    """
                ) == [
                    "on:", "  - {status: 203, do: ok}", "  - {status: [404, 410], do: skip}",
                    "  - {status: 2xx, if: '\(gone)', do: ok}", "  - {status: [4xx, 5xx], if: '\(gone)', do: skip}",
                ]
            )
        }
        #expect(
            try rules(
                "{type: DefaultErrorHandler, response_filters: [{action: RETRY, predicate: '{{ response.gone == ''y'' }}'}]}"
            )
                == ["on: [{status: [2xx, 4xx, 5xx], if: '\(gone)', do: retry}]"]
        )
    }

    private func composite(_ handlers: [String]) throws -> [String] {
        let written = handlers.map { "{type: DefaultErrorHandler, response_filters: [\($0)]}" }
        return try rules("{type: CompositeErrorHandler, error_handlers: [\(written.joined(separator: ", "))]}")
    }

    @Test("Behind another handler, one judges only what that one lets fail, or takes for a rate limit")
    func composites() throws {
        // The first one retries 500 and 503 by itself.
        #expect(
            try composite([
                "{action: RATE_LIMITED, http_codes: [429]}", "{action: IGNORE, http_codes: [404, 500, 503]}",
            ]) == [
                "on: [{status: 404, do: skip}, {status: 429, do: limit}]"
            ]
        )
        #expect(
            try composite(["{action: FAIL, http_codes: [500]}", "{action: IGNORE, http_codes: [500, 502]}"])
                == ["on: [{status: 500, do: skip}]"]
        )
        // A failure counts only if the last one fails, too; then its message is shown.
        #expect(
            try composite([
                "{action: FAIL, http_codes: [403, 500], error_message: No access}, {action: IGNORE, http_codes: [400]}",
                "{action: IGNORE, http_codes: [404]}",
            ]) == [
                "on: [{status: 400, do: skip}, {status: 404, do: skip}, {status: 403, do: fail, message: No access}]"
            ]
        )
        #expect(
            try composite([
                #"{action: IGNORE, predicate: "{{ response.b == 'y' }}"}"#,
                #"{action: IGNORE, predicate: "{{ response.c == 'y' }}"}"#,
            ]) == [
                "on:",
                #"  - {status: 2xx, if: '(.b == "y")', do: ok}"#,
                #"  - {status: [4xx, 5xx], if: '(.b == "y")', do: skip}"#,
                #"  - {status: [400, 401, 403, 404, 405, 429], if: '(.c == "y")', do: skip}"#,
            ]
        )
        var stream = OneStream()
        stream.requester = """
            {type: HttpRequester, url_base: "https://api.example.org/v1", path: /books, error_handler: {type: CompositeErrorHandler,
            error_handlers: [{type: DefaultErrorHandler, response_filters: [{action: FAIL, predicate: "{{ response.a }}"}]},
            {type: DefaultErrorHandler, response_filters: [{action: IGNORE, predicate: "{{ response.b }}"}]}]}}
            """.replacing("\n", with: " ")
        #expect(try stream.reasons() == ["a condition that fails in one of several error handlers has no counterpart"])
    }
}
