import { served } from '../api/base-path';

export function openSocket(path: string, query: string): WebSocket {
  const { protocol, host } = window.location;
  return new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${served(path)}${query}`);
}
