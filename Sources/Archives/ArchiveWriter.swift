internal import CLibArchive

/// Makes zip and tar.gz archives, reproducibly: the same files give the same archive. For tests of plugs, whose archives are kept as
/// folders of plain files that people can read.
package enum ArchiveWriter {
    /// A file to add to it.
    package struct File: Sendable {
        package var name: String
        package var bytes: [UInt8]

        /// A file.
        package init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    /// How an archive is made.
    package enum Form: Sendable {
        case zip
        case tarGzip
    }

    /// Writes an archive, and replaces any file of the same name.
    ///
    /// - Throws: `ArchiveFault` `unreadable` if it cannot be written.
    package static func write(_ files: [File], to path: String, as form: Form = .zip) throws(ArchiveFault) {
        guard let archive = archive_write_new() else { throw ArchiveFault(.unreadable, "there is no memory for it") }
        // archive_write_free(3) closes an open archive, and frees it.
        defer { archive_write_free(archive) }
        func check(_ code: Int32) throws(ArchiveFault) {
            if code == ARCHIVE_OK || code == ARCHIVE_WARN { return }
            let words = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
            throw ArchiveFault(.unreadable, "it cannot be written (\(words))")
        }
        switch form {
        case .zip: try check(archive_write_set_format_zip(archive))
        case .tarGzip:
            try check(archive_write_add_filter_gzip(archive))
            // No timestamp of its own in the header, so that equal files make equal archives.
            try check(archive_write_set_filter_option(archive, "gzip", "timestamp", nil))
            try check(archive_write_set_format_pax_restricted(archive))
        }
        try NameLocale.with { () throws(ArchiveFault) in
            try check(archive_write_open_filename(archive, path))
            for file in files {
                guard let entry = archive_entry_new() else {
                    throw ArchiveFault(.unreadable, "there is no memory for it")
                }
                defer { archive_entry_free(entry) }
                archive_entry_set_pathname(entry, file.name)
                archive_entry_set_size(entry, Int64(file.bytes.count))
                archive_entry_set_filetype(entry, ArchiveReader.regularFile)
                archive_entry_set_perm(entry, 0o644)
                // 1980-01-01T12:00:00Z: zip has no earlier times.
                archive_entry_set_mtime(entry, 315_576_000, 0)
                try check(archive_write_header(archive, entry))
                // The bytes are copied or written before it returns; a short count is an error.
                let count = file.bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
                guard count == file.bytes.count else { return try check(Int32(ARCHIVE_FATAL)) }
            }
            try check(archive_write_close(archive))
        }
    }
}
