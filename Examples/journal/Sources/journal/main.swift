import DataPlug

await PlugHost.main(fetchers: [JournalExport.self])
