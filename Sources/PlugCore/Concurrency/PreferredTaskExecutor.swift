/// Where the current task prefers to run; nil for Swift's own pool.
///
/// Child tasks inherit it. A `Task` does not, so it must be passed on.
package var preferredTaskExecutor: (any TaskExecutor)? {
    withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
}
