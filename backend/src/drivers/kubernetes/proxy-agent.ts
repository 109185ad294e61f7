import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** Connects through a proxy. @throws Error for a proxy of another kind */
export function proxyAgent(proxy: URL, options: AgentOptions): Agent {
  switch (proxy.protocol) {
    case 'http:':
    case 'https:':
      return ending(new HttpsProxyAgent(proxy, options));
    case 'socks5:':
    case 'socks5h:': {
      // As kubectl, it lets the proxy look names up.
      const address = new URL(proxy.href.replace(/^socks5:/, 'socks5h:'));
      return ending(new SocksProxyAgent(address, options));
    }
    default:
      throw new Error(`proxies of the kind ${proxy.protocol.slice(0, -1)} are not supported`);
  }
}

/** Makes an agent that is destroyed end the connections that it is still making, which Node does not know yet. */
function ending(agent: Agent & { connect: (...of: never[]) => Promise<Socket> }): Agent {
  const connect = agent.connect.bind(agent);
  const destroy = agent.destroy.bind(agent);
  let isDestroyed = false;
  agent.destroy = () => {
    isDestroyed = true;
    destroy();
  };
  agent.connect = async (...of) => {
    const socket = await connect(...of);
    if (!isDestroyed) return socket;
    socket.destroy();
    throw new Error('the connection was closed');
  };
  return agent;
}
