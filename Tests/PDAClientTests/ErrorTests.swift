import CurlTransport
import LosslessJSON
import PDAClient
import PDAWire
import Testing

struct ErrorTests {
    private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJwZGEifQ.c2lnbmF0dXJl"

    private func error(_ answer: Result<HTTPResponse, HTTPError>, _ request: PDARequest) async -> (PDAError?, PDAResult)
    {
        let tokens = InMemoryTokens(Secret(Self.token))
        let client = PDA("pda.example.net", tokens: tokens, transport: ScriptedSending(answer))
        let result = await client.request(request)
        guard case .failure(let error, _, _) = result else { return (nil, result) }
        return (error, result)
    }

    @Test(arguments: [
        #"{"error":"Bad TOKEN","message":"the token TOKEN of X-Auth-Token"}"#,
        #"{"message":"Bad TOKEN","cause":"TOKEN","details":["TOKEN"]}"#,
        #"{"error":"Bad","message":{"TOKEN":["TOKEN","aTOKENb"]}}"#,
        #"{"message":"cut","cause":"eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOi"}"#,
    ])
    func aServerThatRepeatsTheTokenDoesNotGetItIntoAnError(body: String) async throws {
        let body = body.replacing("TOKEN", with: Self.token)
        let (error, result) = await error(.answer(400, body), PDARequest("/x?token=OTHER", method: "PUT"))
        let shown = "\(try #require(error)) \(result) \(String(reflecting: result))"
        #expect(!shown.contains("eyJ"))
        #expect(!shown.contains("OTHER"))
        #expect(shown.contains("<redacted>"))
    }

    @Test func aGivenTokenOrPasswordIsHiddenToo() async throws {
        let request = PDARequest(
            "/users/own?password=QUERY",
            headers: [HTTPHeader("X-Auth-Token", "HEADER"), HTTPHeader("Password", "p%C3%A4ss")]
        )
        let body = #"{"message":"HEADER päss","cause":"p%C3%A4ss QUERY"}"#
        let (error, _) = await error(.answer(400, body), request)
        #expect(error?.failure?.title == "<redacted> <redacted>")
        #expect(error?.failure?.cause == "<redacted> <redacted>")
        #expect(
            error?.message
                == "GET https://pda.example.net/users/own answered 400: <redacted> <redacted>: <redacted> <redacted>"
        )
    }

    @Test func aShortOrGivenSecretIsHiddenAndTheAddressStays() async throws {
        let own = PDARequest("/own/a", method: "POST", parameters: .object(["newPassword": .text("a")]))
        let (error, _) = await error(.answer(400, #"{"message":"No","cause":"a?"}"#), own)
        #expect(error?.message == "POST https://pda.example.net/own/a answered 400: No: <redacted>?")
    }

    @Test func theServersCausesAreJudged() async throws {
        func body(_ cause: String, _ title: String = "Bad Request") -> String {
            PDAFailure(.application, title: title, cause: cause).body.compactText
        }
        let busy = PDAFailure(.framework, title: "Not Found", cause: "HAT unavailable").body.compactText
        let cases: [(Int, String, PDAError.Code, PDAError.Remedy)] = [
            (400, body(PDACause.duplicate), .duplicate, .nothing),
            (400, body(PDACause.batchDuplicate), .duplicate, .nothing),
            (400, body(PDACause.notInsertable), .refused, .changeCall),
            (400, body(PDACause.rateExceeded), .tooManyRequests, .wait),
            (400, body(PDACause.recordMissing, "Data Missing"), .notFound, .changeCall),
            (400, body(PDACause.updateMissing, "Data Missing"), .refused, .changeCall),
            (401, "", .notAuthenticated, .logIn), (403, "", .forbidden, .askOwner),
            (404, busy, .unavailable, .wait), (404, "{}", .notFound, .changeCall),
            (413, "<html>", .tooLarge, .changeCall), (414, "", .tooLarge, .changeCall),
            (415, "<html>", .refused, .changeCall), (429, "", .tooManyRequests, .wait),
            (500, "", .server, .wait), (503, "", .unavailable, .wait), (418, "", .refused, .changeCall),
        ]
        for (status, body, code, remedy) in cases {
            let (error, _) = await error(.answer(status, body), PDARequest("/x"))
            #expect(error?.code == code, "\(status) \(body)")
            #expect(error?.remedy == remedy, "\(status) \(body)")
            #expect(error?.status == status)
            #expect(error?.advice != nil, "\(status) \(body)")
        }
    }

    @Test func pagesAreRecognisedWithoutTheirTypeToo() async {
        let answers: [Result<HTTPResponse, HTTPError>] = [
            .answer(200, "\n<!DOCTYPE html>"), .answer(200, "<html/>", ["Content-Type": "application/xhtml+xml"]),
            .answer(200, "[]", ["Content-Type": "TEXT/HTML"]),
        ]
        for answer in answers { #expect(await error(answer, PDARequest("/x")).0?.code == .html) }
    }
}
