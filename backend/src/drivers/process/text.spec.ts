import { describe, expect, it } from '@jest/globals';
import { BoundedText } from './bounded-text.js';
import { CommandError } from './command-error.js';
import { LineSplitter } from './line-splitter.js';

describe('LineSplitter', () => {
  const split = (...chunks: string[]): string[] => {
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => lines.push(line));
    for (const chunk of chunks) splitter.push(chunk);
    splitter.end();
    return lines;
  };

  it('joins lines that are split between chunks', () => {
    expect(split('on', 'e\ntw', 'o\n', 'three')).toEqual(['one', 'two', 'three']);
    expect(split('a\n\nb\n')).toEqual(['a', '', 'b']);
    expect(split('10%\r20%\r30%\n')).toEqual(['10%', '20%', '30%']);
  });

  it('treats \\r\\n as one line end, even if it is split between chunks', () => {
    expect(split('a\r\nb')).toEqual(['a', 'b']);
    expect(split('a\r', '\nb')).toEqual(['a', 'b']);
  });

  it('truncates an overlong line and keeps the next one', () => {
    const lines = split('x'.repeat(20_000), 'y'.repeat(40_000), 'end\nnext\n');
    expect(lines.map((line) => line.length)).toEqual([8192, 4]);
    expect(lines[1]).toBe('next');
  });
});

describe('BoundedText', () => {
  it('keeps a text up to the limit', () => {
    const text = new BoundedText(10);
    for (const chunk of ['ab', 'cdefg', 'hij']) text.append(chunk);
    expect(text.toString()).toBe('abcdefghij');
  });

  it('keeps both ends of a longer text and reports the omitted characters', () => {
    const text = new BoundedText(1000);
    for (let index = 0; index < 10_000; index += 1) text.append(`${index % 10} `);
    const [head = '', mark = '', tail = ''] = text.toString().split('\n');
    const missing = Number(/\[(\d+) characters omitted\]/.exec(mark)?.[1]);
    expect(head).toMatch(/^0 1 2 /);
    expect(tail).toMatch(/ 7 8 9 $/);
    expect(head.length + missing + tail.length).toBe(20_000);
    expect(text.toString().length).toBeLessThanOrEqual(1000);
  });
});

describe('CommandError', () => {
  const messageOf = (stderr: string): string =>
    new CommandError({ program: 'kind', args: [], failure: 'failed', exitCode: 1, stderr }).message;

  it.each([
    ['the last line without an error line', 'one\ntwo\n\n', 'two'],
    ['the error line before hints', 'ERROR: no such cluster\nTry --help\n', 'no such cluster'],
  ])('names %s as the reason', (_, stderr, reason) => {
    expect(messageOf(stderr)).toBe(`kind failed with exit status 1: ${reason}`);
  });

  it('has no reason without output, and truncates a long one', () => {
    expect(messageOf('')).toBe('kind failed with exit status 1');
    expect(messageOf(`ERROR: ${'x'.repeat(100_000)}`).length).toBeLessThan(2100);
  });

  it('redacts message, command line and output', () => {
    const error = new CommandError({
      program: 'kind',
      args: ['--x', 'bearer abcdefghijkl'],
      failure: 'failed',
      stdout: 'client-key-data: LS0tLS1C',
      stderr: 'ERROR: token abcdef.0123456789abcdef is used up',
    });
    expect(JSON.stringify([error.message, error.commandLine, error.stdout, error.stderr])).not.toMatch(
      /LS0tLS1C|0123456789abcdef|abcdefghijkl/,
    );
  });
});
