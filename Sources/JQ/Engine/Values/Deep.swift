import Glibc

/// A container some levels above the deepest one inside it, so that deep values are freed in pieces.
///
/// Freeing a container frees its contents, which takes some hundred bytes of the native stack per level. Between one `Deep` and
/// the next there are at most `spacing` levels, and what a `Deep` holds is freed after it and not inside it: a value may be as
/// deep as memory allows, whichever thread releases it.
///
/// - Note: `@unchecked Sendable` proof: the value is set once and taken out only by `deinit`, which has exclusive access.
final class Deep: @unchecked Sendable {
    static let spacing: Int32 = 32

    private(set) var value: Value
    /// Whether it is an object rather than an array. Asking the value would make the ubiquitous `Value.rank` call itself.
    let isObject: Bool

    init(_ value: Value) {
        self.value = value
        if case .object = value { isObject = true } else { isObject = false }
    }

    deinit {
        var last = Value.null
        swap(&last, &value)
        Remains.free(consume last)
    }
}

/// What one thread is freeing.
private final class Remains {
    private var values: [Value] = []

    /// `nil` if the process has no key left, of a thousand: everything is then freed at once.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static func free(_ value: consuming Value) {
        guard let key else { return }
        if let running = pthread_getspecific(key) {
            // It is on this thread's stack, below this call: the function that set it removes it before returning.
            Unmanaged<Remains>.fromOpaque(running).takeUnretainedValue().values.append(consume value)
            return
        }
        let remains = Remains()
        pthread_setspecific(key, Unmanaged.passUnretained(remains).toOpaque())
        remains.values.append(consume value)
        // What is freed with a value, down to the next `Deep`, is freed here; what that held is appended.
        while remains.dropLast() {}
        pthread_setspecific(key, nil)
    }

    @inline(never)
    private func dropLast() -> Bool { values.popLast() != nil }
}

/// The containers above the first `Deep` inside a container, this one included; 0 for scalars and unopened containers.
struct Levels {
    private(set) var count: Int32

    static let none = Levels(count: 0)
    static let container = Levels(count: 1)

    /// Accounts for a value that is put inside.
    ///
    /// - Returns: Whether it has to become a `Deep`.
    @inline(__always)
    mutating func include(_ inner: Levels) -> Bool {
        if inner.count == 0 { return false }
        if inner.count >= Deep.spacing { return true }
        count = max(count, inner.count + 1)
        return false
    }

    /// Accounts for a value, and gives it the form in which it is put inside.
    @inline(__always)
    mutating func include(_ value: consuming Value) -> Value { include(value.levels) ? .deep(Deep(value)) : value }

    /// Accounts for the contents of another container, in the form in which they are put inside.
    mutating func include(contentOf other: Levels) { count = max(count, other.count) }
}
