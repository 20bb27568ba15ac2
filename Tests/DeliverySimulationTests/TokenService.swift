import CurlTransport
import LosslessJSON
import PlugCore

/// What a source takes for a proof of whose account is read.
struct Access: Sendable {
    enum Kind: Sendable {
        /// A key that never changes.
        case key
        /// Tokens that come with refresh tokens, of which each works once.
        case consent
        /// Tokens for a name and a password.
        case login
    }

    var kind = Kind.key
    /// For how many seconds a token is good.
    var lifetime: Int64 = 3600
    /// After how many answers all tokens of a person die before their time; `nil` for never.
    var deathAfter: Int?
    /// Whether a refresh token that was used works again as long as what it gave has not.
    var forgives = false

    /// What the manifest says of it.
    var line: String {
        switch kind {
        case .key: "auth: {bearer: {token: \"{{ config.key }}\"}}"
        case .consent:
            "auth: {oauth2: {authorize: {url: \"\(TokenService.origin)/authorize\"}, "
                + "token: {url: \"\(TokenService.origin)/token\"}}}"
        case .login:
            "auth: {login: {request: {method: POST, path: /sessions, form: {user: \"{{ config.user }}\", "
                + "password: \"{{ config.key }}\"}}, token: .token, expires: .expires_in}}"
        }
    }
}

/// Gives tokens, and looks at them. A refresh token that is used a second time takes the whole consent with it.
struct TokenService: Sendable {
    static let origin = "https://auth.example.org"

    private struct RefreshToken: Sendable {
        var person: Int
        var isUsed = false
        var isWithdrawn = false
        /// Whether somebody was told that it is dead.
        var isRefused = false
        /// Whether it was written down.
        var isKept = false
        /// The life that was told of it.
        var heardIn: Int?
        /// What it gave.
        var successors: [String] = []
    }

    private struct AccessToken: Sendable {
        var person: Int
        /// What came with it.
        var refreshToken: String?
        /// When its time is over, in seconds since 1970.
        var ends: Int64
        var isUsed = false
    }

    /// What a request for a token comes to.
    struct Answer: Sendable {
        var status: Int
        var body: String
        /// The refresh token in it.
        var refreshToken: String?
    }

    let access: Access
    private let people: [String]
    private(set) var violations: [String] = []
    private var refreshTokens: [String: RefreshToken] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    /// How many requests of a person were answered since all tokens died.
    private var answered: [Int: Int] = [:]
    private var made = 0
    private var life = 0
    /// Lives that could not write everything down.
    private var brokenLives: Set<Int> = []

    init(_ access: Access, people: [String]) { (self.access, self.people) = (access, people) }

    // MARK: - What happens to processes

    /// A process begins.
    ///
    /// - Parameter isBroken: Whether its disk fails now and then.
    mutating func beginLife(isBroken: Bool) {
        life += 1
        if isBroken { brokenLives.insert(life) }
    }

    /// The process has died.
    mutating func endLife() { brokenLives.insert(life) }

    /// The process was told of a refresh token.
    mutating func heard(_ token: String) { refreshTokens[token]?.heardIn = life }

    /// A grant was written down.
    mutating func kept(_ content: Secret) {
        guard let token = (try? JSONValue(parsing: content.reveal()))?["refresh_token"]?.stringText else { return }
        refreshTokens[token]?.isKept = true
    }

    /// Whether a person's consent still gives tokens to whoever has what was written down last.
    func isGood(_ person: Int) -> Bool {
        refreshTokens.values.contains { $0.person == person && $0.isKept && !$0.isUsed && !$0.isWithdrawn }
    }

    /// All access tokens die before their time.
    mutating func killAccess() { for name in accessTokens.keys { accessTokens[name]?.ends = 0 } }

    // MARK: - Giving

    /// A person consents.
    mutating func consent(_ person: Int, now: Int64) -> (access: String, refresh: String) {
        for (name, token) in refreshTokens where token.person == person { refreshTokens[name]?.isWithdrawn = true }
        return give(person, now: now)
    }

    private mutating func give(_ person: Int, now: Int64) -> (access: String, refresh: String) {
        made += 1
        let names = ("access-\(made)", "refresh-\(made)")
        accessTokens[names.0] = AccessToken(person: person, refreshToken: names.1, ends: now + access.lifetime)
        refreshTokens[names.1] = RefreshToken(person: person)
        return names
    }

    /// Answers a request for a token; `nil` where it is none.
    ///
    /// - Parameter isLate: Whether whoever sent it is dead.
    mutating func answer(_ request: HTTPRequest, now: Int64, isLate: Bool = false) -> Answer? {
        guard request.method == "POST" else { return nil }
        var fields: [String: String] = [:]
        for field in FormText.decode(String(decoding: request.body ?? [], as: UTF8.self)) ?? [] {
            fields[field.name] = field.value
        }
        switch (access.kind, request.url) {
        case (.consent, Self.origin + "/token"):
            return refresh(fields, now: now, isLate: isLate)
        case (.login, "https://api.example.org/sessions"): return login(fields, now: now)
        default: return nil
        }
    }

    private mutating func login(_ fields: [String: String], now: Int64) -> Answer {
        guard let person = people.firstIndex(of: fields["user"] ?? ""),
            fields["password"] == "key-\(people[person])"
        else {
            violations.append("somebody logged in as '\(fields["user"] ?? "")' with another's password")
            return Answer(status: 401, body: #"{"error": "wrong"}"#)
        }
        made += 1
        accessTokens["access-\(made)"] = AccessToken(person: person, ends: now + access.lifetime)
        return Answer(status: 200, body: #"{"token": "access-\#(made)", "expires_in": \#(access.lifetime)}"#)
    }

    private mutating func refresh(_ fields: [String: String], now: Int64, isLate: Bool) -> Answer {
        let name = fields["refresh_token"] ?? ""
        guard fields["grant_type"] == "refresh_token", fields["client_id"] == "client",
            fields["client_secret"] == "s3cr3t", let token = refreshTokens[name]
        else {
            violations.append("a token was asked for with \(fields.keys.sorted()), and '\(name)' was given to nobody")
            return Answer(status: 400, body: #"{"error": "invalid_request"}"#)
        }
        if token.isUsed, !isLate { noteReuse(of: name, token) }
        let isForgiven = access.forgives && !token.successors.contains { isProved($0) }
        guard !token.isWithdrawn, !token.isUsed || isForgiven else {
            // Nobody knows who has stolen it from whom.
            withdraw(token.person)
            if !isLate { refreshTokens[name]?.isRefused = true }
            return Answer(status: 400, body: #"{"error": "invalid_grant"}"#)
        }
        refreshTokens[name]?.isUsed = true
        let next = give(token.person, now: now)
        refreshTokens[name]?.successors.append(next.refresh)
        return Answer(
            status: 200,
            body: #"{"access_token": "\#(next.access)", "token_type": "Bearer", "expires_in": \#(access.lifetime), "#
                + #""refresh_token": "\#(next.refresh)"}"#,
            refreshToken: next.refresh
        )
    }

    private mutating func withdraw(_ person: Int) {
        for (name, token) in refreshTokens where token.person == person { refreshTokens[name]?.isWithdrawn = true }
        end(person)
    }

    /// All access tokens of a person die.
    private mutating func end(_ person: Int) {
        for (name, token) in accessTokens where token.person == person { accessTokens[name]?.ends = 0 }
    }

    /// Whether a refresh token, or what came with it, was used.
    private func isProved(_ name: String) -> Bool {
        refreshTokens[name]?.isUsed == true
            || accessTokens.values.contains { $0.refreshToken == name && $0.isUsed }
    }

    /// A refresh token was shown again: because nobody has what it gave, or because that was refused.
    private mutating func noteReuse(of name: String, _ token: RefreshToken) {
        for successor in token.successors.compactMap({ refreshTokens[$0] }) where !successor.isRefused {
            if successor.isKept {
                violations.append("\(name) was shown again, and what it gave was written down")
            } else if let heardIn = successor.heardIn, !brokenLives.contains(heardIn) {
                violations.append("\(name) was shown again, and what it gave was lost for nothing")
            }
        }
    }

    // MARK: - Looking

    /// Whether a request with this text may read a person's account.
    mutating func accepts(_ text: String?, for person: Int, now: Int64) -> Bool {
        if access.kind == .key {
            if text == "Bearer key-\(people[person])" { return true }
            violations.append("\(people[person])'s account was asked for with another's key")
            return false
        }
        let name = text.map { String($0.dropFirst("Bearer ".count)) } ?? ""
        guard let token = accessTokens[name], token.person == person else {
            violations.append("\(people[person])'s account was asked for with another's token")
            return false
        }
        if let refresh = token.refreshToken, refreshTokens[refresh]?.isKept != true {
            violations.append("\(name) was used before \(refresh), which came with it, was written down")
        }
        guard now < token.ends else { return false }
        accessTokens[name]?.isUsed = true
        answered[person, default: 0] += 1
        if let death = access.deathAfter, answered[person, default: 0] >= death {
            answered[person] = 0
            end(person)
        }
        return true
    }
}
