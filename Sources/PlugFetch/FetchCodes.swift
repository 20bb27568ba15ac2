package import PlugCore

/// The codes of errors and warnings while reading a source, as `plughost explain` lists them.
package enum FetchCodes {
    /// All codes, errors and warnings.
    package static let all: [PlugError.Code] = [
        .badBase, .grantAddress, .badRequest, .badUsername, .bodyNotObject, .credentialMissing, .credentialUnreadable,
        .pathSegment,
        .open(.sinceUnreadable), .stateUnreadable, .addressRefused, .conditionFailed, .configurationRefused,
        .waitUnreadable, .answerIsError, .graphQLErrors, .rateLimited,
        .sourceCircuitOpen, .sourceRefused, .sourceUnauthorised, .sourceUnavailable, .sourceUnreachable,
        .tooManyRedirects, .unexpectedNotModified, .transportFailed, .childrenGone, .pageLimit, .pageNotJSON,
        .pageNotDecoded, .textReplaced, .answerNotKept,
        .childFailed, .childrenFailed, .pageTooLarge, .pageSizeRefused, .pageMore, .pageTokenMissing, .totalUnmet,
        .pagesUnmet,
        .pageCountMissing, .pageCountWrong, .pagesUnsettled, .pageCut, .pagesUnjoined, .sinceFieldMissing,
        .pageProgramFailed, .pageToken,
        .pageTruncated, .pageUnreadable, .pageTooDeep, .paginationEmpty, .paginationEscape, .paginationLoop,
        .recordsFailed, .recordsMissing, .secretShort, .pageTokenDoubtful, .childGone, .pageKeyMissing,
        .moreWithoutPage, .orderBroken,
        .cursorInFuture, .configChanged, .windowLimit, .windowTooSmall, .windowUnreadable, .windowFull,
        .searchUnordered, .windowIgnored, .granuleCoarse,
        .pagesShifted, .placeRefused, .cursorRefused, .sinceMissing,
        .connectFirst, .clientMissing, .signingKeyUnusable, .authAddress, .loginRefused, .loginUnreadable, .tokenBusy,
        .tokenDoubtful, .tokenUnkept, .tokenFieldUnread, .grantUnreadable, .dryRunKeepsNothing, .scopeMissing,
        .renewalFailed,
        .archiveUnopened, .archiveUnreadable, .archiveEntry, .archiveLacksEntries,
        .fetcherData, .fetcherLater, .fetcherAuthorisation, .fetcherConfiguration, .fetcherFailed, .fetcherCursor,
        .fetcherLimit, .fetcherWarning,
        .forEachList, .skipIfFailed, .accountUnreadable,
    ]
}
