import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { WebSocketServer } from 'ws';
import { limitMessages } from './message-limit.js';

class Socket extends EventEmitter {
  readonly close = jest.fn();
  readonly pause = jest.fn();
  readonly terminate = jest.fn();
}

describe('limitMessages', () => {
  afterEach(() => void jest.useRealTimers());

  it('limits the messages of each socket in 10 s', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const server = new EventEmitter();
    limitMessages(server as unknown as WebSocketServer, true);
    const [quiet, busy] = [new Socket(), new Socket()];
    for (const socket of [quiet, busy]) server.emit('connection', socket);
    for (let index = 0; index < 300; index += 1) {
      for (const socket of [quiet, busy]) {
        socket.emit('message', '{"type":"ping"}');
        socket.emit('message', 'x', true);
        socket.emit('message', '{"type":"ack","source":1,"seq":7}');
      }
    }
    expect(busy.close).not.toHaveBeenCalled();
    busy.emit('message', 'ack');
    expect(busy.close).toHaveBeenCalledWith(1008, 'too many messages');
    expect(quiet.close).not.toHaveBeenCalled();
    // A client that does not answer is not heard any longer, and is disconnected.
    expect(busy.pause).toHaveBeenCalled();
    jest.advanceTimersByTime(500);
    expect(busy.terminate).toHaveBeenCalledTimes(1);
    expect(quiet.terminate).not.toHaveBeenCalled();
  });
});
