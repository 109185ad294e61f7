import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { LogBoardMessage, LogBoardRequest, WireLine } from '../../../shared/api/api-types';
import { BoardConnection, type BoardListener } from '../../api/board-connection';
import { type LineListener, LineSubscriptions } from './line-subscriptions';

/** A connection to a scripted server; like the real one, it sends nothing while it is closed. */
class FakeBoard {
  isOpen = true;
  sent: LogBoardRequest[] = [];
  private listener: BoardListener | undefined;

  listen(listener: BoardListener): () => void {
    if (this.listener) throw new Error('There is a listener already.');
    this.listener = listener;
    if (this.isOpen) listener.onOpen();
    return () => {
      throw new Error('The listener is never removed.');
    };
  }

  send(message: LogBoardRequest): void {
    if (this.isOpen) this.sent.push(message);
  }

  receive(message: LogBoardMessage): void {
    this.listener?.onMessage(message);
  }

  reconnect(): void {
    this.isOpen = true;
    this.listener?.onOpen();
  }

  /** The messages sent since the last call. */
  takeSent(): LogBoardRequest[] {
    const { sent } = this;
    this.sent = [];
    return sent;
  }
}

class FakeListener implements LineListener {
  readonly events: string[] = [];

  onReset(source: number): void {
    this.events.push(`${source} reset`);
  }

  onStart(source: number): void {
    this.events.push(`${source} started`);
  }

  onLines(source: number, lines: readonly WireLine[]): void {
    this.events.push(`${source} lines ${lines.map(([seq]) => seq).join()}`);
  }

  onSkipped(source: number, from: number, to: number): void {
    this.events.push(`${source} skipped ${from}-${to}`);
  }

  onError(source: number, message: string): void {
    this.events.push(`${source} failed: ${message}`);
  }
}

function lines(source: number, from: number, to: number): LogBoardMessage {
  const added = Array.from({ length: to - from + 1 }, (_, index): WireLine => [
    from + index,
    from + index,
    1,
    null,
    'text',
    0,
  ]);
  return { type: 'lines', source, lines: added };
}

describe('LineSubscriptions', () => {
  let board: FakeBoard;
  let subscriptions: LineSubscriptions;
  let listener: FakeListener;

  beforeEach(() => {
    jest.useFakeTimers();
    board = new FakeBoard();
    listener = new FakeListener();
    TestBed.configureTestingModule({ providers: [{ provide: BoardConnection, useValue: board }] });
    subscriptions = TestBed.inject(LineSubscriptions);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('shares one subscription per source among all listeners', () => {
    const end = subscriptions.follow(7, listener);
    expect(board.takeSent()).toEqual([{ type: 'subscribe', source: 7 }]);
    board.receive({ type: 'subscribed', source: 7, from: 10, run: 1 });
    const other = new FakeListener();
    const endOther = subscriptions.follow(7, other);
    board.receive(lines(7, 10, 11));
    board.receive({ type: 'skipped', source: 7, from: 12, to: 20, count: 9 });
    expect([listener.events, other.events]).toEqual(
      [listener, other].map(() => ['7 started', '7 lines 10,11', '7 skipped 12-20']),
    );
    end();
    board.receive(lines(7, 21, 21));
    expect([listener.events.length, other.events.length]).toEqual([3, 4]);
    expect(board.takeSent()).toEqual([]);
    endOther();
    expect(board.takeSent()).toEqual([{ type: 'unsubscribe', source: 7 }]);
    board.receive(lines(7, 22, 22));
    expect(other.events).toHaveLength(4);
  });

  it('starts a listener that was added before the subscription became active', () => {
    const other = new FakeListener();
    subscriptions.follow(7, listener);
    subscriptions.follow(7, other);
    expect(other.events).toEqual([]);
    board.receive({ type: 'subscribed', source: 7, from: 1, run: 1 });
    expect([listener.events, other.events]).toEqual([['7 started'], ['7 started']]);
  });

  it('acknowledges the last line of each source ten times per second', () => {
    for (const source of [7, 8, 9]) {
      subscriptions.follow(source, listener);
      board.receive({ type: 'subscribed', source, from: 1, run: 1 });
    }
    board.takeSent();
    board.receive(lines(7, 1, 3));
    board.receive(lines(7, 4, 5));
    board.receive({ type: 'skipped', source: 8, from: 1, to: 40, count: 40 });
    jest.advanceTimersByTime(99);
    expect(board.takeSent()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(board.takeSent()).toEqual([
      { type: 'ack', source: 7, seq: 5 },
      { type: 'ack', source: 8, seq: 40 },
    ]);
    jest.advanceTimersByTime(10_000);
    expect(board.takeSent()).toEqual([]);
  });

  it('acknowledges nothing for sources without listeners', () => {
    const end = subscriptions.follow(7, listener);
    board.receive({ type: 'subscribed', source: 7, from: 1, run: 1 });
    board.receive(lines(7, 1, 3));
    end();
    board.takeSent();
    jest.advanceTimersByTime(1000);
    expect(board.takeSent()).toEqual([]);
  });

  it('continues after the last line when the connection is restored, or from the start without lines', () => {
    subscriptions.follow(7, listener);
    subscriptions.follow(8, listener);
    board.receive({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.receive(lines(7, 10, 12));
    board.takeSent();
    board.isOpen = false;
    board.reconnect();
    expect(board.takeSent()).toEqual([
      { type: 'subscribe', source: 7, after: 12, run: 5 },
      { type: 'subscribe', source: 8 },
    ]);
    board.receive({ type: 'subscribed', source: 7, from: 13, run: 6 });
    board.receive(lines(7, 13, 13));
    expect(listener.events).toEqual(['7 started', '7 lines 10,11,12', '7 started', '7 lines 13']);
    board.reconnect();
    expect(board.takeSent()[0]).toEqual({ type: 'subscribe', source: 7, after: 13, run: 6 });
  });

  it('continues from its position if no lines have arrived yet', () => {
    subscriptions.follow(7, listener);
    board.receive({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.takeSent();
    board.reconnect();
    expect(board.takeSent()).toEqual([{ type: 'subscribe', source: 7, after: 9, run: 5 }]);
  });

  it('resets listeners when the server has lost lines, and continues from there', () => {
    // The page replaces a reset listener.
    const later = new FakeListener();
    const again = Object.assign(new FakeListener(), {
      onReset: (source: number) => {
        again.events.push(`${source} reset`);
        subscriptions.follow(source, later);
        end();
      },
    });
    const end = subscriptions.follow(7, again);
    board.receive({ type: 'subscribed', source: 7, from: 10, run: 5 });
    board.receive(lines(7, 10, 20));
    jest.advanceTimersByTime(100);
    board.reconnect();
    board.takeSent();
    board.receive({ type: 'subscribed', source: 7, from: 16, run: 6 });
    expect([again.events.at(-1), later.events]).toEqual(['7 reset', ['7 started']]);
    board.receive(lines(7, 16, 17));
    expect([again.events.at(-1), later.events.at(-1)]).toEqual(['7 reset', '7 lines 16,17']);
    jest.advanceTimersByTime(100);
    expect(board.takeSent()).toEqual([{ type: 'ack', source: 7, seq: 17 }]);
  });

  it('reports why a source cannot be followed, and ignores other errors', () => {
    subscriptions.follow(7, listener);
    board.receive({ type: 'error', code: 'source_not_found', message: 'There is no source 7.', source: 7 });
    board.receive({ type: 'error', code: 'invalid_input', message: 'What?' });
    board.receive({ type: 'pong' });
    board.receive(lines(99, 1, 2));
    expect(listener.events).toEqual(['7 failed: There is no source 7.']);
  });

  it('subscribes again from the same position while the server reports storage_unavailable', () => {
    subscriptions.follow(7, listener);
    subscriptions.follow(8, listener);
    board.receive({ type: 'subscribed', source: 7, from: 4, run: 2 });
    board.reconnect();
    board.takeSent();
    const message = 'The data folder cannot be written: no room is left.';
    for (const source of [7, 8]) {
      board.receive({ type: 'error', code: 'storage_unavailable', message, source });
    }
    jest.advanceTimersByTime(1999);
    expect(board.takeSent()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(board.takeSent()).toEqual([
      { type: 'subscribe', source: 7, after: 3, run: 2 },
      { type: 'subscribe', source: 8 },
    ]);
    board.receive({ type: 'subscribed', source: 7, from: 4, run: 2 });
    board.receive({ type: 'subscribed', source: 8, from: 1, run: 2 });
    expect(listener.events).toEqual(['7 started', '7 started', '8 started']);
    jest.advanceTimersByTime(10_000);
    expect(board.takeSent()).toEqual([]);
  });

  it('subscribes again for a new listener after a refusal', () => {
    subscriptions.follow(3, listener);
    board.receive({ type: 'error', code: 'too_many_requests', message: 'One socket follows …', source: 3 });
    expect(listener.events).toEqual(['3 failed: One socket follows …']);
    board.takeSent();
    const other = new FakeListener();
    subscriptions.follow(3, other);
    expect(board.takeSent()).toEqual([{ type: 'subscribe', source: 3 }]);
    board.receive({ type: 'subscribed', source: 3, from: 1, run: 1 });
    subscriptions.follow(3, new FakeListener());
    expect([other.events, board.takeSent()]).toEqual([['3 started'], []]);
  });
});
