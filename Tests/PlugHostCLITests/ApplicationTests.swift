import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

struct ApplicationCommandTests {
    private static let wikipedia = Program.root + "/Plugs/wikipedia"
    private static let bare = """
        plug: edits
        api: 1
        version: 2.4.1
        namespace: wiki
        hosts: [en.wikipedia.org]
        http: {base: "https://en.wikipedia.org"}
        streams: {edits: {endpoint: edits, request: {path: /w}, key: [.id], version: none}}

        """

    @Test func showsWhatAPDAGivesToAppsBeforeSetUp() async throws {
        let ended = await Program.run([
            "application", "show", Self.wikipedia, "--base", "https://plugs.example/", "--json",
        ])
        #expect(ended.status == .done && ended.errors.isEmpty)
        let object = try JSONValue(parsing: ended.output)
        #expect(object.object?.members.map(\.key.text) == ["application", "setup", "enabled", "active"])
        #expect([object["setup"], object["enabled"], object["active"]] == [.bool(false), .bool(false), .bool(false)])
        #expect(
            object["application"]?["setup"]?.compactText
                == #"{"url":"https://plugs.example/plugs/wikipedia/setup","validRedirectUris":[],"kind":"External"}"#
        )
        let exported = await Program.run(["application", "export", Self.wikipedia, "--base", "https://plugs.example"])
        #expect(try JSONValue(parsing: exported.output) == object["application"])
    }

    @Test func aFolderOfPlugsIsValidated() async throws {
        try await Program.withFolder { folder in
            for name in ["one", "two"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try FilesHere.write(Self.bare, to: "\(folder)/one/plug.yaml")
            try FilesHere.write("plug: [", to: "\(folder)/two/plug.yaml")
            let ended = await Program.run(["application", "validate", folder, Self.wikipedia])
            #expect(ended.status == .configuration)
            #expect(ended.errors.contains("the application of 'edits': 9 errors\n"))
            #expect(ended.errors.contains("[manifest-invalid] \(folder)/two/plug.yaml has"), "\(ended.errors)")
            #expect(ended.errors.hasSuffix("the application of 'wikipedia': no problems\n"), "\(ended.errors)")
            let bundled = await Program.run(["application", "validate", Program.root + "/Plugs"])
            #expect(bundled.status == .done, "\(bundled.output)")
        }
    }

    @Test func whatIsMissingIsAnErrorHereAndAWarningElsewhere() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write(Self.bare, to: folder + "/plug.yaml")
            let path = folder + "/plug.yaml"
            let strict = await Program.run(["application", "validate", folder])
            #expect(strict.status == .configuration)
            let missing = [
                "info.name", "info.headline", "info.description", "info.termsUrl", "info.dataUsePurpose",
                "info.supportContact", "released", "developer.country", "developer.url",
            ].map { $0 == "released" ? $0 : "application." + $0 }
            #expect(
                strict.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
                    == missing.map { "\(path): error: [application-missing] '\($0)' is missing" }[...].map { $0[...] }
            )
            #expect(strict.errors == "the application of 'edits': 9 errors\n")
            #expect(await Program.run(["validate", folder]).status == .done)
            for verb in ["show", "export"] {
                let ended = await Program.run(["application", verb, folder])
                #expect(ended.status == .configuration)
                #expect(ended.output.isEmpty)
                #expect(ended.errors.contains("[application-invalid]"))
            }
            let sandbox = await Program.run(["sandbox", "--plugs", folder, "--state", folder + "/state"])
            #expect(sandbox.status == .configuration)
            #expect(sandbox.errors.contains("[application-invalid]"))
        }
    }

    @Test func anAddressThatIsNoneIsRefused() async {
        let show = await Program.run(["application", "show", Self.wikipedia, "--base", "plugs.example"])
        #expect(show.status == .usage)
        #expect(show.errors.contains("[bad-host-address]"))
        let register = await Program.run([
            "application", "register", Self.wikipedia, "--exchange", "ftp://x", "--token-file", "none",
        ])
        #expect(register.status == .usage)
    }

    @Test(
        arguments: [
            (201, "{}", nil, nil),
            (200, "{}", nil, nil),
            (401, #"{"message":"Unauthorized","cause":"the token t0ken-secret is old"}"#, "exchange-forbidden", 77),
            (409, #"{"message":"Conflict","cause":"Application exists"}"#, "exchange-refused", 65),
            (404, "<html>", "exchange-refused", 65), (503, "", "exchange-failed", 75),
            (302, "", "exchange-refused", 65),
        ] as [(Int, String, String?, Int32?)]
    )
    func saysWhatTheExchangeAnswered(_ status: Int, _ body: String, _ code: String?, _ exit: Int32?) async throws {
        let exchange = AnsweringExchange(status: status, body: body)
        let registration = Registration(
            exchange: try HTTPURL("https://dex.example/"),
            token: Secret("t0ken-secret"),
            transport: exchange
        )
        let definition = JSONValue.object(JSONObject([("id", .text("a/b"))]))
        do {
            #expect(try await registration.send(definition, isUpdate: status == 200) == status)
            #expect(code == nil)
        } catch {
            #expect(error.code.text == code)
            #expect(error.exit.rawValue == exit)
            #expect(!error.description.contains("t0ken-secret"))
        }
        let method = status == 200 ? "PUT" : "POST"
        let path = status == 200 ? "/api/v3/applications/a%2Fb" : "/api/v3/applications"
        #expect(await exchange.asked == ["\(method) https://dex.example\(path) \(definition.compactText)"])
    }
}

/// An exchange that always answers the same.
private actor AnsweringExchange: HTTPSending {
    private let status: Int
    private let body: String
    private(set) var asked: [String] = []

    init(status: Int, body: String) {
        self.status = status
        self.body = body
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        asked.append("\(request.method) \(request.url) " + String(decoding: request.body ?? [], as: UTF8.self))
        return HTTPResponse(
            status: status,
            headers: HTTPHeaders([]),
            body: JSONBuffer(Array(body.utf8)),
            sentBytes: 0,
            receivedBytes: 0,
            url: request.url
        )
    }
}
