internal import Connecting
internal import PlugCore
internal import PlugStorage

/// What was erased with a connection, as a receipt to keep.
struct ErasureText {
    private let receipt: ErasureReceipt
    private let consent: Revocation

    init(_ receipt: ErasureReceipt, _ consent: Revocation) { (self.receipt, self.consent) = (receipt, consent) }

    /// The names of the kinds of rows, for people.
    private static let words = [
        "changes": "Who changed what", "consents": "Consents under way", "dead_letters": "Refused records",
        "grants": "Log-ins at the service", "inventory": "Lists of known things", "ledger": "Fingerprints of records",
        "notes": "Limits of the service", "outbox_batches": "Records that waited for the PDA",
        "refusals": "Notes about refused records",
        "runs": "Runs", "setups": "Answers and choices", "states": "Where reading stopped",
        "streams": "Kinds of records",
        "tokens": "The PDA’s token",
    ]

    var html: HTML {
        let rows = receipt.rows.filter { $0.count > 0 }.map { row -> HTML in
            "<tr><td>\(Self.words[row.kind] ?? Words.stream(row.kind))</td><td>\(row.count)</td></tr>"
        }
        let log: HTML? =
            receipt.isLogEmpty
            ? nil : "<p>What is left of it on the disk is overwritten within the next hour.</p>"
        return """
            <p>This is your receipt. The host no longer keeps anything of the connection.</p>
            <dl>
            <dt>Connection</dt><dd>\(receipt.connection.name)</dd>
            <dt>Plug</dt><dd>\(receipt.plug)</dd>
            <dt>PDA</dt><dd>\(Words.pda(receipt.pda))</dd>
            <dt>Connected</dt><dd>\(Words.time(receipt.createdAt))</dd>
            <dt>Erased</dt><dd>\(Words.time(receipt.erasedAt))</dd>
            <dt>Destroyed key</dt><dd><code>\(receipt.key)</code></dd>
            <dt>Consent</dt><dd>\(consent.sentence)</dd>
            </dl>
            <div class="scroll" tabindex="0" role="region" aria-label="What was erased"><table>
            <thead><tr><th scope="col">Kept until now</th><th scope="col">How many</th></tr></thead>
            <tbody>\(rows.joined())</tbody></table></div>
            \(log)
            <p>What is in your PDA stays there, and is yours to delete.</p>
            <p class="row"><a class="button plain" href="/connections">My connections</a></p>
            """
    }
}
