import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sourceFiles, textOf } from './source-tree.js';

/** Without its `imports`, a component does not apply the directive that makes such buttons plain. */
function submitsByMistake(file: string, decorator: string): boolean {
  const url = /templateUrl: '([^']+)'/.exec(decorator)?.[1];
  const template = url === undefined ? decorator : textOf(join(dirname(file), url));
  const tags = [...template.matchAll(/<button\b(?:"[^"]*"|[^">])*>/g)].map(([tag]) => tag);
  const isUntyped = tags.some((tag) => !/\s(\[?type\]?=|\[?swIconButton\]?=)/.test(tag));
  const imports = /^ {2}imports: \[([^\]]*)\]/m.exec(decorator)?.[1] ?? '';
  return isUntyped && !/\b(UI|PlainButton)\b/.test(imports);
}

describe('buttons without a type', () => {
  it('are plain in every component, so that they submit no form', () => {
    const files = sourceFiles('frontend/src', /\.ts$/).filter((file) => !file.endsWith('.spec.ts'));
    const wrong = files.filter((file) =>
      textOf(file)
        .split(/^(?=@Component\()/m)
        .slice(1)
        .some((part) => submitsByMistake(file, part.split(/^export class/m)[0] ?? '')),
    );
    expect(wrong).toEqual([]);
  });
});
