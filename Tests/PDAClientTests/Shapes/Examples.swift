import LosslessJSON

/// Objects in the form of the public documentation and of the reference server, with invented values.
enum Examples {
    /// A data plug as documented.
    static let plug = #"""
        {
          "application": {
            "id": "acme-steps",
            "kind": { "url": "https://steps.plugs.example.com", "kind": "DataPlug" },
            "info": {
              "version": "1.4.0",
              "updateNotes": { "header": "Faster sync", "notes": ["Polls hourly", "Fewer duplicates"] },
              "published": true,
              "name": "Acme Steps",
              "headline": "Your step counts in your PDA",
              "description": {
                "text": "Copies daily step counts from Acme to your PDA.",
                "markdown": "Copies **daily step counts** from Acme to your PDA.",
                "html": "<p>Copies <b>daily step counts</b> from Acme to your PDA.</p>"
              },
              "termsUrl": "https://steps.plugs.example.com/terms",
              "dataUsePurpose": "The plug only writes; it reads nothing back.",
              "supportContact": "support@plugs.example.com",
              "rating": { "score": "A*A*A*" },
              "dataPreview": [
                {
                  "source": "acme-steps",
                  "date": { "iso": "2024-05-05T22:00:00.000Z", "unix": 1714946400 },
                  "types": ["fitness"],
                  "title": { "text": "You walked", "action": "steps" },
                  "content": { "text": "8,123 steps" }
                }
              ],
              "graphics": {
                "banner": { "normal": "" },
                "logo": { "small": "https://cdn.example.com/s.png", "normal": "https://cdn.example.com/n.png" },
                "screenshots": []
              }
            },
            "developer": { "id": "acme", "name": "Acme Ltd", "url": "https://acme.example.com", "country": "United Kingdom" },
            "permissions": { "rolesGranted": [ { "role": "namespacewrite", "detail": "acme-steps" } ] },
            "setup": { "url": "https://steps.plugs.example.com/authenticate/hat", "kind": "External" },
            "status": {
              "kind": "External",
              "compatibility": "1.2.0",
              "statusUrl": "https://steps.plugs.example.com/api/status",
              "expectedStatus": 200,
              "recentDataCheckEndpoint": "acme-steps/daily",
              "dataPreviewEndpoint": "she/feed/acme-steps",
              "versionReleaseDate": "2024-04-01T12:00:00.000Z"
            }
          },
          "setup": true,
          "enabled": true,
          "active": true,
          "needsUpdating": false,
          "mostRecentData": "2024-05-06T07:08:09.010Z"
        }
        """#

    /// An App as documented, with everything that is optional.
    static let app = #"""
        {
          "application": {
            "id": "acme-diary",
            "kind": {
              "url": "https://diary.example.com",
              "iosUrl": "https://apps.example.com/ios/acme-diary",
              "androidUrl": "https://apps.example.com/android/acme-diary",
              "kind": "App"
            },
            "info": {
              "version": "2.0.1",
              "updateNotes": { "header": "New terms", "notes": ["Terms of service changed"] },
              "published": true,
              "name": "Acme Diary",
              "headline": "A private diary",
              "description": { "text": "Write privately, share when you want." },
              "termsUrl": "https://diary.example.com/terms",
              "dataUsePurpose": "Shared entries are fetched to publish them.",
              "supportContact": "help@diary.example.com",
              "rating": { "score": "B*A*A" },
              "dataPreview": [],
              "graphics": {
                "banner": { "normal": "https://cdn.example.com/diary/banner.png" },
                "logo": { "normal": "https://cdn.example.com/diary/logo.png" },
                "screenshots": [
                  { "normal": "https://cdn.example.com/diary/1.png", "large": "https://cdn.example.com/diary/1@2.png" }
                ]
              }
            },
            "developer": { "id": "acme", "name": "Acme Ltd", "url": "https://acme.example.com", "country": "United Kingdom" },
            "permissions": {
              "rolesGranted": [
                { "role": "namespacewrite", "detail": "acme-diary" },
                { "role": "namespaceread", "detail": "acme-diary" },
                { "role": "datadebit", "detail": "app-acme-diary" },
                { "role": "applicationmanage", "detail": "acme-steps" },
                { "role": "applicationlist" }
              ],
              "dataRetrieved": {
                "name": "acme-diary-shared",
                "bundle": {
                  "entries": {
                    "endpoints": [
                      {
                        "endpoint": "acme-diary/entries",
                        "mapping": { "text": "body.text", "when": "created" },
                        "filters": [ { "field": "shared", "operator": { "operator": "contains", "value": true } } ]
                      }
                    ],
                    "orderBy": "created", "ordering": "descending", "limit": 50
                  }
                }
              },
              "dataRequired": {
                "bundle": { "name": "acme-diary-shared", "bundle": { "entries": { "endpoints": [ { "endpoint": "acme-diary/entries" } ] } } },
                "startDate": "2024-05-01T00:00:00+0000",
                "endDate": "2025-05-01T00:00:00+0000",
                "rolling": true
              }
            },
            "setup": {
              "kind": "External",
              "url": "https://diary.example.com/login",
              "iosUrl": "acmediary://pdahost",
              "androidUrl": "acmediary://pdahost",
              "onboarding": [
                { "title": "Welcome", "description": "Your diary, your data", "illustration": { "normal": "https://cdn.example.com/o1.png" } }
              ]
            },
            "status": {
              "kind": "Internal",
              "compatibility": "2.0.0",
              "recentDataCheckEndpoint": "acme-diary/entries",
              "dataPreviewEndpoint": "she/feed/acme-diary",
              "versionReleaseDate": "2024-05-01T12:00:00.000Z"
            }
          },
          "setup": true,
          "enabled": true,
          "active": true,
          "needsUpdating": false
        }
        """#

    /// A data plug as newer servers write it.
    static let serverPlug = #"""
        {
          "application": {
            "id": "steps-plug",
            "kind": { "url": "https://steps-plug.example.org", "kind": "DataPlug" },
            "info": {
              "version": "1.2.0", "published": true, "name": "Steps",
              "headline": "Daily step counts",
              "description": { "text": "Imports step counts." },
              "termsUrl": "https://example.org/terms",
              "dataUsePurpose": "Shown to the owner only",
              "supportContact": "support@example.org",
              "rating": { "score": "AAA", "points": 10 },
              "dataPreview": [ { "source": "steps", "date": { "iso": "2024-05-01T07:00:00.000Z", "unix": 1714546800 },
                                 "types": ["fitness"], "title": { "text": "4200 steps" } } ],
              "graphics": { "banner": { "normal": "" }, "logo": { "normal": "https://example.org/l.png" }, "screenshots": [] }
            },
            "developer": { "id": "acme", "name": "Acme", "url": "https://example.org", "country": "United Kingdom" },
            "permissions": { "rolesGranted": [ { "role": "namespacewrite", "detail": "steps" } ] },
            "setup": { "url": "https://steps-plug.example.org/setup", "validRedirectUris": [], "kind": "External" },
            "status": { "compatibility": "1.0.0", "statusUrl": "https://steps-plug.example.org/api/status", "expectedStatus": 200,
                        "recentDataCheckEndpoint": "steps/daily", "versionReleaseDate": "2024-04-01T12:00:00.000Z", "kind": "External" }
          },
          "setup": true, "enabled": true, "active": true, "needsUpdating": false,
          "mostRecentData": "2024-05-01T07:00:03.120Z"
        }
        """#

    /// What is asked of an owner.
    static let creation = #"""
        {
          "dataDebitKey": "acme-weekly",
          "purpose": "Weekly report",
          "start": "2024-05-06T00:00:00+0000",
          "period": 604800000,
          "termsUrl": "https://acme.example.com/terms",
          "cancelAtPeriodEnd": false,
          "requestClientName": "Acme",
          "requestClientUrl": "https://acme.example.com",
          "requestClientLogoUrl": "https://acme.example.com/logo.png",
          "requestApplicationId": "acme-diary",
          "requestDescription": "Steps for the weekly report",
          "bundle": { "name": "acme-weekly-bundle", "bundle": { "steps": { "endpoints": [ { "endpoint": "acme-steps/daily" } ], "limit": 7 } } }
        }
        """#

    /// The answer to it.
    static let debit = #"""
        {
          "dataDebitKey": "acme-weekly",
          "dateCreated": "2024-05-06T09:00:00+0000",
          "permissions": [
            {
              "dateCreated": "2024-05-06T09:00:00+0000", "purpose": "Weekly report",
              "start": "2024-05-06T00:00:00.000Z", "period": 604800000, "cancelAtPeriodEnd": false,
              "termsUrl": "https://acme.example.com/terms",
              "bundle": { "name": "acme-weekly-bundle", "bundle": { "steps": { "endpoints": [ { "endpoint": "acme-steps/daily" } ], "limit": 7 } } },
              "accepted": false, "active": false, "end": null
            }
          ],
          "requestClientName": "Acme", "requestClientUrl": "https://acme.example.com",
          "requestClientLogoUrl": "https://acme.example.com/logo.png",
          "requestApplicationId": "acme-diary", "requestDescription": "Steps for the weekly report",
          "active": false, "accepted": false,
          "start": "2024-05-06T00:00:00.000Z", "end": null,
          "permissionsActive": null,
          "permissionsLatest": {
            "dateCreated": "2024-05-06T09:00:00+0000", "purpose": "Weekly report",
            "start": "2024-05-06T00:00:00.000Z", "period": 604800000, "cancelAtPeriodEnd": false,
            "termsUrl": "https://acme.example.com/terms",
            "bundle": { "name": "acme-weekly-bundle", "bundle": { "steps": { "endpoints": [ { "endpoint": "acme-steps/daily" } ], "limit": 7 } } },
            "accepted": false, "active": false, "end": null
          }
        }
        """#

    /// What a data debit gives.
    static let values = #"""
        {
          "conditions": { "hasConsent": true },
          "bundle": {
            "steps": [
              { "endpoint": "acme-steps/daily", "recordId": "6f1d0c3e-3c43-4c0b-9a56-2f7a0b9f1a11", "data": { "count": 8123, "day": "2024-05-05" } }
            ]
          }
        }
        """#
}
