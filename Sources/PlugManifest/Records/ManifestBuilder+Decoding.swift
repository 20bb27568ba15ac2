import Decoding
import JQ
import PlugCore

extension ManifestBuilder {
    /// The format of a stream's answers; `nil` for JSON.
    func decoding(_ keys: CheckedMapping, _ request: Request?) -> AnswerDecoding? {
        guard let node = keys["decode"] else { return nil }
        if request?.isGraphQL == true, node.scalar?.text != "json" {
            findings.error(
                .badDecoding,
                "the answer to a GraphQL query is JSON",
                at: keys.location("decode"),
                help: "leave 'decode' out"
            )
        }
        if let word = node.scalar?.text {
            return RecordFormat(word: word).map { AnswerDecoding(format: $0, charset: nil) }
        }
        guard let decode = CheckedMapping(node, Tables.decode, at: keys.location("decode"), findings),
            let kind = decode.kind(of: Tables.decode, findings),
            let table = Tables.decode[kind.key]?.shape.tables.first,
            let options = CheckedMapping(kind.value, table, at: kind.keyLocation, findings)
        else { return nil }
        let charset = charset(options)
        let format: RecordFormat =
            switch kind.key {
            case "csv": .delimited(dialect(options, separator: separator(options)))
            case "tsv": .delimited(dialect(options, separator: DelimitedDialect.tabs.separator))
            case "xml": .xml(elements(options))
            case "ics": .calendar(window(options))
            default: RecordFormat(word: kind.key) ?? .lines
            }
        return AnswerDecoding(format: format, charset: charset)
    }

    /// With decoding, the programs of `page` do not see what an answer contains besides its records: one that looks for more
    /// would find nothing, and end the pages.
    func checkDecodedPage(_ paging: Paging?, _ keys: CheckedMapping) {
        guard let paging else { return }
        var programs = [("more", paging.more), ("total", paging.total), ("pages", paging.pages)]
        programs.append((paging.kind.key, paging.kind.lead.program))
        for (key, program) in programs {
            guard let program, let member = JQPath(program)?.firstMember, member != "records", member != "last"
            else { continue }
            findings.error(
                .pageDecoded,
                "'\(key)' looks for '.\(member)', which the answers of this stream do not have",
                at: keys["page"]?.mapping?.first { $0.key == key }?.keyLocation ?? keys.location("page"),
                help:
                    "with 'decode', programs of 'page' see {records: N, last: {…}} and headers: write '.last.\(member)' for "
                    + "the last record's, or headers[\"…\"]"
            )
        }
    }

    private func charset(_ keys: CheckedMapping) -> Charset? {
        guard let node = keys["encoding"], let name = node.scalar?.text else { return nil }
        if let charset = Charset(name) { return charset }
        findings.error(
            .badDecoding,
            "'\(MessageText.shortened(name))' is not an encoding that this system knows",
            at: node.location,
            help: "write its usual name, such as utf-8, windows-1252, iso-8859-15, utf-16 or shift_jis"
        )
        return nil
    }

    private func separator(_ keys: CheckedMapping) -> UInt8 {
        guard let text = keys.text("separator") else { return UInt8(ascii: ",") }
        return text == "tab" ? 0x09 : byte(text, "separator", keys) ?? UInt8(ascii: ",")
    }

    /// A character that separates or quotes cells.
    private func byte(_ text: String, _ key: String, _ keys: CheckedMapping) -> UInt8? {
        if text.utf8.count == 1, let byte = text.utf8.first, byte != 0x0A, byte != 0x0D, byte < 0x80 { return byte }
        findings.error(
            .badDecoding,
            "'\(key)' is a single ASCII character",
            at: keys[key]?.location ?? keys.place,
            help: key == "separator" ? "write one such as ';', or the word tab" : "write one such as '\"', or none"
        )
        return nil
    }

    private func dialect(_ keys: CheckedMapping, separator: UInt8) -> DelimitedDialect {
        var dialect = DelimitedDialect(separator: separator, skip: keys.integer("skip") ?? 0)
        if let quote = keys.text("quote") { dialect.quote = quote == "none" ? nil : byte(quote, "quote", keys) }
        if let escape = keys.text("escape"), escape != "none" { dialect.escape = byte(escape, "escape", keys) }
        dialect.ragged = keys.text("ragged").flatMap(DelimitedDialect.Ragged.init(rawValue:)) ?? .broken
        dialect.header = header(keys)
        if separator == dialect.quote || (dialect.escape != nil && dialect.escape == separator) {
            findings.error(
                .badDecoding,
                "the same character cannot separate cells and quote them",
                at: keys.location("separator"),
                help: "write 'quote: none' if cells have no quotes"
            )
        }
        return dialect
    }

    private func header(_ keys: CheckedMapping) -> DelimitedDialect.Header {
        guard let node = keys["header"] else { return .firstRow }
        if let list = node.sequence {
            let names = list.compactMap { $0.scalar?.text }
            if Set(names).count == names.count, !names.isEmpty, !names.contains("") { return .names(names) }
            findings.error(
                .badDecoding,
                "the columns need different names",
                at: node.location,
                help: "write one for each column, such as 'header: [id, name]'"
            )
            return .firstRow
        }
        switch node.scalar?.text {
        case "first": return .firstRow
        case "none": return .none
        default:
            findings.error(
                .badDecoding,
                "'header' is first, none, or a list of names",
                at: node.location,
                help: "a single column is a list as well: 'header: [id]'"
            )
            return .firstRow
        }
    }

    private func window(_ keys: CheckedMapping) -> CalendarWindow {
        var window = CalendarWindow()
        if let past = keys.duration("past") { window.past = past }
        if let future = keys.duration("future") { window.future = future }
        return window
    }

    private func elements(_ keys: CheckedMapping) -> XMLOptions {
        var options = XMLOptions()
        if let node = keys["records"], let text = node.scalar?.text {
            if let path = XMLPath(text) {
                options.records = path
            } else {
                findings.error(
                    .badDecoding,
                    "'\(MessageText.shortened(text))' is not a path of elements",
                    at: node.location,
                    help: "write names with slashes between, such as item, channel/item or /rss/channel/item; * is any"
                )
            }
        }
        options.namespaces = keys.text("namespaces").flatMap(XMLOptions.Namespaces.init(rawValue:)) ?? .prefix
        options.lists = Set((keys["lists"].map { $0.sequence ?? [$0] } ?? []).compactMap { $0.scalar?.text })
        return options
    }
}
