internal import PlugCore

/// How long a mail server may take for each step.
struct MailLimits {
    /// For the whole mail.
    let whole: Duration
    /// For the connection with its TLS, the server's greeting and the login.
    var greeting: Duration { min(whole, .seconds(15)) }
    /// For one reply, including that to QUIT, which no other limit covers.
    let answer = Duration.seconds(20)

    /// What the server did not do in time, judged by how long it was waited for.
    func passed(after time: Duration) -> String {
        if time >= whole { return "did not accept the mail within \(HumanDuration.text(whole))" }
        if time < answer { return "was not ready for a mail within \(HumanDuration.text(greeting))" }
        return "did not answer a command for \(HumanDuration.text(answer))"
    }
}
