import { describe, expect, it } from '@jest/globals';
import { portLinks } from './port-links';

const port = (
  host_port: number,
  container_port: number,
  listen_address = '127.0.0.1',
  protocol = 'TCP',
): Parameters<typeof portLinks>[0][number] => ({ host_port, container_port, listen_address, protocol });

describe('portLinks', () => {
  it('sorts by host port, and links to where the browser reaches it', () => {
    const links = portLinks([port(8443, 443, '0.0.0.0'), port(8080, 80), port(9000, 9000, '::1')], 'dev.lan');
    expect(links.map(({ text, url }) => [text, url])).toEqual([
      ['8080 → 80', 'http://127.0.0.1:8080/'],
      ['8443 → 443', 'https://dev.lan:8443/'],
      ['9000 → 9000', 'http://[::1]:9000/'],
    ]);
  });

  it('has no link for UDP', () => {
    expect(portLinks([port(5353, 53, '0.0.0.0', 'UDP')], 'localhost')[0]).toMatchObject({
      text: '5353 → 53/UDP',
      url: null,
    });
  });
});
