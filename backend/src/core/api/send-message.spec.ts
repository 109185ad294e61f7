import { describe, expect, it, jest } from '@jest/globals';
import type { WebSocket } from 'ws';
import { MAX_BUFFERED, sendMessage } from './send-message.js';

describe('sendMessage', () => {
  it.each([
    { waiting: MAX_BUFFERED, sent: 1, ended: 0 },
    { waiting: MAX_BUFFERED + 1, sent: 0, ended: 1 },
  ])('over which $waiting bytes wait: sent $sent, ended $ended', ({ waiting, sent, ended }) => {
    const socket = { bufferedAmount: waiting, send: jest.fn(), terminate: jest.fn() };
    sendMessage(socket as unknown as WebSocket, { type: 'pong' });
    expect(socket.send.mock.calls).toEqual(Array(sent).fill(['{"type":"pong"}']));
    expect(socket.terminate).toHaveBeenCalledTimes(ended);
  });
});
