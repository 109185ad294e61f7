import { redact } from '../../core/logging/index.js';
import { networkReason, reasonOf } from '../../core/errors/index.js';
import { jsonValue, list, record, text, texts } from '../../core/parsing/index.js';
import { fullRepository } from '../runtime/index.js';
import { ImageRegistry, RegistryError } from './image-registry.js';
import { isLocal } from './outbound-address.js';
import { get, type ProxyEnvironment, type RegistryResponse } from './outbound-request.js';

/** Docker Hub's API, which has pages, unlike its registry. https://docs.docker.com/reference/api/hub/latest/ */
const DOCKER_HUB = 'https://hub.docker.com';
const PAGE_SIZE = 100;
/** kind's repository has a few hundred tags. */
const MAX_PAGES = 10;
const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Lists tags without credentials: from Docker Hub's own API, and from other registries by the distribution API
 * (https://github.com/opencontainers/distribution-spec/blob/main/spec.md).
 */
export class HttpImageRegistry extends ImageRegistry {
  constructor(
    private readonly environment: ProxyEnvironment,
    private readonly dockerHub = DOCKER_HUB,
  ) {
    super();
  }

  override async tags(repository: string, wanted: RegExp, signal: AbortSignal): Promise<string[]> {
    const [host = '', ...path] = fullRepository(repository).split('/');
    const name = path.join('/');
    const found = new Set<string>();
    try {
      const pages =
        host === 'docker.io' ? this.hubPages(name, signal) : this.registryPages(host, name, signal);
      for await (const tags of pages) {
        for (const tag of tags) if (wanted.test(tag)) found.add(tag);
      }
      return [...found];
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      if (signal.aborted) throw new RegistryError(`${host} did not respond in time.`, null, { cause: error });
      // The URL of a proxy may contain its password.
      const reason = redact(reasonOf(error));
      const words = networkReason(`${(error as NodeJS.ErrnoException).code ?? ''} ${reason}`);
      throw new RegistryError(
        words === undefined ? `Could not reach ${host}: ${reason}.` : `${host} cannot be reached (${words}).`,
        null,
        { cause: error },
      );
    }
  }

  private async *hubPages(name: string, signal: AbortSignal): AsyncGenerator<string[]> {
    const [namespace = '', repository = ''] = name.split('/');
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      // The URL in `next` is not used, because it could point anywhere.
      const url = new URL(
        `${this.dockerHub}/v2/namespaces/${namespace}/repositories/${repository}/tags?page_size=${PAGE_SIZE}&page=${page}`,
      );
      const response = await get(url, {}, this.environment, signal);
      const { results, next } = hubPage(bodyOf(response)) ?? {};
      yield tagsIn(
        response,
        results?.map((entry) => entry.name),
      );
      if (next === undefined || next === '') return;
    }
  }

  private async *registryPages(host: string, name: string, signal: AbortSignal): AsyncGenerator<string[]> {
    const base = await this.baseUrl(host, signal);
    const first = new URL(`${base}/v2/${name}/tags/list?n=${PAGE_SIZE}`);
    const headers: Record<string, string> = {};
    let url: URL | undefined = first;
    for (let page = 1; url && page <= MAX_PAGES; page += 1) {
      let response = await get(url, headers, this.environment, signal);
      const challenge = response.headers['www-authenticate'];
      if (response.status === 401 && challenge !== undefined && headers['authorization'] === undefined) {
        headers['authorization'] =
          `Bearer ${await this.anonymousToken(response.url, challenge, name, signal)}`;
        response = await get(url, headers, this.environment, signal);
      }
      const body = bodyOf(response);
      // Null for a repository without tags.
      yield tagsIn(response, 'tags' in body && body.tags !== null ? tagList(body)?.tags : []);
      url = nextPage(response, first);
    }
  }

  /** With HTTPS, or like the engines with HTTP if a local registry does not support it. */
  private async baseUrl(host: string, signal: AbortSignal): Promise<string> {
    const url = new URL(`https://${host}`);
    try {
      await get(new URL('/v2/', url), {}, this.environment, signal);
      return url.origin;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isPlain = code === 'EPROTO' || code?.startsWith('ERR_SSL_') === true;
      if (isPlain && (await isLocal(url.hostname))) return `http://${host}`;
      throw error;
    }
  }

  /** https://distribution.github.io/distribution/spec/auth/token/ */
  private async anonymousToken(
    registry: URL,
    challenge: string,
    name: string,
    signal: AbortSignal,
  ): Promise<string> {
    const parameters = /^bearer /i.test(challenge) ? challenge.matchAll(/\b([a-z]{1,20})="([^"]*)"/gi) : [];
    const values = new Map([...parameters].map(([, key = '', value = '']) => [key.toLowerCase(), value]));
    const realm = values.get('realm') ?? '';
    if (!URL.canParse(realm)) throw signInRequired(registry);
    const url = new URL(realm);
    if (url.protocol !== 'https:' && url.host !== registry.host) {
      throw new RegistryError(`${registry.host} issues tokens at ${url.host} without TLS.`);
    }
    url.searchParams.set('scope', `repository:${name}:pull`);
    const service = values.get('service');
    if (service !== undefined) url.searchParams.set('service', service);
    const body = bodyOf(await get(url, {}, this.environment, signal));
    const { token, access_token: accessToken } = issuedToken(body) ?? {};
    const issued = token ?? accessToken;
    if (issued === undefined || !/^[\x21-\x7e]{1,16000}$/.test(issued)) {
      throw new RegistryError(`${url.host} returned no valid token.`);
    }
    return issued;
  }
}

const tagList = record({ tags: texts });
const hubPage = record({ results: list(record({}, { name: text(1024) })), next: text(4096) });
const issuedToken = record({ token: text(), access_token: text() });

/** The JSON object in a successful response. @throws RegistryError */
function bodyOf({ status, headers, text: body, url }: RegistryResponse): object {
  if (status === 401 || status === 403) throw signInRequired(url);
  if (status === 404) throw new RegistryError(`The repository does not exist on ${url.host}.`);
  if (status === 429) {
    throw new RegistryError(`${url.host} rejects more requests for now.`, retryAfter(headers['retry-after']));
  }
  if (status !== 200) throw new RegistryError(`${url.host} responded with status ${status}.`);
  const value = jsonValue(body);
  if (typeof value === 'object' && value !== null) return value;
  // For example the sign-in page of a hotel.
  throw noTagList(url);
}

function signInRequired({ host }: URL): RegistryError {
  return new RegistryError(`${host} requires a sign-in to list tags.`);
}

function noTagList({ host }: URL): RegistryError {
  return new RegistryError(`The response of ${host} is not a list of tags.`);
}

function retryAfter(header: string | undefined): number | null {
  const seconds = /^\d{1,9}$/.test(header ?? '')
    ? Number(header)
    : (Date.parse(header ?? '') - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds * 1000, 0), MAX_RETRY_AFTER_MS);
}

function tagsIn({ url }: RegistryResponse, tags: string[] | undefined): string[] {
  if (!tags) throw noTagList(url);
  return tags;
}

/** The Link header (RFC 8288), if it continues the same list. */
function nextPage({ headers, url }: RegistryResponse, first: URL): URL | undefined {
  const target = /<([^<>]+)>\s{0,8};\s{0,8}rel="?next"?/i.exec([headers['link'] ?? ''].flat().join(','))?.[1];
  if (target === undefined || !URL.canParse(target, url.href)) return undefined;
  const next = new URL(target, url);
  return next.origin === url.origin && next.pathname === first.pathname ? next : undefined;
}
