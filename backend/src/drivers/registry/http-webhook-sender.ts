import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { reasonOf } from '../../core/errors/index.js';
import { plainLine, redact } from '../../core/logging/index.js';
import { isInside, isNamed, problemOfAddress, type AddressRule } from './outside-address.js';
import { WebhookError, WebhookSender } from './webhook-sender.js';

const WEBHOOK_ADDRESS: AddressRule = { schemes: ['https:'], variable: 'APP_WEBHOOK_HOSTS' };
const MAX_REASON = 300;

export interface WebhookOptions {
  /** Proxies by environment are honoured, as programs of this machine do. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Hosts on loopback or private addresses, or without TLS, that may be asked all the same. */
  allowed: readonly string[];
}

/** Webhooks over HTTP. */
export class HttpWebhookSender extends WebhookSender {
  constructor(private readonly options: WebhookOptions) {
    super();
  }

  override async problemOf(url: URL): Promise<string | null> {
    if (!/^https?:$/.test(url.protocol)) return 'must begin with https:// or http://';
    return await problemOfAddress(url, this.options.allowed, WEBHOOK_ADDRESS);
  }

  override async post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    // Looked at each time: what a name stands for may have changed since it was given.
    const problem = await this.problemOf(url);
    if (problem !== null) throw new WebhookError(`${url.host} ${problem}`);
    try {
      return await this.send(url, headers, body, signal);
    } catch (error) {
      if (error instanceof WebhookError) throw error;
      if (signal.aborted) throw new WebhookError(`${url.host} did not answer in time`, { cause: error });
      const reason = plainLine(redact(reasonOf(error))).slice(0, MAX_REASON);
      throw new WebhookError(`${url.host} was not reached: ${reason}`, { cause: error });
    }
  }

  private async send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    const named = isNamed(url, this.options.allowed);
    // What is named is near, where a proxy has no business.
    const proxyEnv = named ? undefined : this.options.environment;
    const secure = url.protocol === 'https:';
    const agent = secure ? new SecureAgent({ proxyEnv }) : new PlainAgent({ proxyEnv });
    try {
      return await new Promise((resolve, reject) => {
        const outgoing = (secure ? secureRequest : plainRequest)(url, {
          method: 'POST',
          agent,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
          signal,
          lookup: named ? undefined : outsideLookup(url),
        });
        outgoing.on('error', reject);
        outgoing.on('response', (incoming) => {
          // It ends with the agent; what it goes on to say is not read.
          incoming.on('error', () => undefined);
          resolve(incoming.statusCode ?? 0);
        });
        outgoing.end(body);
      });
    } finally {
      agent.destroy();
    }
  }
}

/**
 * Finds the addresses of a host once more, for the connection itself, and refuses what leads inside: a name may stand
 * for another address a moment after it was looked at. A proxy's own name is let through.
 */
function outsideLookup(url: URL): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, family: options.family, all: true };
    lookup(hostname, all, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const [first] = addresses;
      if (hostname === url.hostname && addresses.some(({ address }) => isInside(address))) {
        callback(new WebhookError(`${url.host} leads to this machine or a network around it`), '', 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
