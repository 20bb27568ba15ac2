internal import PlugCore

/// Form fields, each with its label, a hint and its error, linked for screen readers.
enum FormField {
    /// A single-line field.
    static func text(
        _ name: String,
        _ label: String,
        value: String = "",
        hint: String? = nil,
        problem: String? = nil,
        type: String = "text",
        isRequired: Bool = true,
        autocomplete: String = "off"
    ) -> HTML {
        """
        \(head(name, label, hint, problem, isOptional: !isRequired))
        <input id="\(name)" name="\(name)" type="\(type)" value="\(value)" autocomplete="\(autocomplete)" \
        autocapitalize="none" spellcheck="false"\(attributes(name, hint, problem, isRequired: isRequired))>
        """
    }

    /// A choice among a few options.
    static func choice(
        _ name: String,
        _ label: String,
        _ options: [(value: String, text: String)],
        chosen: String?,
        hint: String? = nil,
        problem: String? = nil
    ) -> HTML {
        let items = options.map { option -> HTML in
            let mark: HTML = option.value == chosen ? " selected" : ""
            return "<option value=\"\(option.value)\"\(mark)>\(option.text)</option>"
        }
        return """
            \(head(name, label, hint, problem, isOptional: false))
            <select id="\(name)" name="\(name)"\(attributes(name, hint, problem, isRequired: false))>\(items.joined())</select>
            """
    }

    /// A multi-line field.
    static func lines(
        _ name: String,
        _ label: String,
        value: String,
        hint: String? = nil,
        problem: String? = nil
    ) -> HTML {
        """
        \(head(name, label, hint, problem, isOptional: false))
        <textarea id="\(name)" name="\(name)" rows="4" spellcheck="false"\
        \(attributes(name, hint, problem, isRequired: false))>\n\(value)</textarea>
        """
    }

    /// Several choices among a few options.
    static func checkboxes(
        _ name: String,
        _ label: String,
        _ options: [(value: String, text: String, hint: String?)],
        chosen: Set<String>,
        problem: String? = nil
    ) -> HTML {
        let items = options.enumerated().map { at, option -> HTML in
            let mark: HTML = chosen.contains(option.value) ? " checked" : ""
            let hint: HTML? = option.hint.map { " <span class=\"quiet\">\($0)</span>" }
            return """
                <label class="check" for="\(name)-\(at)"><input type="checkbox" id="\(name)-\(at)" name="\(name)" \
                value="\(option.value)"\(mark)> <span>\(option.text)\(hint)</span></label>
                """
        }
        let wrong: HTML? = problem.map { "<p class=\"bad\" role=\"alert\">\($0)</p>" }
        return "<fieldset><legend>\(label)</legend>\(wrong)\(items.joined())</fieldset>"
    }

    private static func head(
        _ name: String,
        _ label: String,
        _ hint: String?,
        _ problem: String?,
        isOptional: Bool
    ) -> HTML {
        let optional: HTML? = isOptional ? " <span class=\"quiet\">(optional)</span>" : nil
        let help: HTML? = hint.map { "<p class=\"quiet\" id=\"\(name)-hint\">\($0)</p>" }
        let wrong: HTML? = problem.map { "<p class=\"bad\" id=\"\(name)-problem\" role=\"alert\">\($0)</p>" }
        return "<label for=\"\(name)\">\(label)\(optional)</label>\(help)\(wrong)"
    }

    private static func attributes(_ name: String, _ hint: String?, _ problem: String?, isRequired: Bool) -> HTML {
        var ids: [String] = []
        if hint != nil { ids.append("\(name)-hint") }
        if problem != nil { ids.append("\(name)-problem") }
        let described: HTML? = ids.isEmpty ? nil : " aria-describedby=\"\(ids.joined(separator: " "))\""
        let invalid: HTML? = problem == nil ? nil : " aria-invalid=\"true\""
        let required: HTML? = isRequired ? " required" : nil
        return "\(required)\(invalid)\(described)"
    }
}
