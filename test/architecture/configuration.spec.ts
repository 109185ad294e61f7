import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { fileVariableOf } from '../../backend/src/core/config/secret-files.js';
import { readConfiguration } from '../../backend/src/core/config/configuration.js';
import { variables } from '../../backend/src/core/config/variables.js';
import { sourceFiles, textOf } from './source-tree.js';

const definitions = Object.values(variables);

describe('.env.example', () => {
  it('sets only default values', () => {
    const environment = { HOME: '/home/me' };
    const copied = readConfiguration({ ...environment, ...parseEnv(textOf('.env.example')) }, 'linux');
    expect(copied.values).toEqual(readConfiguration(environment, 'linux').values);
  });
});

describe('the documents', () => {
  it('mention only variables that exist', () => {
    const readable = new Set(
      definitions.flatMap((definition) => [definition.name, fileVariableOf(definition)]),
    );
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
