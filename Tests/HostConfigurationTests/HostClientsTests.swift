import Foundation
import LosslessJSON
import OAuth
import PlugCore
import Testing

@testable import HostConfiguration

/// The OAuth clients of a host: where they come from, and that nobody sees their secrets.
struct HostClientsTests {
    private func read(_ folder: String, _ variables: [String: String] = [:]) throws -> HostConfigurationResult {
        let environment = variables.merging(["HOME": folder]) { first, _ in first }
        return try HostConfiguration.read(.init(file: "\(folder)/plughost.yaml", environment: environment))
    }

    @Test func theyComeFromVariablesElseTheFileElseProvidersYAML() throws {
        try HostSample.withFolder { folder in
            let providers = "\(folder)/.local/state/plughost/providers.yaml"
            try HostSample.write(
                "a: {client_id: old-a, client_secret: s1}\nb: {client_id: old-b}\nc-d: {client_id: c}",
                to: providers
            )
            try HostSample.write("s2\n", to: "\(folder)/a.secret")
            try HostSample.write(
                "providers:\n  a: {client_id: a, client_secret: {file: a.secret}}\n  e: {client_id: e}\n",
                to: "\(folder)/plughost.yaml",
                mode: 0o644
            )
            let variables = [
                "PLUGHOST_CLIENT_C_D_ID": "v", "PLUGHOST_CLIENT_C_D_SECRET": "s3", "PLUGHOST_CLIENT_NEW_ID": "n",
                "PLUGHOST_CLIENT_E_ID": "",
            ]
            let clients = try #require(try read(folder, variables).settings?.clients)
            let file = "\(folder)/plughost.yaml"
            let expected: [(String, ClientIdentity, SettingOrigin)] = [
                ("a", ClientIdentity(id: "a", secret: Secret("s2")), .file(file, line: 2)),
                ("b", ClientIdentity(id: "old-b"), .file(providers, line: 2)),
                ("c-d", ClientIdentity(id: "v", secret: Secret("s3")), .variable("PLUGHOST_CLIENT_C_D_ID")),
                ("e", ClientIdentity(id: "e"), .file(file, line: 3)),
                ("new", ClientIdentity(id: "n"), .variable("PLUGHOST_CLIENT_NEW_ID")),
            ]
            #expect(clients.listed.map(\.provider) == expected.map(\.0))
            for (provider, identity, origin) in expected {
                #expect(clients.client(provider) == Setting(identity, origin), "\(provider)")
            }
            #expect(clients.client("f") == nil)
        }
    }

    @Test func theirSecretsAreNotInTheRows() throws {
        try HostSample.withFolder { folder in
            try HostSample.write(
                "providers: {a: {client_id: id, client_secret: hush}}",
                to: "\(folder)/plughost.yaml"
            )
            let settings = try #require(try read(folder).settings)
            let rows = settings.rows.filter { $0.key.hasPrefix("providers") }
            let origin = SettingOrigin.file("\(folder)/plughost.yaml", line: 1)
            #expect(
                rows == [
                    .init("providers.a.client_id", .text("id"), origin),
                    .init("providers.a.client_secret", .text("<redacted>"), origin),
                ]
            )
            #expect(settings.clients.client("a")?.value.secret == Secret("hush"))
            var dumped = ""
            dump(settings, to: &dumped)
            #expect(!dumped.contains("hush"))
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602])
    func aFileWithASecretThatOthersCanReadIsRefused(mode: Int) throws {
        try HostSample.withFolder { folder in
            let file = "\(folder)/plughost.yaml"
            try HostSample.write("providers:\n  a: {client_id: id, client_secret: hush}\n", to: file, mode: mode)
            let result = try read(folder)
            #expect(
                HostSample.print(result) == """
                    \(file):2:37: error: [providers-open] \(file) holds a secret, and others on this machine can \
                    read or change it
                          a: {client_id: id, client_secret: •••••
                                                            ^~~~
                      help: run: chmod 600 \(file)

                    """
            )
            #expect(result.settings == nil)
        }
    }

    @Test func aSecretsOwnFileMustBePrivateAndFull() throws {
        try HostSample.withFolder { folder in
            let text = "providers: {a: {client_id: id, client_secret: {file: s}}}"
            try HostSample.write(text, to: "\(folder)/plughost.yaml", mode: 0o644)
            try HostSample.write("hush", to: "\(folder)/s", mode: 0o644)
            let open = try read(folder)
            #expect(open.findings.flatMap(\.diagnostics).map(\.code.text) == ["providers-open"])
            try HostSample.write("\n", to: "\(folder)/s")
            let empty = try read(folder)
            #expect(empty.findings.flatMap(\.diagnostics).map(\.message) == ["\(folder)/s is empty"])
            #expect(empty.findings.flatMap(\.diagnostics).map(\.code.text) == ["client-secret-empty"])
        }
    }
}
