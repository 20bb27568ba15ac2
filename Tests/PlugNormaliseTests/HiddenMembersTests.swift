import LosslessJSON
import PlugCore
import PlugManifest
import Testing

/// `sensitive: true`: what is hidden of a stream's records, and whether their `_id` is.
struct HiddenMembersTests {
    @Test(
        arguments: [
            (["key: .id"], false), (["key: .email"], true), (["key: [.id, .email]"], true),
            (["key: .email.domain"], true),
            (["key: .id | tostring"], true), (["key: .id", "map: '{id, email: .contact.mail}'"], false),
            (["key: .contact", "map: '{id, email: .contact.mail}'"], true),
            (["key: .contact.id", "map: '{id, email: .contact.mail}'"], false),
            (["key: .id", "map: '{id, at: (.t | tonumber), email: .contact.mail}'"], false),
            (["key: .email", "map: '{id, email: null}'"], false),
            (["key: .email", "map: '{id}'"], false), (["key: .id", "map: '{id, email: (.a + .b)}'"], true),
            (["key: .id", "map: '. + {x: 1}'"], true), (["key: .id", "map: .user"], false),
            (["key: .user.id", "map: .user"], false),
            (["key: .user", "map: .user"], true), (["key: .id", "map: '{id, (.k): .email}'"], true),
            (["key: '.list[0]'", "map: '{email: .list[-1]}'"], true),
        ]
    )
    func theIdentityIsShownWhereItsProgramsReadSomethingElse(lines: [String], isHidden: Bool) throws {
        let bench = try StreamBench(lines + ["version: none", "fields: {email: {string, sensitive: true}}"])
        #expect(bench.stream.hidden == HiddenMembers(["email"], hidesIdentity: isHidden))
    }

    @Test func aVersionIsPartOfTheIdentity() throws {
        let lines = ["key: .id", "version: .email"]
        #expect(try StreamBench(lines + ["fields: {email: {string: {}, sensitive: true}}"]).stream.hidden.hidesIdentity)
        #expect(try StreamBench(lines + ["fields: {email: {string: true, sensitive: false}}"]).stream.hidden.isEmpty)
    }

    @Test func whatIsDeliveredStaysTheSame() throws {
        let bench = try StreamBench(["key: .id", "version: none", "fields: {email: {any, sensitive: true}}"])
        let page = try bench.normalise(#"[{"id":1,"email":"a@b.c"}]"#)
        #expect(bench.records(page) == [#"{"_id":"demo/items/1","email":"a@b.c","id":1}"#])
    }

    @Test func onlyValuesAreReplaced() {
        let hidden = HiddenMembers(["a", "b", "c"], hidesIdentity: true)
        let record = #"{"_id":"x","a":{"deep":[1]},"b":null,"d":"a","of":"y"}"#
        #expect(
            String(decoding: hidden.shown(Array(record.utf8)), as: UTF8.self)
                == #"{"_id":"<hidden>","a":"<hidden>","b":null,"d":"a","of":"y"}"#
        )
        let deletion = #"{"_id":"x@deleted","deleted":true,"of":"x"}"#
        #expect(
            String(decoding: hidden.shown(Array(deletion.utf8)), as: UTF8.self)
                == #"{"_id":"<hidden>","deleted":true,"of":"<hidden>"}"#
        )
        #expect(String(decoding: hidden.shown(Array("broken".utf8)), as: UTF8.self) == #""<hidden>""#)
        #expect(HiddenMembers().shown(Array("broken".utf8)) == Array("broken".utf8))
    }
}
