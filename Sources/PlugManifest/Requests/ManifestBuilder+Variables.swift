import LosslessJSON
import PlugCore

// The variables of a GraphQL query: a service leaves out those that the query does not declare, and says nothing.
extension ManifestBuilder {
    /// Each variable that is sent must be in the query, and each in the query must be declared and used.
    func checkVariables(_ keys: CheckedMapping, _ request: Request?) {
        guard let graphQL = keys["request"]?["graphql"], request?.isGraphQL == true,
            let node = graphQL["query"], let query = request?.json?.query
        else { return }
        let known = GraphQLWords(query).variables
        for entry in sent(keys, graphQL) where known[entry.key] == nil {
            findings.error(
                .queryVariable,
                "'\(MessageText.shortened(entry.key))' is sent as a variable, and the query has no '$\(MessageText.shortened(entry.key))'",
                at: entry.keyLocation,
                help: MessageText.help(for: entry.key, in: known.keys.sorted(), called: "variables")
            )
        }
        for name in known.keys.sorted() where known[name] == 1 {
            findings.error(
                .queryVariable,
                "the query names '$\(MessageText.shortened(name))' once: it is declared and not used, or used and not declared",
                at: node.location,
                help: MessageText.help(for: name, in: known.keys.filter { $0 != name }.sorted(), called: "variables")
            )
        }
    }

    /// The variables that requests send: those of the manifest, of bounds and of pages.
    private func sent(_ keys: CheckedMapping, _ graphQL: YAMLNode) -> [(key: String, keyLocation: Diagnostic.Location)]
    {
        var sent = (graphQL["variables"]?.mapping ?? []).map { (key: $0.key, keyLocation: $0.keyLocation) }
        for bound in ["send", "until"] {
            for entry in keys["since"]?[bound]?["variables"]?.mapping ?? [] {
                sent.append((Self.variable(entry.key), entry.keyLocation))
            }
        }
        guard keys["page"]?["in"]?.scalar?.text == "variables" else { return sent }
        for entry in keys["page"]?.mapping ?? [] {
            for key in ["param", "size_param"] {
                guard let node = entry.value[key], let name = node.scalar?.text else { continue }
                sent.append((Self.variable(name), node.location))
            }
        }
        return sent
    }

    /// The variable at the beginning of a path with dots.
    private static func variable(_ path: String) -> String { String(path.prefix { $0 != "." }) }
}

extension JSONTemplate {
    /// The text of a GraphQL query, if it is the body of one.
    fileprivate var query: String? {
        guard case .object(let members) = self, case .constant(let query)? = members.first?.value else { return nil }
        return query.stringText
    }
}
