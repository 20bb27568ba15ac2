import Cryptography
package import CurlTransport
import LosslessJSON
package import OAuth
package import PlugCore
package import PlugManifest

/// Addresses and parameters of requests that `auth` itself makes.
package enum AuthAddress {
    /// The address rendered from a template. It may lead out of `hosts`; a configured value cannot change the parts around it: it
    /// is percent-encoded, or the name of a host.
    ///
    /// - Throws: `PlugError` `auth-address` if the result is not a URL.
    package static func url(_ template: Template, _ roots: TemplateRoots) throws(PlugError) -> HTTPURL {
        let text = try template.renderText(roots) { value, _ in
            HostPattern.parse(value) == nil ? PercentEncoding.segment(value) : value
        }
        let url: HTTPURL
        do { url = try HTTPURL(text) } catch {
            throw PlugError(
                .authAddress,
                "the address \(template.source) of 'auth' does not make a URL: \(error.message)",
                advice: "check what it refers to"
            )
        }
        guard url.isSecure || isLoopback(url) else {
            throw PlugError(
                .authAddress,
                "the address \(template.source) of 'auth' is not an https URL: secrets are sent to it",
                advice: "check what it refers to"
            )
        }
        return url
    }

    /// Whether an address is this machine, where tests listen without encryption.
    static func isLoopback(_ url: HTTPURL) -> Bool {
        url.host == "[::1]" || url.host.hasPrefix("127.") && url.host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Parameters. A `null` leaves one out.
    package static func parameters(
        _ templates: [(name: String, value: Template)],
        _ roots: TemplateRoots
    ) throws(PlugError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (name, template) in templates {
            let value = try template.render(roots)
            if !value.isNull { parameters.append(Parameter(name, value.stringText ?? value.compactText)) }
        }
        return parameters
    }

    /// Shows whether texts are the same as at another time, without revealing them.
    static func hash(_ texts: [String]) -> String {
        let bytes = texts.flatMap { Array("\($0.utf8.count) ".utf8) + Array($0.utf8) }
        return Hexadecimal.encoded(SHA256.hash(bytes))
    }
}
