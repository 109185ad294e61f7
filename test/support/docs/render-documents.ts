import type { errorResponses } from '../../../backend/src/core/api/error-responses.js';
import type { fileVariableOf, secretFileExample, variables } from '../../../backend/src/core/config/index.js';
import type { errorCodes, ErrorCode } from '../../../backend/src/core/errors/index.js';
import type { CATALOG } from '../../../backend/src/modules/addons/catalog/catalog.js';

/** The input of the documents: the sources in a spec, the build in `npm run docs`. */
export interface Product {
  variables: typeof variables;
  fileVariableOf: typeof fileVariableOf;
  secretFileExample: typeof secretFileExample;
  errorCodes: typeof errorCodes;
  errorResponses: typeof errorResponses;
  CATALOG: typeof CATALOG;
}

/** @returns each document that has generated parts, by its path. Prettier then aligns the columns of its tables. */
export function renderDocuments(product: Product, textOf: (file: string) => string): Map<string, string> {
  const page = (file: string, parts: Readonly<Record<string, string>>): [string, string] => [
    file,
    Object.entries(parts).reduce((text, [name, part]) => replacePart(text, name, part), textOf(file)),
  ];
  return new Map([
    ['.env.example', environmentExample(product)],
    page('docs/configuration.md', { settings: settings(product) }),
    page('docs/addons.md', { addons: addons(product) }),
    page('docs/api.md', {
      errors: errors(product),
      dashboard: routes(textOf('openapi.json')),
      'log-board': routes(textOf('openapi.log-board.json')),
    }),
  ]);
}

/** Replaces what is between the markers of a part. */
function replacePart(text: string, name: string, part: string): string {
  const start = `<!-- generated: ${name} -->\n`;
  const from = text.indexOf(start);
  const to = text.indexOf('<!-- end -->', from);
  if (from === -1 || to === -1) throw new Error(`the document has no markers of the part ${name}`);
  return `${text.slice(0, from)}${start}\n${part}\n\n${text.slice(to)}`;
}

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string | null): string {
  return text === null || text === '' ? '' : `\`${text}\``;
}

function settings({ variables, fileVariableOf }: Product): string {
  return table(
    ['Variable', 'Default', 'Meaning'],
    Object.values(variables).flatMap((variable) => {
      const { name, fallback, meaning } = variable;
      const file = fileVariableOf(variable);
      const row: Row = [code(name), code(fallback), meaning];
      return file === undefined ? [row] : [row, [code(file), '', fileMeaning(name)]];
    }),
  );
}

function fileMeaning(name: string): string {
  return `File with the value of ${name}, such as a Docker secret.`;
}

function errors({ errorCodes, errorResponses }: Product): string {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return table(
    ['Status', 'Code', 'Example message'],
    codes.map((name) => {
      const { status } = errorCodes[name];
      const [response] = errorResponses([name]).values();
      return [String(status), code(name), response?.byCode[name]?.value.message ?? ''];
    }),
  );
}

function addons({ CATALOG }: Product): string {
  return table(
    ['Addon', 'Name', 'Purpose', 'Chart version', 'Namespace'],
    CATALOG.map(({ title, name, purpose, version, namespace }) => [
      title,
      code(name),
      purpose,
      code(version),
      code(namespace),
    ]),
  );
}

function routes(document: string): string {
  const { paths } = JSON.parse(document) as {
    paths: Record<string, Record<string, { summary: string }>>;
  };
  return table(
    ['Route', 'Does'],
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]): Row => [
        code(`${method.toUpperCase()} ${path}`),
        summary,
      ]),
    ),
  );
}

/** `.env.example`: every variable with its meaning, an example and its default. */
function environmentExample({ variables, fileVariableOf, secretFileExample }: Product): string {
  const entries = Object.values(variables).flatMap((variable) => {
    const { name, meaning, fallback, example } = variable;
    const file = fileVariableOf(variable);
    const entry = environmentEntry(meaning, example, name, fallback);
    return file === undefined
      ? [entry]
      : [entry, environmentEntry(fileMeaning(name), secretFileExample(name), file, '')];
  });
  const head =
    '# Copy this file to .env or ~/.config/slipway/slipway.env, and change what you need. Variables of the\n# environment take precedence over the file. An empty value means the default.';
  return `${[head, ...entries].join('\n\n')}\n`;
}

function environmentEntry(meaning: string, example: string, name: string, fallback: string): string {
  const shown = example === fallback ? [] : [`# Example: ${example}`];
  return [...wrap(meaning), ...shown, `${name}=${fallback}`].join('\n');
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > 100) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
