import { EventEmitter } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import type { WebSocketServer } from 'ws';
import { limitMessages } from './message-limit.js';

class Socket extends EventEmitter {
  readonly close = jest.fn();
}

describe('limitMessages', () => {
  it('limits the messages of each socket in 10 s', () => {
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
  });
});
