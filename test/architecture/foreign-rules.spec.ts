import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the rule about answers of others', () => {
  // It needs types, so it runs with a TypeScript of its own, and once.
  it('forbids to claim a type of what has none, and allows the rest', () => {
    const code = `
      declare const body: unknown, any: any, fields: Record<string, unknown>, known: string | undefined;
      declare const error: unknown;
      declare function fieldsOf(): Record<string, unknown>;
      export const a = body as { name: string };
      export const b = any as string;
      export const c = fields as { name?: string };
      export const d = fields['spec'] as string[];
      export const e: { name?: string } = fieldsOf();
      export const i = (body ?? {}) as { name?: string };
      export const f = known as string;
      export const g = ['x'] as const;
      export const h = (error as NodeJS.ErrnoException).code;
    `;
    const script = join(import.meta.dirname, 'foreign-rules.mjs');
    const output = execFileSync(process.execPath, [script], { input: code, encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(
      [5, 6, 7, 8, 9, 10].map((line) => `${line} foreign/no-foreign-cast`),
    );
  });
});
