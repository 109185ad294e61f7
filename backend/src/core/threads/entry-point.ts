/** Command line options of threads and processes in specs. */
const SOURCE_ARGUMENTS = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../../../../test/support/threads/load-sources.mjs', import.meta.url).href,
];

interface EntryPoint {
  file: URL;
  /** Only for sources, which Node cannot load on its own. */
  execArgv?: string[];
}

/**
 * The first file of a thread or process.
 * @param beside `import.meta.url` of a file in the same folder.
 * @param name without extension.
 */
export function entryPoint(beside: string, name: string): EntryPoint {
  const isSource = beside.endsWith('.ts');
  return {
    file: new URL(`./${name}${isSource ? '.ts' : '.js'}`, beside),
    ...(isSource && { execArgv: SOURCE_ARGUMENTS }),
  };
}
