import type { Provider } from '@angular/core';
import type { ClientMessage, ServerMessage } from '../../api/api-types';
import { OPEN_SOCKET, SOCKET_QUERY } from '../live-connection';

/** A WebSocket whose other side is the test. */
export class FakeSocket {
  readyState: number = WebSocket.CONNECTING;

  /** @param query what its address ends with. */
  constructor(readonly query = '') {}

  readonly sent: ClientMessage[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  send(text: string): void {
    if (this.readyState !== WebSocket.OPEN) throw new Error('The socket is not open.');
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code: 1006 });
  }

  accept(): void {
    this.readyState = WebSocket.OPEN;
    this.tell({ type: 'hello', version: 1 });
  }

  tell(message: ServerMessage | string): void {
    this.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) });
  }

  topics(type: 'subscribe' | 'unsubscribe'): string[] {
    return this.sent.flatMap((message) =>
      message.type === type && 'topics' in message ? message.topics : [],
    );
  }
}

/** Sockets in the order in which they were opened. */
export function fakeSockets(query: () => string | Promise<string> = () => ''): {
  sockets: FakeSocket[];
  provider: Provider;
} {
  const sockets: FakeSocket[] = [];
  const open = (given: string): FakeSocket => {
    const socket = new FakeSocket(given);
    sockets.push(socket);
    return socket;
  };
  const provider: Provider = [
    { provide: OPEN_SOCKET, useValue: open },
    { provide: SOCKET_QUERY, useValue: query },
  ];
  return { sockets, provider };
}
