import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ShellConnection, type ShellEnd } from './shell-connection';

const KB = 1024;

class Socket {
  readyState = WebSocket.OPEN;
  binaryType = '';
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly send = jest.fn<(data: string | Uint8Array) => void>();
  readonly close = jest.fn();
}

describe('ShellConnection', () => {
  let socket: Socket;
  let connection: ShellConnection;
  const ends: ShellEnd[] = [];

  beforeEach(() => {
    ends.length = 0;
    socket = new Socket();
    connection = new ShellConnection(socket as unknown as WebSocket, {
      onOutput: () => undefined,
      onReady: () => undefined,
      onProgress: () => undefined,
      onEnd: (end) => ends.push(end),
    });
  });

  const receive = (message: object): void => socket.onmessage?.({ data: JSON.stringify(message) });
  const sentBytes = (): number =>
    socket.send.mock.calls.reduce((sum, [data]) => sum + (typeof data === 'string' ? 0 : data.length), 0);

  it('sends no input before the shell is ready', () => {
    connection.type(new Uint8Array(1));
    expect(sentBytes()).toBe(0);
  });

  it('sends a long paste in frames, as fast as the shell reads it', () => {
    receive({ type: 'ready', container: 'web' });
    connection.type(new Uint8Array(400 * KB));
    expect(sentBytes()).toBe(128 * KB);
    expect(socket.send.mock.calls[0]?.[0]).toHaveLength(16 * KB);
    receive({ type: 'ack', bytes: 128 * KB });
    receive({ type: 'ack', bytes: 128 * KB });
    receive({ type: 'ack', bytes: 128 * KB });
    expect(sentBytes()).toBe(400 * KB);
  });

  it('reports the first reason for its end', () => {
    receive({ type: 'error', code: 'resource_refused', message: 'No shell.', no_shell: true });
    socket.onclose?.({ code: 1000 });
    expect(ends).toEqual([{ text: 'No shell.', noShell: true, exited: false }]);
  });

  it('says that the session has ended, and nothing after it was closed here', () => {
    socket.onclose?.({ code: 4401 });
    expect(ends[0]?.text).toMatch(/session has ended/);
    connection.close();
    expect(socket.close).toHaveBeenCalled();
  });
});
