import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { LogBoardMessage } from '../../../shared/api/api-types';
import { BoardConnection, type BoardListener } from '../../api/board-connection';
import { makeSource } from '../../../shared/testing/make-source';
import { LogSources } from './log-sources';

describe('LogSources', () => {
  let listener: BoardListener | undefined;
  let sent: unknown[];
  let sources: LogSources;

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    const board: Pick<BoardConnection, 'listen' | 'send'> = {
      listen: (added) => {
        listener = added;
        return () => undefined;
      },
      send: (message) => void sent.push(message),
    };
    TestBed.configureTestingModule({ providers: [{ provide: BoardConnection, useValue: board }] });
    sources = TestBed.inject(LogSources);
    listener?.onOpen();
  });

  afterEach(() => void jest.useRealTimers());

  type Sources = Extract<LogBoardMessage, { type: 'sources' }>;
  function tell(ids: number[], more: Partial<Sources> = {}): void {
    const sources = ids.map((id) => makeSource({ id }));
    listener?.onMessage({ type: 'sources', whole: false, sources, gone: [], ...more });
  }
  const known = (): number[] | null => (sources.byId() === null ? null : sources.all().map(({ id }) => id));

  it('requests all sources, and applies changes', () => {
    expect([sent, known()]).toEqual([[{ type: 'watch_sources' }], null]);
    tell([1, 2], { whole: true });
    tell([3], { gone: [1] });
    expect(known()).toEqual([2, 3]);
  });

  it('shows a list in several messages with the last one', () => {
    tell([1, 2], { whole: true, more: true });
    tell([3, 4], { more: true });
    expect(known()).toBeNull();
    tell([5], { gone: [2] });
    expect(known()).toEqual([1, 3, 4, 5]);
    tell([1], { more: true, gone: [5] });
    expect(known()).toEqual([1, 3, 4, 5]);
    tell([6]);
    expect(known()).toEqual([1, 3, 4, 6]);
  });

  it('repeats watch_sources while the server reports storage_unavailable', () => {
    const message = 'The data folder cannot be written: no room is left.';
    const refuse = (): void => listener?.onMessage({ type: 'error', code: 'storage_unavailable', message });
    refuse();
    expect(sent).toHaveLength(1);
    jest.advanceTimersByTime(2000);
    refuse();
    jest.advanceTimersByTime(2000);
    expect(sent).toEqual(Array(3).fill({ type: 'watch_sources' }));
    tell([1], { whole: true });
    jest.advanceTimersByTime(10_000);
    expect([known(), sent.length]).toEqual([[1], 3]);
  });

  it('starts again after a connection lost between messages', () => {
    tell([1], { whole: true });
    tell([7, 8], { whole: true, more: true });
    listener?.onOpen();
    expect(known()).toEqual([1]);
    tell([2], { whole: true });
    expect(known()).toEqual([2]);
  });
});
