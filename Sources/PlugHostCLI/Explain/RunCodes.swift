internal import PlugCore

/// The codes of errors, warnings and dead letters that are met at work; a table for each part of plughost.
enum RunCodes {}
