import { describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import { regexProcess, type Regex } from './match-texts.js';
import { RegexQueue, type RegexRule } from './regex-queue.js';

const CATASTROPHIC = { source: '(a+)+$', flags: '' };
const SLOW_TEXT = `${'a'.repeat(60)}!`;

class Rule implements RegexRule<number> {
  readonly matches: number[] = [];
  skipped = 0;
  timedOut = false;

  constructor(readonly regex: Regex) {}

  onMatches(lines: number[]): void {
    this.matches.push(...lines);
  }

  onSkipped(count: number): void {
    this.skipped += count;
  }

  onTimeout(): void {
    this.timedOut = true;
  }
}

describe('RegexQueue', () => {
  it('keeps the order over many batches', async () => {
    const queue = new RegexQueue<number>();
    const rule = new Rule({ source: '0$', flags: '' });
    for (let line = 0; line < 5000; line += 1) queue.add(rule, line, String(line));
    await waitFor(() => rule.matches.length === 500, 'every tenth line');
    expect(rule.matches).toEqual(Array.from({ length: 500 }, (_, index) => index * 10));
    expect(rule.skipped).toBe(0);
  });

  it('skips and counts lines beyond the limits of the backlog', () => {
    const queue = new RegexQueue<number>(() => Promise.resolve([]));
    const rule = new Rule({ source: 'x', flags: '' });
    for (let line = 0; line < 20_500; line += 1) queue.add(rule, line, 'y');
    expect(rule.skipped).toBe(500);
    const long = new Rule({ source: 'x', flags: '' });
    for (let line = 0; line < 1100; line += 1) queue.add(long, line, 'y'.repeat(60_000));
    expect(long.skipped).toBe(1100 - Math.floor(8_000_000 / 8192));
  });

  it('stops a rule with catastrophic backtracking without blocking, and runs the others', async () => {
    const queue = new RegexQueue<number>(regexProcess(2000));
    const bad = new Rule(CATASTROPHIC);
    const good = new Rule({ source: 'a', flags: '' });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    for (let line = 0; line < 700; line += 1) {
      queue.add(bad, line, line === 3 ? SLOW_TEXT : 'a');
      queue.add(good, line, 'a');
    }
    await waitFor(() => good.matches.length + good.skipped === 700 && bad.timedOut, 'both rules');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    expect(bad.skipped).toBe(700);
    expect([good.matches.length, good.timedOut]).toEqual([700, false]);
  });

  it('tries a batch again once, and drops the backlog of a removed rule', async () => {
    let calls = 0;
    const queue = new RegexQueue<number>(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('the process ended')) : Promise.resolve([0]);
    });
    const [rule, removed] = [new Rule(CATASTROPHIC), new Rule(CATASTROPHIC)];
    queue.add(rule, 1, 'a');
    queue.add(removed, 2, 'a');
    queue.remove(removed);
    await waitFor(() => rule.matches.length === 1, 'the second try');
    expect([calls, rule.skipped, removed.matches]).toEqual([2, 0, []]);
  });
});
