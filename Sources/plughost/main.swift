import PlugHostCLI

await PlugHostProgram.main()
