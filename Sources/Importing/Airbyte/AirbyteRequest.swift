import PlugManifest

/// A requester as a request.
struct AirbyteRequest {
    let scope: JinjaScope
    /// The request, without the parameters for pages and bounds.
    private(set) var request = RequestDraft()
    /// The part of the address that is the same for all streams.
    private(set) var base = ""
    /// The addresses that the base is chosen from, if a condition on settings chooses.
    private(set) var addresses: [String] = []
    /// The path below the base.
    private(set) var path = ""

    init(scope: JinjaScope) { self.scope = scope }

    mutating func read(_ requester: Component) throws(Unsayable) {
        guard requester.type == "HttpRequester" || requester.type == nil else {
            throw Unsayable("the requester '\(requester.type ?? "")' has no counterpart", line: requester.line)
        }
        for key in ["query_properties", "fetch_properties_from_endpoint", "request_options_provider"] {
            if let odd = try requester.member(key) {
                guard key == "request_options_provider" else {
                    throw Unsayable("'\(key)' has no counterpart", line: odd.line)
                }
                try options(odd)
            }
        }
        let method = (try requester.member("http_method"))?.text ?? "GET"
        request.method = try JinjaTemplate(method, scope).constant?.uppercased() ?? "GET"
        if !["GET", "POST"].contains(request.method) {
            throw Unsayable("the method '\(request.method)' has no counterpart", line: requester.line)
        }
        try options(requester)
        try address(requester)
    }

    private mutating func options(_ requester: Component) throws(Unsayable) {
        try query(try requester.member("request_parameters"))
        for (name, value) in try headers(try requester.member("request_headers")) {
            // Compression is left to the host, in Airbyte and here.
            if name.lowercased() == "accept-encoding" { continue }
            try request.put(.text(value), at: OptionPlace(place: "header", name: name))
        }
        if let body = try requester.member("request_body_json") { request.json = try json(body) }
        if let body = try requester.member("request_body_data") { try data(body) }
        if let body = try requester.member("request_body"), let value = try body.member("value") {
            switch body.type {
            case "RequestBodyJsonObject": request.json = try json(value)
            case "RequestBodyUrlEncodedForm", "RequestBodyPlainText": try data(value)
            case "RequestBodyGraphQL": request.json = try json(value)
            default: throw Unsayable("the body '\(body.type ?? "")' has no counterpart", line: body.line)
            }
        }
        // An empty body is omitted.
        if request.json?.isEmpty == true { request.json = request.method == "GET" ? nil : .mapping([]) }
        if request.form?.isEmpty == true { request.form = nil }
        if request.text == .text("") { request.text = nil }
    }

    // MARK: - Parameters

    private mutating func query(_ parameters: Component?) throws(Unsayable) {
        guard let parameters else { return }
        if let text = parameters.text {
            let template = try JinjaTemplate(text, scope)
            if let only = template.only, case .mapping(let pairs) = only {
                for pair in pairs {
                    guard case .text(let name) = pair.key else {
                        throw Unsayable(
                            "a parameter whose name is not a constant has no counterpart",
                            line: parameters.line
                        )
                    }
                    let value = try JinjaTranslator(scope).value(pair.value)
                    try request.put(.text("{{ \(value.text) }}"), at: OptionPlace(place: "query", name: name))
                }
                return
            }
            guard let constant = template.constant else {
                throw Unsayable("parameters that one expression gives have no counterpart", line: parameters.line)
            }
            for pair in constant.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                try request.put(.text(parts.count > 1 ? parts[1] : ""), at: OptionPlace(place: "query", name: parts[0]))
            }
            return
        }
        for (name, value) in try parameters.members ?? [] {
            guard let written = try parameter(value) else { continue }
            let key = try JinjaTemplate(name, scope)
            guard let constant = key.constant else {
                throw Unsayable("a parameter whose name is not a constant has no counterpart", line: value.line)
            }
            try request.put(written, at: OptionPlace(place: "query", name: constant))
        }
    }

    /// The value of a parameter; `nil` if it is omitted.
    private func parameter(_ value: Component) throws(Unsayable) -> PlugYAML? {
        if let elements = try value.elements {
            let texts = elements.compactMap(\.text).map(JQText.string)
            return .text("{{ [\(texts.joined(separator: ", "))] }}")
        }
        guard let text = value.text else {
            if value.isNull { return nil }
            throw Unsayable("a parameter that is a mapping has no counterpart", line: value.line)
        }
        do throws(Unsayable) {
            return try JinjaTemplate(text, scope).isNothing ? nil : .text(try wire(value, text))
        } catch {
            throw Unsayable(error.reason, line: error.line ?? value.line)
        }
    }

    /// A value as Airbyte's client writes it.
    private func wire(_ value: Component, _ text: String) throws(Unsayable) -> String {
        let template = try JinjaTemplate(text, scope)
        guard let constant = template.constant else { return try template.template(.wire, optional: true) }
        if !value.isText, value.isTrue || value.isFalse { return value.isTrue ? "True" : "False" }
        if constant.hasPrefix("["), constant.hasSuffix("]"),
            let list = try? JinjaParser.expression(in: Array(constant.unicodeScalars)[...]),
            case .list(let elements) = list,
            !elements.isEmpty
        {
            return "{{ \(try JinjaTranslator(scope).value(list).text) }}"
        }
        return try template.template(.wire)
    }

    /// Headers: constants are parsed, and written again.
    private func headers(_ mapping: Component?) throws(Unsayable) -> [(String, String)] {
        var headers: [(String, String)] = []
        for (name, value) in try strings(mapping) where !value.isEmpty {
            var text = value
            if let literal = PythonLiteral.expression(value), case .number = literal.magnitude {
                text = try JinjaTranslator(scope).value(literal).text
            }
            headers.append((name, text))
        }
        return headers
    }

    private func strings(_ mapping: Component?) throws(Unsayable) -> [(String, String)] {
        guard let mapping else { return [] }
        guard let members = try mapping.members else {
            throw Unsayable("headers that one expression gives have no counterpart", line: mapping.line)
        }
        var strings: [(String, String)] = []
        for (name, value) in members {
            guard let text = value.text else { continue }
            do throws(Unsayable) {
                if try JinjaTemplate(text, scope).isNothing { continue }
                strings.append((name, try wire(value, text)))
            } catch {
                throw Unsayable(error.reason, line: error.line ?? value.line)
            }
        }
        return strings
    }

    // MARK: - Bodies

    private func json(_ body: Component) throws(Unsayable) -> PlugYAML {
        do throws(Unsayable) { return try jsonValue(body) } catch {
            throw Unsayable(error.reason, line: error.line ?? body.line)
        }
    }

    /// Omits a member if it has no value.
    private func ifAny(_ member: Component, _ written: PlugYAML) throws(Unsayable) -> PlugYAML {
        guard let source = member.text, case .text(let text) = written else { return written }
        let template = try JinjaTemplate(source, scope)
        guard try template.mayBeNothing else { return written }
        return .text(Self.ifAny(template.only == nil ? "{{ \(try template.program().atom) }}" : text))
    }

    /// A whole template that returns nothing instead of an empty text or null.
    static func ifAny(_ template: String) -> String {
        "\(template.dropLast(3)) | if IN(null, \"\") then empty else . end }}"
    }

    private func jsonValue(_ body: Component) throws(Unsayable) -> PlugYAML {
        if let members = try body.members {
            var entries: [PlugYAML.Entry] = []
            // Members without a value are not sent.
            for (key, value) in members where !value.isNull && value.text != "None" {
                if let text = value.text, try JinjaTemplate(text, scope).isNothing { continue }
                guard try JinjaTemplate(key, scope).constant != nil else {
                    throw Unsayable(
                        "a member of a body whose name is not a constant has no counterpart",
                        line: value.line
                    )
                }
                entries.append(PlugYAML.Entry(key: key, value: try ifAny(value, try json(value))))
            }
            return .mapping(entries)
        }
        if let elements = try body.elements {
            var values: [PlugYAML] = []
            for element in elements { values.append(element.text == "" ? .plain("null") : try json(element)) }
            return .list(values)
        }
        guard let text = body.text else { return .plain("null") }
        let template = try JinjaTemplate(text, scope)
        guard let constant = template.constant else {
            // Airbyte parses a text that, once filled in, is a list or an object, unless it contains JSON's own words.
            if template.only == nil, text.hasPrefix("[") || text.hasPrefix("{"), !text.hasPrefix("{{"),
                !text.hasPrefix("{%")
            {
                if template.fixedText.contains("'") {
                    throw Unsayable(
                        "a list or an object in Python's form with expressions in it has no counterpart",
                        line: body.line
                    )
                }
                if template.fixedText.contains(#/\b(true|false|null)\b/#) { return .text(try template.template(.wire)) }
                return .text("{{ \(try template.program().text) | fromjson? // . }}")
            }
            return .text(try template.template(.typed, optional: template.only == nil))
        }
        // Airbyte parses a text that is a constant.
        let scalar = body.node.scalar.flatMap { PythonLiteral.expression($0) }
        guard let literal = scalar ?? PythonLiteral.expression(constant) else { return .text(constant) }
        let value = try JinjaTranslator(scope).value(literal)
        if let text = value.constant { return .text(text) }
        return [.number, .bool, .null].contains(value.kind) ? .plain(value.text) : .text("{{ \(value.text) }}")
    }

    private mutating func data(_ body: Component) throws(Unsayable) {
        if let members = try body.members {
            var fields: [PlugYAML.Entry] = []
            for (name, value) in members {
                guard let text = value.text, !text.isEmpty else { continue }
                guard let key = try JinjaTemplate(name, scope).constant else {
                    throw Unsayable(
                        "a field of a body whose name is not a constant has no counterpart",
                        line: value.line
                    )
                }
                fields.append(PlugYAML.Entry(key: key, value: .text(try wire(value, text))))
            }
            request.form = fields
        } else if let text = body.text {
            let template = try JinjaTemplate(text, scope)
            // Airbyte parses such a text, once filled in, and sends its members as a form.
            if template.constant == nil, template.fixedText.trimmed.hasPrefix("{"),
                !template.fixedText.contains(#/\b(true|false|null)\b/#)
            {
                let reason = "an object as a text with expressions in it, sent as a form, has no counterpart"
                throw Unsayable(reason, line: body.line)
            }
            request.text = .text(try template.template(.wire))
        }
    }

    // MARK: - Addresses

    private mutating func address(_ requester: Component) throws(Unsayable) {
        var address = try requester.member("url_base")
        if address == nil { address = try requester.member("url") }
        guard let url = address else {
            throw Unsayable("the requester has no 'url_base'", line: requester.line)
        }
        try readBase(url)
        if let member = try requester.member("path") {
            let template = try JinjaTemplate(member.text ?? "", scope)
            // Templates encode their values in a path, except in one that is a single template.
            path =
                template.makesSlashes
                ? "{{ \(try template.program().text) }}"
                : try self.template(member).trimmed.replacing(" ", outside: "{{", "}}", with: "%20")
        }
        let bare = path.drop { $0 == "/" }
        if bare.isEmpty { return splitURL() }
        path = path.hasPrefix("/") ? "/" + bare : path
        while base.hasSuffix("/") { base.removeLast() }
    }

    private mutating func readBase(_ component: Component) throws(Unsayable) {
        do throws(Unsayable) {
            let template = try JinjaTemplate(component.text ?? "", scope).withHostsForAddresses
            base = try template.template(.wire).trimmed
            addresses = template.chosenAddresses ?? []
        } catch {
            throw Unsayable(error.reason, line: error.line ?? component.line)
        }
    }

    private mutating func splitURL() {
        // An address may be a setting.
        let begin = base.hasPrefix("{{") ? base.startIndex : base.firstRange(of: "://")?.upperBound
        guard let begin else { return }
        let rest = base[begin...]
        var depth = 0
        for index in rest.indices {
            if rest[index] == "{" { depth += 1 }
            if rest[index] == "}" { depth -= 1 }
            if rest[index] == "/", depth == 0 {
                path = String(rest[index...])
                base = String(base[..<index])
                return
            }
        }
    }

    private func template(_ component: Component) throws(Unsayable) -> String {
        guard let text = component.text else { return "" }
        do throws(Unsayable) { return try JinjaTemplate(text, scope).template(.wire) } catch {
            throw Unsayable(error.reason, line: error.line ?? component.line)
        }
    }
}

extension String {
    /// The text with something replaced wherever it is not between two marks.
    func replacing(_ old: String, outside open: String, _ close: String, with new: String) -> String {
        var (text, rest) = ("", self[...])
        while let start = rest.firstRange(of: open), let end = rest[start.upperBound...].firstRange(of: close) {
            text += rest[..<start.lowerBound].replacing(old, with: new) + rest[start.lowerBound..<end.upperBound]
            rest = rest[end.upperBound...]
        }
        return text + rest.replacing(old, with: new)
    }

    /// The text without white space at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
