internal import CThreads

/// How many processors this process may use; at least one.
package var usableProcessors: Int { Int(plughost_usable_processors()) }
