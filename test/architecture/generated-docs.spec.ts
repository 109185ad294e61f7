import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { errorResponses } from '../../backend/src/core/api/error-responses.js';
import {
  fileVariableOf,
  readProject,
  secretFileExample,
  variables,
} from '../../backend/src/core/config/index.js';
import { errorCodes, type ErrorCode } from '../../backend/src/core/errors/index.js';
import { CATALOG } from '../../backend/src/modules/addons/catalog/catalog.js';
import { textOf } from './source-tree.js';

/** `npm run docs` writes the generated parts instead of comparing them. */
const WRITE = process.env['WRITE_DOCS'] === '1';
const HINT = 'Run `npm run docs`.';

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string | null): string {
  return text === null || text === '' ? '' : `\`${text}\``;
}

function settings(): string {
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

function errors(): string {
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

function addons(): string {
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

function routes(file: string): string {
  const { paths } = JSON.parse(textOf(file)) as {
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

/** The generated parts of each page, by the names of their markers. */
const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/configuration.md': { settings },
  'docs/addons.md': { addons },
  'docs/api.md': {
    errors,
    dashboard: () => routes('openapi.json'),
    'log-board': () => routes('openapi.log-board.json'),
  },
};

/** `.env.example`: every variable with its meaning, an example and its default. */
function environmentExample(): string {
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

/** Without the alignment of columns, which Prettier adds. */
function unaligned(markdown: string): string {
  return markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}

function write(file: string, text: string): void {
  writeFileSync(join(readProject().root, file), text);
}

describe('generated documentation', () => {
  it.each(Object.entries(PAGES))('%s has the current tables', (file, parts) => {
    let text = textOf(file);
    for (const [name, render] of Object.entries(parts)) {
      const marked = new RegExp(`(<!-- generated: ${name} -->\\n)([^]*?)(<!-- end -->)`);
      const [, , present = ''] = marked.exec(text) ?? [];
      const expected = `\n${render()}\n\n`;
      if (WRITE) text = text.replace(marked, (_all, start, _old, end) => `${start}${expected}${end}`);
      else expect([HINT, unaligned(present)]).toEqual([HINT, unaligned(expected)]);
    }
    if (WRITE) write(file, text);
  });

  it('.env.example has every variable with its meaning and default', () => {
    if (WRITE) write('.env.example', environmentExample());
    expect([HINT, textOf('.env.example')]).toEqual([HINT, environmentExample()]);
  });
});
