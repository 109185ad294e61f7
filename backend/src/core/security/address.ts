const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/;

/** An address of a socket as it is written by itself: one for both families tells IPv4 in the clothes of IPv6. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d{1,3}(\.\d{1,3}){3}$)/i, '');
}

/** Whether an address, written by itself, leads nowhere but to this machine. */
export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK.test(address);
}

/** An address as a URL and a Host header name it. */
export function hostLiteral(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
