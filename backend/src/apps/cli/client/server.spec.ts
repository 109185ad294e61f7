import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../core/config/index.js';
import { findServer, type Server, type ServerOptions } from './server.js';

describe('findServer', () => {
  const find = (options: ServerOptions): Server => findServer(readConfiguration({}), 'dashboard', options);

  it.each([
    'http://localhost:8080',
    'http://a.localhost',
    'http://127.1.2.3',
    'http://[::1]:1',
    'https://a.test',
  ])('allows %s', (server) => {
    expect(find({ server }).url).toBe(server);
  });

  it.each([
    'http://a.test:8080',
    'http://192.168.1.2',
    'http://localhost.test',
    'http://127.0.0.1.test',
    'http://[::2]',
  ])('requires --insecure for %s', (server) => {
    expect(() => find({ server })).toThrow(`Could not connect to ${server}. Others on the network can read`);
    expect(find({ server, insecure: true }).url).toBe(server);
  });
});
