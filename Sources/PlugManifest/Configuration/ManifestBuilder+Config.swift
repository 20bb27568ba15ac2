import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The questions for the person, in file order.
    ///
    /// - Parameter choosesWay: Whether the answers choose one of several ways to authenticate: the others' secrets are optional.
    func config(_ node: YAMLNode?, choosesWay: Bool) -> [ConfigField] {
        let fields = (node?.mapping ?? []).compactMap { entry -> ConfigField? in
            checkName(entry, "a config key", after: "config")
            configNames.append(entry.key)
            if entry.value["secret"]?.scalar?.bool == true { secrets.insert(entry.key) }
            if entry.value["type"]?.scalar?.text == "host" { hostFields.insert(entry.key) }
            if entry.value["type"]?.scalar?.text == "file" { fileFields.insert(entry.key) }
            guard let keys = CheckedMapping(entry.value, Tables.configField, at: entry.keyLocation, findings) else {
                return nil
            }
            return field(entry.key, keys, choosesWay)
        }
        return fields
    }

    private func field(_ name: String, _ keys: CheckedMapping, _ choosesWay: Bool) -> ConfigField? {
        guard let type = keys.text("type").flatMap(ConfigField.Kind.init(rawValue:)) else { return nil }
        if type == .file, let key = ["default", "enum"].first(where: keys.isWritten) {
            let help = "remove it: only a person may say which file of a machine is read"
            findings.error(.fileUse, "a file has no '\(key)'", at: keys.location(key), help: help)
            return nil
        }
        var choices: [JSONValue] = []
        for node in keys["enum"]?.sequence ?? [] {
            let element = type == .list ? .string : type
            guard let value = value(node, as: element) else {
                reportValue(node, element, "a value of 'enum'")
                continue
            }
            choices.append(value)
        }
        if let node = keys["enum"], node.sequence?.isEmpty == true {
            findings.error(.wrongValue, "'enum' has no values", at: node.location, help: "list the allowed values")
        }
        var preset: JSONValue?
        if let node = keys["default"] {
            preset = value(node, as: type)
            if preset == nil {
                reportValue(node, type, "the default")
            } else if let preset, !choices.isEmpty, !(preset.elements ?? [preset]).allSatisfy(choices.contains) {
                let help = "the values are \(MessageText.list(choices.map(Template.text)))"
                findings.error(.defaultNotInEnum, "the default is not one of 'enum'", at: node.location, help: help)
            }
        }
        let isSecret = keys["secret"]?.scalar?.bool ?? false
        if isSecret, keys.isWritten("default") {
            let help = "remove the default: anyone who can read the manifest could read it"
            findings.error(.secretDefault, "a secret cannot have a default", at: keys.location("default"), help: help)
        }
        return ConfigField(
            name: name,
            type: type,
            choices: choices,
            default: preset,
            isSecret: isSecret,
            title: keys.text("title"),
            isOptional: keys["optional"]?.scalar?.bool ?? (isSecret && choosesWay)
        )
    }

    /// A value of a config key's type; a text keeps its digits, and `no` is a text.
    private func value(_ node: YAMLNode, as type: ConfigField.Kind) -> JSONValue? {
        if type == .list {
            guard let nodes = node.sequence else { return nil }
            let texts = nodes.compactMap { value($0, as: .string) }
            return texts.count == nodes.count ? .array(texts) : nil
        }
        guard let scalar = node.scalar, !scalar.isNull else { return nil }
        let isText = type == .string || type == .date || type == .host
        return scalar.isPlain || isText ? type.value(of: scalar.text) : nil
    }

    private func reportValue(_ node: YAMLNode, _ type: ConfigField.Kind, _ what: String) {
        findings.error(.defaultType, "\(what) must be \(type.expectation), not \(node.kindName)", at: node.location)
    }

    /// Named values; each may use the ones before it.
    func vars(_ node: YAMLNode?) -> [(name: String, value: Template)] {
        let scope = ProgramScope.template("vars", Self.connectionRoots)
        return (node?.mapping ?? []).compactMap { entry in
            defer { varNames.append(entry.key) }
            checkName(entry, "a var", after: "vars")
            guard Shape.template.check(entry.value, of: entry.key, findings) else { return nil }
            return template(entry.value, scope).map { (name: entry.key, value: $0) }
        }
    }

    /// Names that programs use after a dot: letters, digits and `_`.
    ///
    /// - Parameter root: The name before the dot.
    func checkName(_ entry: YAMLEntry, _ what: String, after root: String) {
        let scalars = entry.key.unicodeScalars
        let isName =
            scalars.allSatisfy { $0.isASCIIWord || $0 == "_" } && scalars.count <= 64
            && scalars.first.map { !("0"..."9").contains($0) } == true
        if isName { return }
        let help = "use letters, digits and '_', so that programs can write \(root).NAME"
        findings.error(
            .badName,
            "'\(MessageText.shortened(entry.key))' is not a name for \(what)",
            at: entry.keyLocation,
            help: help
        )
    }
}
