internal import Cryptography
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// The small answers that are always the same.
extension PDAServer {
    /// GET `/publickey`: cacheable, as it does not change during the life of the state folder.
    var publicKey: Answer {
        let pem = Array(store.key.publicPEM.utf8)
        var answer = Answer(type: "text/plain; charset=UTF-8", body: pem)
        let tag = Hexadecimal.encoded(SHA256.hash(pem).prefix(8))
        answer.headers += [("ETag", "\"\(tag)\""), ("Cache-Control", "public, max-age=3600")]
        return answer
    }

    /// GET `/healthz`
    var health: Answer { Answer(.object(["Status": .text("OK")])) }

    /// GET `/version`
    var version: Answer { Answer(.object(["Version": .text("v2.8.18")])) }

    /// GET `/system/update`: the schema is already updated at every start.
    var updated: Answer { .message("Database updated") }

    /// GET `/users/access_token/validate`
    var validated: Route.Reply { { _ in .message("Authenticated") } }
}
