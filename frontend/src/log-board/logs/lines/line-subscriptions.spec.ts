import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { LogBoardMessage, LogBoardRequest, WireLine } from '../../../shared/api/api-types';
import { BoardConnection, type BoardListener } from '../board-connection';
import { type LineReader, LineSubscriptions } from './line-subscriptions';

/** The connection, whose other side is the spec; like it, it sends nothing while it does not stand. */
class FakeBoard {
  isOpen = true;
  sent: LogBoardRequest[] = [];
  private listener: BoardListener | undefined;

  listen(listener: BoardListener): () => void {
    if (this.listener) throw new Error('somebody listens already');
    this.listener = listener;
    if (this.isOpen) listener.onOpen();
    return () => {
      throw new Error('it lives as long as the page');
    };
  }

  send(message: LogBoardRequest): void {
    if (this.isOpen) this.sent.push(message);
  }

  tell(message: LogBoardMessage): void {
    this.listener?.onMessage(message);
  }

  comeBack(): void {
    this.isOpen = true;
    this.listener?.onOpen();
  }

  /** What was sent since it was asked last. */
  take(): LogBoardRequest[] {
    const { sent } = this;
    this.sent = [];
    return sent;
  }
}

class FakeReader implements LineReader {
  readonly heard: string[] = [];

  changed(source: number): void {
    this.heard.push(`${source} changed`);
  }

  began(source: number): void {
    this.heard.push(`${source} began`);
  }

  lines(source: number, lines: readonly WireLine[]): void {
    this.heard.push(`${source} lines ${lines.map(([seq]) => seq).join()}`);
  }

  skipped(source: number, from: number, to: number): void {
    this.heard.push(`${source} skipped ${from}-${to}`);
  }

  failed(source: number, message: string): void {
    this.heard.push(`${source} failed: ${message}`);
  }
}

function lines(source: number, from: number, to: number): LogBoardMessage {
  const told = Array.from({ length: to - from + 1 }, (_, index): WireLine => [
    from + index,
    from + index,
    1,
    null,
    'text',
    0,
  ]);
  return { type: 'lines', source, lines: told };
}

describe('LineSubscriptions', () => {
  let board: FakeBoard;
  let subscriptions: LineSubscriptions;
  let reader: FakeReader;

  beforeEach(() => {
    jest.useFakeTimers();
    board = new FakeBoard();
    reader = new FakeReader();
    TestBed.configureTestingModule({ providers: [{ provide: BoardConnection, useValue: board }] });
    subscriptions = TestBed.inject(LineSubscriptions);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('has one subscription of a source, however many read it', () => {
    const end = subscriptions.follow(7, reader);
    expect(board.take()).toEqual([{ type: 'subscribe', source: 7 }]);
    board.tell({ type: 'subscribed', source: 7, from: 10, run: 1 });
    const other = new FakeReader();
    const endOther = subscriptions.follow(7, other);
    board.tell(lines(7, 10, 11));
    board.tell({ type: 'skipped', source: 7, from: 12, to: 20, count: 9 });
    expect([reader.heard, other.heard]).toEqual(
      [reader, other].map(() => ['7 began', '7 lines 10,11', '7 skipped 12-20']),
    );
    end();
    board.tell(lines(7, 21, 21));
    expect([reader.heard.length, other.heard.length]).toEqual([3, 4]);
    expect(board.take()).toEqual([]);
    endOther();
    expect(board.take()).toEqual([{ type: 'unsubscribe', source: 7 }]);
    board.tell(lines(7, 22, 22));
    expect(other.heard).toHaveLength(4);
  });

  it('tells one that comes before the subscription stands once it does', () => {
    const other = new FakeReader();
    subscriptions.follow(7, reader);
    subscriptions.follow(7, other);
    expect(other.heard).toEqual([]);
    board.tell({ type: 'subscribed', source: 7, from: 1, run: 1 });
    expect([reader.heard, other.heard]).toEqual([['7 began'], ['7 began']]);
  });

  it('says how far it has read ten times a second, of each source that told something', () => {
    for (const source of [7, 8, 9]) {
      subscriptions.follow(source, reader);
      board.tell({ type: 'subscribed', source, from: 1, run: 1 });
    }
    board.take();
    board.tell(lines(7, 1, 3));
    board.tell(lines(7, 4, 5));
    board.tell({ type: 'skipped', source: 8, from: 1, to: 40, count: 40 });
    jest.advanceTimersByTime(99);
    expect(board.take()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(board.take()).toEqual([
      { type: 'ack', source: 7, seq: 5 },
      { type: 'ack', source: 8, seq: 40 },
    ]);
    jest.advanceTimersByTime(10_000);
    expect(board.take()).toEqual([]);
  });

  it('says nothing of what nobody reads any more', () => {
    const end = subscriptions.follow(7, reader);
    board.tell({ type: 'subscribed', source: 7, from: 1, run: 1 });
    board.tell(lines(7, 1, 3));
    end();
    board.take();
    jest.advanceTimersByTime(1000);
    expect(board.take()).toEqual([]);
  });

  it('goes on from the last line after a loss, and from now on where none had come', () => {
    subscriptions.follow(7, reader);
    subscriptions.follow(8, reader);
    board.tell({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.tell(lines(7, 10, 12));
    board.take();
    board.isOpen = false;
    board.comeBack();
    expect(board.take()).toEqual([
      { type: 'subscribe', source: 7, after: 12, run: 5 },
      { type: 'subscribe', source: 8 },
    ]);
    board.tell({ type: 'subscribed', source: 7, from: 13, run: 6 });
    board.tell(lines(7, 13, 13));
    expect(reader.heard).toEqual(['7 began', '7 lines 10,11,12', '7 began', '7 lines 13']);
    board.comeBack();
    expect(board.take()[0]).toEqual({ type: 'subscribe', source: 7, after: 13, run: 6 });
  });

  it('goes on where it stood though nothing had come yet', () => {
    subscriptions.follow(7, reader);
    board.tell({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.take();
    board.comeBack();
    expect(board.take()).toEqual([{ type: 'subscribe', source: 7, after: 9, run: 5 }]);
  });

  it('says that lines are others now where the server lost them, and reads on from there', () => {
    // Who reads them begins anew, as the page does.
    const later = new FakeReader();
    const again = Object.assign(new FakeReader(), {
      changed: (source: number) => {
        again.heard.push(`${source} changed`);
        subscriptions.follow(source, later);
        end();
      },
    });
    const end = subscriptions.follow(7, again);
    board.tell({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.tell(lines(7, 10, 20));
    jest.advanceTimersByTime(100);
    board.comeBack();
    board.take();
    board.tell({ type: 'subscribed', source: 7, from: 16, run: 6 });
    expect([again.heard.at(-1), later.heard]).toEqual(['7 changed', ['7 began']]);
    board.tell(lines(7, 16, 17));
    expect([again.heard.at(-1), later.heard.at(-1)]).toEqual(['7 changed', '7 lines 16,17']);
    jest.advanceTimersByTime(100);
    expect(board.take()).toEqual([{ type: 'ack', source: 7, seq: 17 }]);
  });

  it('says why a source cannot be followed, and passes over what is about none', () => {
    subscriptions.follow(7, reader);
    board.tell({ type: 'error', code: 'source_not_found', message: 'There is no source 7.', source: 7 });
    board.tell({ type: 'error', code: 'invalid_input', message: 'What?' });
    board.tell({ type: 'pong' });
    board.tell(lines(99, 1, 2));
    expect(reader.heard).toEqual(['7 failed: There is no source 7.']);
  });

  it('asks again where the server cannot read its history just now, from where it was', () => {
    subscriptions.follow(7, reader);
    subscriptions.follow(8, reader);
    board.tell({ type: 'subscribed', source: 7, from: 4, run: 2 });
    board.comeBack();
    board.take();
    const message = 'The data folder cannot be written: no room is left.';
    for (const source of [7, 8]) board.tell({ type: 'error', code: 'storage_unavailable', message, source });
    jest.advanceTimersByTime(1999);
    expect(board.take()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(board.take()).toEqual([
      { type: 'subscribe', source: 7, after: 3, run: 2 },
      { type: 'subscribe', source: 8 },
    ]);
    board.tell({ type: 'subscribed', source: 7, from: 4, run: 2 });
    board.tell({ type: 'subscribed', source: 8, from: 1, run: 2 });
    expect(reader.heard).toEqual(['7 began', '7 began', '8 began']);
    jest.advanceTimersByTime(10_000);
    expect(board.take()).toEqual([]);
  });

  it('asks again for one that was refused, for who comes to it later', () => {
    subscriptions.follow(3, reader);
    board.tell({ type: 'error', code: 'too_many_requests', message: 'One socket follows …', source: 3 });
    expect(reader.heard).toEqual(['3 failed: One socket follows …']);
    board.take();
    const other = new FakeReader();
    subscriptions.follow(3, other);
    expect(board.take()).toEqual([{ type: 'subscribe', source: 3 }]);
    board.tell({ type: 'subscribed', source: 3, from: 1, run: 1 });
    subscriptions.follow(3, new FakeReader());
    expect([other.heard, board.take()]).toEqual([['3 began'], []]);
  });
});
