/**
 * Gives the memory of bytes back at once that nobody reads any more; they are empty from then on. The collector looks at
 * what a thread has outside of its heap only after tens of megabytes of it, which a thread that goes through files at a
 * megabyte a second always has. Bytes that share their memory with others, as small buffers do, are left alone.
 */
export function giveBack(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) buffer.transfer(0);
}
