/// `application`: the HATApplicationObject's own keys. `ApplicationShape` says what the strictest client needs of its values.
extension Tables {
    static let application = KeyTable(
        "application",
        [
            .key("info", .table(info), "What a PDA shows its owner."),
            .key("developer", .table(developer), "Who made the plug."),
            .key(
                "kind",
                .table(applicationKind),
                "Where the plug's own page is; a host's page is used if there is one."
            ),
            .key("setup", .table(setup), "How a PDA sets the plug up, in addition to what the host provides."),
            .key(
                "status",
                .table(applicationStatus),
                "How a PDA checks the plug, in addition to what the host provides."
            ),
            .key("id", .text, "Ignored: it is the plug's id."),
            .key("permissions", .anything, "Ignored: a plug may write to its namespace and nothing else."),
            .key("dependencies", .anything, "Other applications that it needs, as newer PDAs read it."),
        ]
    )

    private static let info = KeyTable(
        "application.info",
        [
            .key("name", .anything, "The plug's name."),
            .key("headline", .anything, "One line about it."),
            .key("description", .table(formattedText), "What it does."),
            .key("termsUrl", .anything, "The address of the service's terms."),
            .key("privacyPolicyUrl", .anything, "The address of its privacy policy."),
            .key("dataUsePurpose", .anything, "What the data is used for."),
            .key("supportContact", .anything, "Where users can get help, such as an e-mail address."),
            .key("published", .anything, "Whether it is more than a test."),
            .key("version", .anything, "Ignored: it is the plug's version."),
            .key("updateNotes", .table(updateNotes), "What is new in this version."),
            .key("rating", .table(rating), "How it treats personal data, as a letter score."),
            .key("dataPreview", .list(.table(preview)), "Examples of its data, as a feed shows them."),
            .key("graphics", .table(graphics), "Its pictures."),
            .key("primaryColor", .anything, "Its colour."),
            .key("callbackUrl", .anything, "An address that a data debit notifies."),
            .key("hmiDescription", .table(formattedText), "What a person is asked to agree to."),
        ]
    )

    private static let formattedText = KeyTable(
        "a description",
        [
            .key("text", .anything, "As plain text."),
            .key("markdown", .anything, "As Markdown."),
            .key("html", .anything, "As HTML."),
        ]
    )

    private static let updateNotes = KeyTable(
        "application.info.updateNotes",
        [.key("header", .anything, "The heading."), .key("notes", .anything, "The changes, each a text.")]
    )

    private static let rating = KeyTable(
        "application.info.rating",
        [.key("score", .anything, "The letters."), .key("points", .anything, "The points, from 0 to 99.")]
    )

    private static let preview = KeyTable(
        "an example in dataPreview",
        [
            .key("source", .anything, "Where it is from."),
            .key("date", .table(previewDate), "When it was."),
            .key("types", .anything, "What it is, as a list of words."),
            .key("title", .table(previewTitle), "Its title."),
            .key("content", .anything, "Its text and media."),
            .key("location", .anything, "Where it was."),
        ]
    )

    private static let previewDate = KeyTable(
        "the date of an example in dataPreview",
        [.key("iso", .anything, "As RFC 3339."), .key("unix", .anything, "As seconds since 1970.")]
    )

    private static let previewTitle = KeyTable(
        "the title of an example in dataPreview",
        [
            .key("text", .anything, "The title."), .key("subtitle", .anything, "The text below it."),
            .key("action", .anything, "What it is about."),
        ]
    )

    private static let graphics = KeyTable(
        "application.info.graphics",
        [
            .key("banner", .table(picture), "A wide picture."),
            .key("logo", .table(picture), "The plug's sign."),
            .key("screenshots", .list(.table(picture)), "Pictures of what it does."),
        ]
    )

    private static let picture = KeyTable(
        "a picture",
        [
            .key("normal", .anything, "The address of the picture, or an empty text for none."),
            .key("small", .anything, "The address of one for screens below 576 pixels."),
            .key("large", .anything, "The address of one for screens above 992 pixels."),
            .key("xlarge", .anything, "The address of one for screens above 1200 pixels."),
        ]
    )

    private static let developer = KeyTable(
        "application.developer",
        [
            .key("id", .anything, "A short name."),
            .key("name", .anything, "The name of the people or the company."),
            .key("url", .anything, "Their address on the web."),
            .key("country", .anything, "Where they are."),
            .key("logo", .table(picture), "Their sign."),
        ]
    )

    private static let applicationKind = KeyTable(
        "application.kind",
        [
            .key("url", .anything, "The address of the plug's page."),
            .key("kind", .anything, "Ignored: it is DataPlug."),
            .key("iosUrl", .anything, "Its address in a store for iOS."),
            .key("androidUrl", .anything, "Its address in a store for Android."),
        ]
    )

    private static let setup = KeyTable(
        "application.setup",
        [
            .key("kind", .anything, "Ignored: External at a host, otherwise Internal."),
            .key(
                "url",
                .anything,
                "Where a PDA sends its owner to set the plug up; a host's page is used if there is one."
            ),
            .key("iosUrl", .anything, "The same for iOS."),
            .key("androidUrl", .anything, "The same for Android."),
            .key("testingUrl", .anything, "The same for tests."),
            .key("validRedirectUris", .anything, "Where a log-in may lead back to."),
            .key("deauthorizeCallbackUrl", .anything, "An address that is told when the plug is disabled."),
            .key("onboarding", .list(.table(onboarding)), "What is shown before the set-up, page by page."),
            .key("preferences", .anything, "Settings of the plug, as newer PDAs read them."),
        ]
    )

    private static let onboarding = KeyTable(
        "a page of onboarding",
        [
            .key("title", .anything, "Its title."), .key("description", .anything, "Its text."),
            .key("illustration", .table(picture), "Its picture."),
        ]
    )

    private static let applicationStatus = KeyTable(
        "application.status",
        [
            .key("compatibility", .anything, "The oldest version that still works, n.n.n."),
            .key("recentDataCheckEndpoint", .anything, "Where recent data shows that it works: namespace/endpoint."),
            .key("dataPreviewEndpoint", .anything, "Where a feed of its data is."),
            .key("staticDataPreviewEndpoint", .anything, "Where its profile data is."),
            .key("versionReleaseDate", .anything, "When this version was released; by default, released."),
            .key("kind", .anything, "Ignored: External at a host, otherwise Internal."),
            .key("statusUrl", .anything, "Ignored at a host, which has its own."),
            .key("expectedStatus", .anything, "Ignored at a host: 200."),
        ]
    )
}
