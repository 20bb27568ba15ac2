package import PlugCore

/// The codes of the key 'auth'.
enum AuthCodes {
    static let all: [PlugError.Code] = [
        .authChoice, .signNeeds, .signExcludes,
    ]
}

extension PlugError.Code {
    package static let authChoice = Self(
        "auth-choice",
        exit: .configuration,
        "The configuration chooses an alternative of 'auth.any_of' that the manifest does not have.",
        "Set the config key that 'by' refers to; the message names the alternatives."
    )

    static let signNeeds = Self(
        "sign-needs",
        exit: .configuration,
        "A signature lacks something: 'sign' needs 'text' or 'parts', and '{{ signature }}' in 'send'; 'oauth1' needs "
            + "'private_key' with RSA-SHA1, and 'consumer_secret' otherwise; its consent needs 'request', 'authorize' and 'access'.",
        example: "oauth1: {method: RSA-SHA1, consumer_key: a, consumer_secret: '{{ config.secret }}'}",
        "oauth1: {method: RSA-SHA1, consumer_key: a, private_key: '{{ config.key }}'}"
    )

    static let signExcludes = Self(
        "sign-excludes",
        exit: .configuration,
        "A key of a signature has no meaning beside the others and would have no effect.",
        example: "oauth1: {consumer_key: a, consumer_secret: '{{ config.secret }}', private_key: '{{ config.key }}'}",
        "Remove the key, or write the 'method' that it belongs to."
    )
}
