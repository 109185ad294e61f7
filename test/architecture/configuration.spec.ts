import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration, variables } from '../../backend/src/core/config/index.js';
import { sourceFiles, textOf } from './source-tree.js';

const definitions = Object.values(variables);

/** The expected `.env.example`: every variable with its meaning, an example and its default. */
function renderExample(): string {
  const entries = definitions.map(({ name, meaning, fallback, example }) =>
    [
      ...wrap(meaning),
      ...(example === fallback ? [] : [`# Example: ${example}`]),
      `${name}=${fallback}`,
    ].join('\n'),
  );
  return [
    '# Copy this file to .env and change what you need. Variables of the environment take precedence over\n# the file. An empty value means the default.',
    ...entries,
    '',
  ].join('\n\n');
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

describe('.env.example', () => {
  it('lists every variable with its meaning and default', () => {
    expect(textOf('.env.example')).toBe(renderExample().replace(/\n+$/, '\n'));
  });

  it('sets only default values', () => {
    const environment = { HOME: '/home/me' };
    const copied = readConfiguration({ ...environment, ...parseEnv(textOf('.env.example')) }, 'linux');
    expect(copied.values).toEqual(readConfiguration(environment, 'linux').values);
  });
});

describe('the configuration table of README.md', () => {
  const rows = [...textOf('README.md').matchAll(/^\| `([A-Z][A-Z_]+)` +\| (.*?) *\| (.*?) *\|$/gm)];

  it('has a row for every variable with its default', () => {
    const table = new Map(rows.map(([, name = '', fallback = '']) => [name, fallback.replaceAll('`', '')]));
    expect([...table.keys()]).toEqual(definitions.map(({ name }) => name));
    for (const { name, fallback } of definitions) {
      if (fallback !== '') expect([name, table.get(name)]).toEqual([name, fallback]);
    }
  });
});

describe('the documents', () => {
  it('mention only variables that exist', () => {
    const readable = new Set(definitions.map(({ name }) => name));
    const code = [...sourceFiles('scripts'), ...sourceFiles('test'), ...sourceFiles('.ci')]
      .map(textOf)
      .join('\n');
    const unknown = [
      'README.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      ...sourceFiles('docs', /\.md$/),
    ].flatMap((file) =>
      [...textOf(file).matchAll(/\bAPP_[A-Z_]+\b/g)]
        .map(([name]) => name)
        .filter((name) => !readable.has(name) && !code.includes(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
