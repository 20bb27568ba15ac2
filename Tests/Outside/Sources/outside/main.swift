import PDAClient

/// What an app developer writes, with one import. Compiling it is the test; running it shows that it links.
struct Step: Codable {
    var day: String
    var count: Int
}

func everything(with client: PDA, token: Secret) async throws {
    let endpoint = "acme-steps/daily"
    let value: JSONValue = .object(["n": .integer(1), "digits": .number(JSONNumber("1.10") ?? JSONNumber(1))])
    let one = try await client.create(value, at: endpoint)
    let many = try await client.create(
        encodingEach: [Step(day: "2024-05-05", count: 1)],
        at: endpoint,
        skipErrors: true
    )
    print(one.data["n"]?.number?.int64 ?? 0, many.notReturned, try one.data(as: [String: Double].self))
    for try await page in try client.pages(at: endpoint, orderedBy: "day") { print(page.count, page.undecodable) }
    let call = PDARequest("/api/v2.6/x", parameters: .object([:]), headers: [HTTPHeader("X-Own", "1")])
    switch await client.request(call) {
    case .success(let isSuccess, let status, let json, let token): print(isSuccess, status ?? 0, json, token == nil)
    case .failure(let error, let status, let json):
        print(error.failure?.cause ?? "", status ?? 0, json?.compactText ?? "")
    }
    for application in try await client.applications() { print(application.application.id, application.state) }
    for debit in try await client.dataDebits() { print(debit.start?.timestamp?.rfc3339 ?? "", debit.isActive) }
    let claims = try await client.verify(token, application: "acme-diary")
    print(claims.issuer, claims.expires ?? 0, claims.usableUntil)
}

let transport = try HTTPTransport(policy: NetworkPolicy())
let client = PDA("alice.example", tokens: InMemoryTokens(), transport: transport)
print(try client.logInURL(application: "acme-diary", redirect: "acme://done"))
do throws(PDAError) {
    try await client.create(.null, at: "Not/An/Endpoint")
} catch {
    print(error.code, error.remedy)
}
await transport.shutDown()
