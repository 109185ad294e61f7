/** The first file of every work process. It imports the file whose functions the process serves, which calls `serveWork`. */
await import(process.argv[2] ?? '');
