import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** Connects through a proxy. @throws Error for a proxy of another kind */
export function proxyAgent(proxy: URL, options: AgentOptions): Agent {
  switch (proxy.protocol) {
    case 'http:':
    case 'https:':
      return new HttpsProxyAgent(proxy, options);
    case 'socks5:':
    case 'socks5h:': {
      // As kubectl, it lets the proxy look names up.
      const address = new URL(proxy.href.replace(/^socks5:/, 'socks5h:'));
      return new SocksProxyAgent(address, options);
    }
    default:
      throw new Error(`proxies of the kind ${proxy.protocol.slice(0, -1)} are not supported`);
  }
}
