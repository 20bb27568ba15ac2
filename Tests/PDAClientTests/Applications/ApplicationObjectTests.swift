import LosslessJSON
import PDAClient
import PlugCore
import Testing

struct ApplicationObjectTests {
    private func object(_ text: String) throws -> HATApplicationObject {
        try HATApplicationObject(json: try JSONValue(parsing: text))
    }

    @Test func s35S36S37ThePlugIsReadWhole() throws {
        let plug = try object(Examples.plug)
        #expect(plug.isSetUp)
        #expect(plug.isEnabled)
        #expect(plug.isActive)
        #expect(plug.needsUpdating == false)
        #expect(plug.mostRecentData == "2024-05-06T07:08:09.010Z")
        #expect(plug.dependenciesEnabled == nil)
        #expect(plug.state == .connected)
        let application = plug.application
        #expect(application.id == "acme-steps")
        #expect(application.kind.kind == .dataPlug)
        #expect(application.kind.url == "https://steps.plugs.example.com")
        #expect(application.kind.iosURL == nil)
        #expect(application.dependencies == nil)

        let info = application.info
        #expect(info.version == "1.4.0")
        #expect(info.updateNotes?.header == "Faster sync")
        #expect(info.updateNotes?.notes == ["Polls hourly", "Fewer duplicates"])
        #expect(info.isPublished)
        #expect(info.name == "Acme Steps")
        #expect(info.headline == "Your step counts in your PDA")
        #expect(info.description.text == "Copies daily step counts from Acme to your PDA.")
        #expect(info.description.markdown == "Copies **daily step counts** from Acme to your PDA.")
        #expect(info.description.html == "<p>Copies <b>daily step counts</b> from Acme to your PDA.</p>")
        #expect(info.termsURL == "https://steps.plugs.example.com/terms")
        #expect(info.dataUsePurpose == "The plug only writes; it reads nothing back.")
        #expect(info.supportContact == "support@plugs.example.com")
        #expect(info.rating?.score == "A*A*A*")
        #expect(info.rating?.points == nil)
        let item = try #require(info.dataPreview.first)
        #expect(item.source == "acme-steps")
        #expect(item.date.iso == "2024-05-05T22:00:00.000Z")
        #expect(item.date.unix == 1_714_946_400)
        #expect(item.date.iso.timestamp?.seconds == 1_714_946_400)
        #expect(item.types == ["fitness"])
        #expect(item.title?.text == "You walked")
        #expect(item.title?.action == "steps")
        #expect(item.content?.text == "8,123 steps")
        #expect(info.graphics.banner.normal.isEmpty)
        #expect(info.graphics.logo.normal == "https://cdn.example.com/n.png")
        #expect(info.graphics.logo.small == "https://cdn.example.com/s.png")
        #expect(info.graphics.screenshots.isEmpty)

        #expect(application.developer.id == "acme")
        #expect(application.developer.name == "Acme Ltd")
        #expect(application.developer.url == "https://acme.example.com")
        #expect(application.developer.country == "United Kingdom")
        #expect(application.permissions.rolesGranted.map(\.role) == ["namespacewrite"])
        #expect(application.permissions.rolesGranted.map(\.detail) == ["acme-steps"])
        #expect(application.permissions.dataRetrieved == nil)
        #expect(application.permissions.dataRequired == nil)
        #expect(application.setup.kind == .outside)
        #expect(application.setup.url == "https://steps.plugs.example.com/authenticate/hat")
        let status = application.status
        #expect(status.kind == .outside)
        #expect(status.compatibility == "1.2.0")
        #expect(status.statusURL == "https://steps.plugs.example.com/api/status")
        #expect(status.expectedStatus == 200)
        #expect(status.recentDataCheckEndpoint == "acme-steps/daily")
        #expect(status.dataPreviewEndpoint == "she/feed/acme-steps")
        #expect(status.versionReleaseDate == "2024-04-01T12:00:00.000Z")
    }

    @Test func s36S37TheAppsOwnMembersAreRead() throws {
        let app = try object(Examples.app)
        #expect(app.state == .fetching)
        #expect(app.application.kind.kind == .app)
        #expect(app.application.kind.iosURL == "https://apps.example.com/ios/acme-diary")
        #expect(app.application.kind.androidURL == "https://apps.example.com/android/acme-diary")
        #expect(app.application.info.graphics.screenshots.map(\.large) == ["https://cdn.example.com/diary/1@2.png"])
        let permissions = app.application.permissions
        #expect(
            permissions.rolesGranted.map(\.detail) == ["acme-diary", "acme-diary", "app-acme-diary", "acme-steps", nil]
        )
        let entries = PropertyQuery(
            endpoints: [
                EndpointQuery(
                    "acme-diary/entries",
                    mapping: ["text": "body.text", "when": "created"],
                    filters: [DataFilter(field: "shared", operator: .contains(.bool(true)))]
                )
            ],
            orderBy: "created",
            ordering: .descending,
            limit: 50
        )
        #expect(permissions.dataRetrieved == DataBundle(name: "acme-diary-shared", bundle: ["entries": entries]))
        let plain = PropertyQuery(endpoints: [EndpointQuery("acme-diary/entries")])
        #expect(permissions.dataRequired?.bundle == DataBundle(name: "acme-diary-shared", bundle: ["entries": plain]))
        #expect(permissions.dataRequired?.startDate == "2024-05-01T00:00:00+0000")
        #expect(permissions.dataRequired?.endDate == "2025-05-01T00:00:00+0000")
        #expect(permissions.dataRequired?.isRolling == true)
        #expect(permissions.dataRequired?.conditions == nil)
        let setup = app.application.setup
        #expect(setup.iosURL == "acmediary://pdahost")
        #expect(setup.androidURL == "acmediary://pdahost")
        #expect(setup.onboarding?.map(\.title) == ["Welcome"])
        #expect(setup.onboarding?.map(\.illustration.normal) == ["https://cdn.example.com/o1.png"])
        #expect(app.application.status.kind == .inside)
        #expect(app.application.status.expectedStatus == nil)
    }

    @Test func newerServersMembersAreRead() throws {
        let plug = try object(Examples.serverPlug)
        #expect(plug.application.info.rating?.points == 10)
        #expect(plug.application.setup.validRedirectURIs == [])
    }

    /// What the documentation and the server both require, and nothing else.
    @Test func s35S36S37AMissingMemberIsNamedByItsPath() throws {
        let required: Set<String> = [
            "application", "setup", "enabled", "active", "application.id", "application.kind", "application.info",
            "application.developer", "application.permissions", "application.setup", "application.status",
            "application.kind.kind", "application.kind.url", "application.info.version", "application.info.published",
            "application.info.name", "application.info.headline", "application.info.description",
            "application.info.termsUrl", "application.info.dataUsePurpose", "application.info.supportContact",
            "application.info.dataPreview", "application.info.graphics", "application.info.description.text",
            "application.info.updateNotes.header", "application.info.rating.score",
            "application.info.graphics.banner", "application.info.graphics.logo",
            "application.info.graphics.screenshots", "application.info.graphics.banner.normal",
            "application.info.graphics.logo.normal", "application.developer.id", "application.developer.name",
            "application.developer.url", "application.permissions.rolesGranted", "application.setup.kind",
            "application.status.kind", "application.status.compatibility", "application.status.versionReleaseDate",
        ]
        var seen: Set<String> = []
        let whole = try JSONValue(parsing: Examples.plug)
        for (path, without) in Self.removals(whole, "") {
            var found: String?
            do throws(PDAError) { _ = try HATApplicationObject(json: without) } catch { found = error.message }
            #expect(found == (required.contains(path) ? "'\(path)' is missing" : nil), "\(path)")
            seen.insert(path)
        }
        #expect(required.subtracting(seen).isEmpty)
    }

    /// The object without each of its members, those of members included.
    private static func removals(_ value: JSONValue, _ path: String) -> [(String, JSONValue)] {
        guard let object = value.object else { return [] }
        return object.members.flatMap { key, value in
            let place = path.isEmpty ? key.text : "\(path).\(key)"
            var without = object
            without[key] = nil
            let deeper = removals(value, place).map { place, inner in
                var changed = object
                changed[key] = inner
                return (place, JSONValue.object(changed))
            }
            return [(place, .object(without))] + deeper
        }
    }

    @Test func elementsOfListsAreNamedByTheirPlace() throws {
        let text = Examples.plug.replacing(#""unix": 1714946400"#, with: #""unix": "now""#)
        #expect(
            throws: PDAError(
                .undecodable,
                "'application.info.dataPreview[0].date.unix' should be a whole number, not a string"
            )
        ) {
            try object(text)
        }
    }

    /// One page writes the kind in two words, and a picture where a list is.
    @Test func bothDocumentedFormsAreReadAndTheServersIsWritten() throws {
        let text = Examples.plug
            .replacing(#""kind": "DataPlug""#, with: #""kind": "Data Plug""#)
            .replacing(#""screenshots": []"#, with: #""screenshots": {"normal": "n"}"#)
        let plug = try object(text)
        #expect(plug.application.kind.kind == .dataPlug)
        let written = plug.json["application"]
        #expect(written?["kind"]?["kind"] == .text("DataPlug"))
        #expect(written?["info"]?["graphics"]?["screenshots"]?.compactText == #"[{"normal":"n"}]"#)
    }

    @Test func preferencesAreATextOrAnObject() throws {
        let choice = #"{"setting":"s","description":"d","kind":"k","defaultValue":1.0,"value":null}"#
        let object = #"{"kind":"Internal","preferences":{"endpoint":"a/b","preferences":{"p":\#(choice)}}}"#
        let setup = try ApplicationSetup(json: try JSONValue(parsing: object))
        guard case .choices(let choices) = setup.preferences else {
            Issue.record("\(setup)")
            return
        }
        #expect(choices.endpoint == "a/b")
        #expect(choices.preferences["p"]?.defaultValue == .integer(1))
        #expect(choices.preferences["p"]?.value == nil)
        #expect(setup.json.compactText == object)
        let text = #"{"kind":"Internal","preferences":"{}"}"#
        let older = try ApplicationSetup(json: try JSONValue(parsing: text))
        #expect(older.preferences == .text("{}"))
        #expect(older.json.compactText == text)
    }

    @Test func everythingAServerCanSayComesBackAndIsRead() throws {
        let item = #"""
            {"source":"s","date":{"iso":"2024-05-05T22:00:00.000Z","unix":1},"types":[],"title":{"text":"t","subtitle":"u"},"content":{"html":"<b>","media":[{"thumbnail":"t","url":"u"}],"nestedStructure":{"k":[{"content":"c","badge":"b","types":["x"]}]}},"location":{"geo":{"longitude":-0.10,"latitude":51.50},"address":{"country":"UK","city":"L","name":"n","street":"s","zip":"z"},"tags":["g"]}}
            """#
        let feed = try FeedItem(json: try JSONValue(parsing: item))
        #expect(feed.json.compactText == item)
        #expect(feed.content?.nestedStructure?["k"]?.map(\.badge) == ["b"])
        #expect(feed.content?.media?.map(\.thumbnail) == ["t"])
        #expect(feed.location?.geo?.latitude.text == "51.50")
        #expect(feed.location?.address?.zip == "z")
        var whole = try #require(try JSONValue(parsing: Examples.plug).object)
        whole["dependenciesEnabled"] = .bool(false)
        var application = try #require(whole["application"]?.object)
        application["dependencies"] = try JSONValue(parsing: #"{"plugs":["a"],"tools":[],"contracts":["b"]}"#)
        whole["application"] = .object(application)
        let plug = try HATApplicationObject(json: .object(whole))
        #expect(plug.dependenciesEnabled == false)
        #expect(plug.application.dependencies?.plugs == ["a"])
        #expect(plug.json.compactText == JSONValue.object(whole).compactText)
    }
}
