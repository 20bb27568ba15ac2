import Decoding
import PlugCore

extension Exchange {
    /// Warns of what in a block's file is not as it should be, although its records could be read.
    ///
    /// - Parameter name: What was read: a request, or an entry of an archive.
    func warnOfDoubts(_ block: DecodedBlock, _ name: String, _ stream: String) {
        if block.replaced > 0 {
            let message =
                "\(name): \(block.replaced) byte sequences are invalid in the answer's encoding and became U+FFFD; write the right "
                + "'encoding' in 'decode'"
            warnOnce(stream, .textReplaced, message)
        }
        for note in block.notes { warn(note, name, stream) }
    }

    private func warn(_ note: DecodingNote, _ name: String, _ stream: String) {
        let place = "\(name)\(SourceFault.place(note.line, file: note.file))"
        switch note.kind {
        case .unknownZone(let zone):
            let shown = DisplayText.escaped(String(zone.prefix(60)))
            let message =
                "\(place): neither the system nor the file knows the time zone '\(shown)'; its times are given as local ones, "
                + "without 'Z'"
            warnOnce(stream, .calendarZoneUnknown, message, about: "\(name) \(zone)")
        case .unreadTime:
            let message =
                "\(place): \(note.count.counted("time")) in no known form: the first entry that has one ends there; entries are given "
                + "without them, and the texts are under 'raw'"
            warnOnce(stream, .timeUnread, message)
        case .replacedCharacter:
            let message = "\(place): \(note.count.counted("character")) that XML does not allow became U+FFFD"
            warnOnce(stream, .textReplaced, message, about: "characters")
        case .markupAsText:
            let message =
                "\(place): '&', '<' or an entity that XML does not know was taken for text in "
                + "\(note.count.counted("place"))"
            warnOnce(stream, .textReplaced, message, about: "markup")
        }
    }
}
