import CLibYAML
import PlugCore

/// libyaml's parser, fed from one buffer, producing events. The only place that touches libyaml.
///
/// The parser lives on the heap because libyaml keeps pointers into itself and into its input. Not thread-safe; used
/// within one call of `YAMLReader.read`.
final class YAMLParser {
    /// An event, copied out of libyaml's memory.
    struct Event {
        enum Kind {
            case documentStart, documentEnd, streamEnd, other
            case alias(String)
            case scalar(text: String, style: YAMLScalar.Style, isPlain: Bool)
            case sequenceStart, sequenceEnd
            case mappingStart(isFlow: Bool), mappingEnd
        }

        var kind: Kind
        var start: SourceText.Position
        var end: SourceText.Position
        /// The name that is given to a node.
        var anchor: String?
        var tag: String?
    }

    /// A syntax error from libyaml.
    struct Failure: Error {
        var message: String
        var position: SourceText.Position
        /// The start of what it was reading.
        var context: SourceText.Position?
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// - Throws: `Failure` if there is no memory.
    init(_ bytes: some Collection<UInt8>) throws(Failure) {
        parser = .allocate(capacity: 1)
        input = .allocate(capacity: max(1, bytes.count))
        _ = input.initialize(from: bytes)
        // Returns 0 if it is out of memory, and has then freed what it took.
        guard yaml_parser_initialize(parser) == 1 else {
            parser.initialize(to: yaml_parser_t())
            throw Failure(message: "not enough memory", position: .init(line: 0, column: 0))
        }
        // libyaml does not copy the input, which `deinit` frees after the parser.
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event. There is none after `streamEnd` or a failure.
    func next() throws(Failure) -> Event {
        var event = yaml_event_t()
        // Returns 0 on failure, with the reason in the parser (static strings, not ours) and nothing in the event.
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        // The event owns its strings; they are copied before they are freed.
        defer { yaml_event_delete(&event) }
        return copy(event)
    }

    private func failure() -> Failure {
        let raw = parser.pointee
        let problem = raw.problem.map { String(cString: $0) } ?? "not enough memory"
        let context = raw.context.map { String(cString: $0) + ", " } ?? ""
        // A reader's error has a byte offset and no mark.
        let isRead = raw.error == YAML_READER_ERROR
        let place = isRead ? Encoding.location(of: min(Int(raw.problem_offset), input.count), Array(input)) : nil
        return Failure(
            message: context + problem,
            position: place.map { .init(line: $0.line - 1, column: $0.column - 1) } ?? Self.position(raw.problem_mark),
            context: raw.context == nil ? nil : Self.position(raw.context_mark)
        )
    }

    private func copy(_ event: yaml_event_t) -> Event {
        var copy = Event(kind: .other, start: Self.position(event.start_mark), end: Self.position(event.end_mark))
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: copy.kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: copy.kind = .documentEnd
        case YAML_STREAM_END_EVENT: copy.kind = .streamEnd
        case YAML_ALIAS_EVENT: copy.kind = .alias(Self.text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            copy.kind = .sequenceStart
            copy.anchor = Self.text(event.data.sequence_start.anchor)
            copy.tag = Self.text(event.data.sequence_start.tag)
        case YAML_SEQUENCE_END_EVENT: copy.kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            copy.kind = .mappingStart(isFlow: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
            copy.anchor = Self.text(event.data.mapping_start.anchor)
            copy.tag = Self.text(event.data.mapping_start.tag)
        case YAML_MAPPING_END_EVENT: copy.kind = .mappingEnd
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            copy.kind = .scalar(text: text, style: Self.style(scalar.style), isPlain: scalar.plain_implicit == 1)
            copy.anchor = Self.text(scalar.anchor)
            copy.tag = Self.text(scalar.tag)
        default: break
        }
        return copy
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func position(_ mark: yaml_mark_t) -> SourceText.Position {
        SourceText.Position(line: Int(mark.line), column: Int(mark.column))
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }
}
