import type { Socket } from 'node:net';

/** The connections of clients to a port-forward. */
export interface ForwardTraffic {
  /** Open ones. */
  connections: number;
  /** Bytes that clients sent, since it listens. */
  bytesToPod: number;
  /** Bytes that were sent to clients. */
  bytesFromPod: number;
}

/** Connections of clients, with the bytes of open and closed ones. */
export class OpenSockets {
  private readonly open = new Set<Socket>();
  private closedToPod = 0;
  private closedFromPod = 0;

  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => {
      this.open.delete(socket);
      this.closedToPod += socket.bytesRead;
      this.closedFromPod += socket.bytesWritten;
    });
  }

  get traffic(): ForwardTraffic {
    let [bytesToPod, bytesFromPod] = [this.closedToPod, this.closedFromPod];
    for (const { bytesRead, bytesWritten } of this.open) {
      bytesToPod += bytesRead;
      bytesFromPod += bytesWritten;
    }
    return { connections: this.open.size, bytesToPod, bytesFromPod };
  }

  destroy(): void {
    for (const socket of this.open) socket.destroy();
  }
}
