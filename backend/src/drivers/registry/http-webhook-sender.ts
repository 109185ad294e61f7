import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { reasonOf } from '../../core/errors/index.js';
import { plainLine, redact } from '../../core/logging/index.js';
import { isAllowedHost, isInternal, problemOfAddress, type AddressRule } from './outbound-address.js';
import { sendRequest, type ProxyEnvironment } from './outbound-request.js';
import { WebhookError, WebhookSender } from './webhook-sender.js';

const WEBHOOK_RULE: AddressRule = { protocols: ['https:'], variable: 'APP_WEBHOOK_HOSTS' };
const MAX_REASON = 300;

interface WebhookOptions {
  environment: ProxyEnvironment;
  /** Hosts that may be internal or use plain HTTP. They are reached without a proxy. */
  allowed: readonly string[];
}

export class HttpWebhookSender extends WebhookSender {
  constructor(private readonly options: WebhookOptions) {
    super();
  }

  override async problemOf(url: URL): Promise<string | null> {
    if (!/^https?:$/.test(url.protocol)) return 'must start with https:// or http://';
    return await problemOfAddress(url, this.options.allowed, WEBHOOK_RULE);
  }

  override async post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    // Checked for each message, because a name may resolve to another address than before.
    const problem = await this.problemOf(url);
    if (problem !== null) throw new WebhookError(`${url.host} ${problem}`);
    const isAllowed = isAllowedHost(url, this.options.allowed);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal,
      body,
      proxyEnv: isAllowed ? undefined : this.options.environment,
      lookup: isAllowed ? undefined : externalLookup(url),
    };
    try {
      return await sendRequest(url, options, (response) => {
        // The connection is closed without reading the body.
        response.on('error', () => undefined);
        return response.statusCode ?? 0;
      });
    } catch (error) {
      if (error instanceof WebhookError) throw error;
      if (signal.aborted) throw new WebhookError(`${url.host} did not respond in time`, { cause: error });
      const reason = plainLine(redact(reasonOf(error))).slice(0, MAX_REASON);
      throw new WebhookError(`Could not reach ${url.host}: ${reason}`, { cause: error });
    }
  }
}

/**
 * Resolves the host for the connection itself and rejects internal addresses, because a name may resolve to another
 * address than when it was checked. The host of a proxy may be internal.
 */
export function externalLookup(url: URL): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, family: options.family, all: true };
    lookup(hostname, all, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const [first] = addresses;
      if (hostname === url.hostname && addresses.some(({ address }) => isInternal(address))) {
        callback(new WebhookError(`${url.host} points to this host or a private network`), '', 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}
