import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../backend/src/core/errors/domain-error.js';
import { ExternalError } from '../../backend/src/core/errors/external-error.js';
import { droppedValues } from '../../backend/src/core/parsing/index.js';
import { mutationsOf, violationIn } from './mutations.js';

/** Of one answer, on a busy machine: a quadratic reader needs minutes for 1 MB. */
const MAX_MS = 2000;

export interface Feed {
  what: string;
  answer: unknown;
  /** Reads the answer and renders what Slipway makes of it. */
  read: (text: string) => unknown;
}

/** Feeds every mutation, and expects a typed result, or an error that says what is wrong. */
async function fuzz({ answer, read }: Feed): Promise<number> {
  let tried = 0;
  for (const { what, text } of mutationsOf(answer)) {
    const began = performance.now();
    let result: unknown;
    try {
      result = await read(text);
    } catch (error) {
      if (!isExpected(error)) throw new Error(`${what}: ${String((error as Error).stack)}`, { cause: error });
    }
    const violation = violationIn(result);
    if (violation !== undefined) throw new Error(`${what}: ${violation}`);
    const took = performance.now() - began;
    if (took > MAX_MS) throw new Error(`${what}: took ${Math.round(took)} ms`);
    tried += 1;
  }
  return tried;
}

/** Not an error of the language, which means that something was used as what it is not. */
function isExpected(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof ExternalError) return true;
  return error instanceof Error && error.constructor.name === 'Error';
}
/** Declares a test of each feed. */
export function describeFeeds(feeds: readonly Feed[]): void {
  describe.each([...feeds])('$what', (feed) => {
    it('is read into its types whatever one value becomes', async () => {
      const before = droppedValues();
      expect(violationIn(await feed.read(JSON.stringify(feed.answer)))).toBeUndefined();
      expect(await fuzz(feed)).toBeGreaterThan(20);
      expect(droppedValues()).toBeGreaterThanOrEqual(before);
      expect('polluted' in {}).toBe(false);
    });
  });
}
