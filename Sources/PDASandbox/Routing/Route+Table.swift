internal import PDAWire
internal import PlugCore

/// The table of routes: method, path, access, handler. The first matching row answers.
extension Route {
    static let table = open + pages + accounts + data + agreements + applications

    private static let open: [Route] = [
        .open("GET", .root("/publickey")) { server, _, _ in server.publicKey },
        .open("GET", .every("publickey")) { server, _, _ in server.publicKey },
        .open("GET", .root("/healthz")) { server, _, _ in server.health },
        .open("GET", .newest("healthz")) { server, _, _ in server.health },
        .open("GET", .newest("version")) { server, _, _ in server.version },
        .open("GET", .root("/system/update")) { server, _, _ in server.updated },
        .open("GET", .every("system/update")) { server, _, _ in server.updated },
        .open("GET", .root("/users/access_token")) { try await $0.ownerToken($2) },
        .open("GET", .every("users/access_token")) { try await $0.ownerToken($2) },
        .open("GET", .newest("applications/{}/hmi", .segment)) { try await $0.definition($1, $2) },
        .open("POST", .root("/control/v2/auth/passwordReset")) { try await $0.requestReset($2) },
        .open("POST", .root("/control/v2/auth/passwordreset/confirm/{}", .segment)) {
            try await $0.confirmReset($1, $2)
        },
    ]

    /// For browsers.
    private static let pages: [Route] = [
        .open("GET", .root("/")) { try await $0.page($2) },
        .open("GET", .root("/assets/sandbox.css")) { _, _, _ in Page.stylesheet },
        .open("GET", .root("/assets/sandbox.js")) { _, _, _ in Page.script },
        .open("POST", .root("/login")) { try await $0.logIn($2) },
        .open("POST", .root("/logout")) { try await $0.logOut($2) },
        .open("GET", .root("/hatlogin")) { try await $0.askConsent($2) },
        .open("POST", .root("/hatlogin")) { try await $0.consent($2) },
        .open("GET", .root("/reset")) { Page.reset(token: $2.parameter("token") ?? "", $2, wrong: nil) },
        .open("POST", .root("/reset")) { try await $0.resetByForm($2) },
        // The approval address that clients build ends with quick-confirm; the plain one is for the links of the page.
        .open("GET", .root("/data-debit/{}/quick-confirm", .name)) { try await $0.askDebit($1, $2) },
        .open("POST", .root("/data-debit/{}/quick-confirm", .name)) { try await $0.decideDebit($1, $2) },
        .open("GET", .root("/data-debit/{}", .name)) { try await $0.askDebit($1, $2) },
        .open("POST", .root("/data-debit/{}", .name)) { try await $0.decideDebit($1, $2) },
    ]

    private static let accounts: [Route] = [
        .secured("GET", .root("/users/access_token/validate"), by: .anyToken) { server, _, _ in server.validated },
        .secured("GET", .every("users/access_token/validate"), by: .anyToken) { server, _, _ in server.validated },
        .secured("GET", .root("/users/application_token"), by: .ownerInPerson) { try $0.serviceToken($2) },
        .secured("GET", .root("/control/v2/auth/hatlogin"), by: .ownerInPerson) { try $0.hatLogin($2) },
        .secured("POST", .root("/control/v2/auth/password"), by: .ownerInPerson) { try await $0.changePassword($2) },
        .secured("GET", .root("/users/user"), by: .platform) { server, _, _ in server.listUsers },
        .secured("POST", .root("/users/user"), by: .platform) { try await $0.addUser($2) },
        .secured("PUT", .root("/users/user/{}/enable", .segment), by: .platform) { server, id, _ in
            server.setUser(id, isEnabled: true)
        },
        .secured("PUT", .root("/users/user/{}/disable", .segment), by: .platform) { server, id, _ in
            server.setUser(id, isEnabled: false)
        },
        .secured("PUT", .root("/users/user/{}/update", .segment), by: .platform) { try await $0.updateUser($1, $2) },
        .secured("PUT", .root("/users/user/{}/delete", .segment), by: .platform) { server, id, _ in
            server.deleteUser(id)
        },
        .secured("DELETE", .root("/users/user/{}/delete", .segment), by: .platform) { server, id, _ in
            server.deleteUser(id)
        },
        .secured("GET", .every("system/status"), by: .ownerOrPlatform) { server, _, _ in server.systemStatus },
    ]

    private static let data: [Route] = [
        .secured("GET", .every("data/sources"), by: .sourceReaders) { server, _, _ in server.sources },
        .secured("GET", .every("data/{}", .data), by: Access.namespaceRead) { try $0.read($1, $2) },
        .secured("POST", .every("data/{}", .data), by: Access.namespaceWrite) { try await $0.write($1, $2) },
        .secured("DELETE", .every("data/{}", .data), by: Access.namespaceWrite) { server, path, _ in
            server.deleteAll(path)
        },
        .secured("PUT", .every("data"), by: .writers) { try await $0.update($2) },
        .secured("DELETE", .every("data"), by: .writers) { try $0.deleteRecords($2) },
        .secured("POST", .every("data-batch"), by: .writers) { try await $0.batch($2) },
        .secured("POST", .every("data-link"), by: .writers) { try $0.link($2) },
        .secured("GET", .newest("data-record/{}", .segment), by: .oneRecord) { server, id, _ in try server.record(id) },
    ]

    /// What others may read. Data debits of the older base paths have another form, which is not offered.
    private static let agreements: [Route] = [
        .secured("GET", .every("combinator/{}", .endpoint), by: .owner) { try $0.readCombinator($1, $2) },
        .secured("POST", .every("combinator/{}", .endpoint), by: .owner) { try await $0.setCombinator($1, $2) },
        .secured("GET", .every("data-bundle/{}", .name), by: .owner) { server, name, _ in server.readBundle(name) },
        .secured("POST", .every("data-bundle/{}", .name), by: .owner) { try await $0.setBundle($1, $2) },
        .secured("GET", .every("data-bundle/{}/structure", .name), by: .owner) { server, name, _ in
            server.bundleStructure(name)
        },
        .secured("GET", .newest("data-debit"), by: .owner) { server, _, _ in server.listDebits },
        .secured("GET", .newest("data-debit/{}", .name), by: Access.dataDebit) { server, key, _ in
            server.showDebit(key)
        },
        .secured("POST", .newest("data-debit/{}", .name), by: .debitProposers) { try await $0.createDebit($1, $2) },
        .secured("PUT", .newest("data-debit/{}", .name), by: Access.dataDebit) { try await $0.updateDebit($1, $2) },
        .secured("GET", .newest("data-debit/{}/enable", .name), by: .owner) { server, key, _ in
            server.enableDebit(key)
        },
        .secured("GET", .newest("data-debit/{}/disable", .name), by: .owner) { try $0.disableDebit($1, $2) },
        .secured("GET", .newest("data-debit/{}/values", .name), by: Access.dataDebit) { server, key, _ in
            server.debitValues(key)
        },
    ]

    private static let applications: [Route] = [
        .secured("GET", .every("applications"), by: .applicationLists) { $0.listApplications($2) },
        .secured("GET", .newest("applications/hmi"), by: .applicationLists) { $0.listApplications($2) },
        .secured("GET", .every("applications/{}", .segment), by: Access.manage) { $0.showApplication($1, $2) },
        .secured("GET", .every("applications/{}/setup", .segment), by: Access.manage) { $0.setUp($1, $2) },
        .secured("GET", .every("applications/{}/disable", .segment), by: Access.manage) { $0.disable($1, $2) },
        .secured("GET", .every("applications/{}/access-token", .segment), by: Access.applicationToken) {
            $0.applicationToken($1, issuer: $2.host)
        },
        .secured(nil, .newest("applications/{}", .proxy), by: { .manage($0.application) }) {
            try await $0.proxy($1, $2)
        },
    ]
}
