import { describe, expect, it } from '@jest/globals';
import { sourceFiles, textOf } from './source-tree.js';

const CATALOGS = ['dashboard', 'log-board'].map((name) => ({
  name,
  text: textOf(`frontend/i18n/${name}.xlf`),
}));

/** Messages without placeholders, as they are in a file. */
function messagesOf(file: string): string[] {
  const text = textOf(file);
  const inCode = [...text.matchAll(/\$localize`([^`$\\]+)`/g)].map(([, message]) => message ?? '');
  const inAttributes = [...text.matchAll(/\s([\w-]+)="([^"{]+)"\s+i18n-\1[\s/>]/g)].map(
    ([, , message]) => message ?? '',
  );
  return [...inCode, ...inAttributes];
}

/** As XLIFF writes it. */
function escaped(message: string): string {
  return message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

describe('message catalogs', () => {
  const files = sourceFiles('frontend/src', /\.(ts|html)$/).filter(
    (file) => !file.endsWith('.spec.ts') && !file.includes('/testing/'),
  );

  it('contain each message of the sources; if not, run npm run i18n', () => {
    expect(files.length).toBeGreaterThan(100);
    const missing = files.flatMap((file) => {
      const own = CATALOGS.filter(({ name }) => file.startsWith(`frontend/src/${name}/`));
      const catalogs = own.length > 0 ? own : CATALOGS;
      return messagesOf(file)
        .filter(
          (message) => !catalogs.some(({ text }) => text.includes(`<source>${escaped(message)}</source>`)),
        )
        .map((message) => `${file}: ${message}`);
    });
    expect(missing).toEqual([]);
  });
});
