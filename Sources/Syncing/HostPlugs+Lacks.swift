internal import CurlTransport
package import LosslessJSON
package import PlugCore
internal import PlugFetch
package import PlugManifest

/// What a host lacks to run connections of a plug.
package struct PlugLack: Sendable, Equatable {
    /// The kind of thing.
    package enum Kind: Sendable, Equatable {
        /// A file: the plug reads an export that its service makes, and a host reads no files for connections.
        case file
        /// An OAuth client of a provider.
        case client
        /// The plug's program, or the operator's trust in it.
        case program
    }

    /// The kind of thing.
    package let kind: Kind
    /// The error of whatever needs it.
    package let error: PlugError
}

extension HostPlugs.Content {
    /// What is missing here for connections of a plug; `nil` if nothing is.
    ///
    /// Without it nobody can connect the plug, no connection becomes active, and no run begins.
    ///
    /// - Parameters:
    ///   - config: A connection's answers; `nil` for any answers: then a plug with several ways to log in lacks a client only if
    ///     none of them works.
    ///   - streams: A connection's streams; `nil` for all.
    package func lack(
        of manifest: Manifest,
        config: JSONObject? = nil,
        streams: [String]? = nil
    ) throws(PlugError) -> PlugLack? {
        let delivered = streams ?? manifest.streams.filter { $0.path != nil }.map(\.name)
        if manifest.readsArchivesOnly(Set(delivered)) {
            let file = manifest.config.first { $0.type == .file }?.name ?? "export"
            let error = PlugError(
                .plugNeedsFile,
                "the plug '\(manifest.id)' reads an export that its service makes, and a host reads no files for connections",
                advice: "an operator reads one with 'plughost run \(manifest.id) --config \(file)=FILE …'"
            )
            return PlugLack(kind: .file, error: error)
        }
        let authorization = try config.map { config throws(PlugError) in try manifest.choosing(config).authorization }
        if let provider = missingProvider(authorization ?? manifest.authorization) {
            return PlugLack(kind: .client, error: OAuthClient.missing(provider, advice: HostAdvice.client))
        }
        return programs?.fault(of: manifest).map { PlugLack(kind: .program, error: $0) }
    }

    /// The same as an error.
    package func check(
        _ manifest: Manifest,
        config: JSONObject? = nil,
        streams: [String]? = nil
    ) throws(PlugError) {
        if let lack = try lack(of: manifest, config: config, streams: streams) { throw lack.error }
    }

    /// The provider whose client this host lacks.
    private func missingProvider(_ authorization: Authorization) -> String? {
        switch authorization {
        case .oauth2(let settings):
            // A signed assertion identifies its signer.
            let isOwn = settings.client != nil || settings.grant == .jwtBearer
            return isOwn || clients[settings.provider] != nil ? nil : settings.provider
        case .oauth1(let settings):
            guard settings.consumerKey == nil, let provider = settings.consent?.provider else { return nil }
            return clients[provider] == nil ? provider : nil
        case .anyOf(let choice):
            let missing = choice.alternatives.map { missingProvider($0.authorization) }
            return missing.contains(nil) ? nil : missing.first ?? nil
        case .none, .bearer, .basic, .keys, .sign, .aws, .login: return nil
        }
    }
}
