import { redact } from '../../core/logging/index.js';
import { reasonOf } from '../../core/errors/index.js';
import { ImageRegistry, RegistryError } from './image-registry.js';
import { maySpeakPlainly, OutsideRequest, type OutsideResponse } from './outside-request.js';

/** https://docs.docker.com/reference/api/hub/latest/ : its own interface pages, which its registry's does not. */
const DOCKER_HUB = 'https://hub.docker.com';
const PAGE_SIZE = 100;
/** A thousand tags; kind's own repository has some hundreds. */
const MAX_PAGES = 10;
/** A rest that a registry asks for is kept, up to this. */
const LONGEST_REST_MS = 60 * 60_000;

export interface RegistryOptions {
  /** Proxies by environment are honoured, as programs of this machine do. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Where Docker Hub's interface is. */
  dockerHub?: string;
}

/**
 * Registries over HTTP: Docker Hub by its own interface, every other by the distribution API
 * (https://github.com/opencontainers/distribution-spec/blob/main/spec.md), without credentials.
 */
export class HttpImageRegistry extends ImageRegistry {
  private readonly outside: OutsideRequest;
  private readonly dockerHub: string;

  constructor({ environment, dockerHub = DOCKER_HUB }: RegistryOptions) {
    super();
    this.outside = new OutsideRequest(environment);
    this.dockerHub = dockerHub;
  }

  override async tags(repository: string, wanted: RegExp, signal: AbortSignal): Promise<string[]> {
    const { host, name } = split(repository);
    const found = new Set<string>();
    try {
      const pages =
        host === 'docker.io' ? this.hubPages(name, signal) : this.registryPages(host, name, signal);
      for await (const names of pages) {
        for (const tag of names) if (wanted.test(tag)) found.add(tag);
      }
      return [...found];
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      if (signal.aborted) throw new RegistryError(`${host} did not answer in time.`, null, { cause: error });
      // A proxy's address may hold its password.
      throw new RegistryError(`${host} was not reached: ${redact(reasonOf(error))}.`, null, { cause: error });
    }
  }

  private async *hubPages(name: string, signal: AbortSignal): AsyncGenerator<string[]> {
    const [namespace = '', repository = ''] = name.split('/');
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      // The address of the next page is made here: one that an answer names could lead anywhere.
      const url = new URL(
        `${this.dockerHub}/v2/namespaces/${namespace}/repositories/${repository}/tags?page_size=${PAGE_SIZE}&page=${page}`,
      );
      const answer = accepted(await this.outside.get(url, {}, signal));
      const { results, next } = parsed(answer) as { results?: unknown; next?: unknown };
      yield namesOf(
        answer,
        Array.isArray(results)
          ? results.map((entry: unknown) => (entry as { name?: unknown } | null)?.name)
          : results,
      );
      if (typeof next !== 'string' || next === '') return;
    }
  }

  private async *registryPages(host: string, name: string, signal: AbortSignal): AsyncGenerator<string[]> {
    const base = await this.baseOf(host, signal);
    const first = new URL(`${base}/v2/${name}/tags/list?n=${PAGE_SIZE}`);
    const headers: Record<string, string> = {};
    let url: URL | undefined = first;
    for (let page = 1; url && page <= MAX_PAGES; page += 1) {
      let answer = await this.outside.get(url, headers, signal);
      const challenge = answer.headers['www-authenticate'];
      if (answer.status === 401 && challenge !== undefined && headers['authorization'] === undefined) {
        headers['authorization'] = `Bearer ${await this.anonymousToken(answer.url, challenge, name, signal)}`;
        answer = await this.outside.get(url, headers, signal);
      }
      const { tags } = parsed(accepted(answer)) as { tags?: unknown };
      // A repository without tags says null.
      yield namesOf(answer, tags ?? []);
      url = nextPage(answer, first);
    }
  }

  /** TLS, or where a registry nearby has none, plain HTTP: what the engines do. */
  private async baseOf(host: string, signal: AbortSignal): Promise<string> {
    const secure = `https://${host}`;
    try {
      await this.outside.get(new URL(`${secure}/v2/`), {}, signal);
      return secure;
    } catch (error) {
      if (await maySpeakPlainly(new URL(secure).hostname, error)) return `http://${host}`;
      throw error;
    }
  }

  /** https://distribution.github.io/distribution/spec/auth/token/ , for somebody who has no account. */
  private async anonymousToken(
    registry: URL,
    challenge: string,
    name: string,
    signal: AbortSignal,
  ): Promise<string> {
    const parameter = (key: string): string | undefined =>
      new RegExp(`^bearer .*\\b${key}="([^"]*)"`, 'i').exec(challenge)?.[1];
    const realm = parameter('realm') ?? '';
    if (!URL.canParse(realm)) {
      throw new RegistryError(`${registry.host} lists its tags for those who sign in only.`);
    }
    const url = new URL(realm);
    if (url.protocol !== 'https:' && url.host !== registry.host) {
      throw new RegistryError(`${registry.host} hands its tokens out at ${url.host} without TLS.`);
    }
    url.searchParams.set('scope', `repository:${name}:pull`);
    const service = parameter('service');
    if (service !== undefined) url.searchParams.set('service', service);
    const answer = accepted(await this.outside.get(url, {}, signal));
    const { token, access_token: other } = parsed(answer) as { token?: unknown; access_token?: unknown };
    const given = token ?? other;
    if (typeof given !== 'string' || !/^[\x21-\x7e]{1,16000}$/.test(given)) {
      throw new RegistryError(`${url.host} gave no token.`);
    }
    return given;
  }
}

/** Docker Hub may go without its name, as in the engines. */
function split(repository: string): { host: string; name: string } {
  const [first = '', ...rest] = repository.split('/');
  const named = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = named ? first : 'docker.io';
  const name = named ? rest.join('/') : repository;
  if (host !== 'docker.io' && host !== 'index.docker.io') return { host, name };
  return { host: 'docker.io', name: name.includes('/') ? name : `library/${name}` };
}

/** @throws RegistryError unless the server did what it was asked for. */
function accepted(answer: OutsideResponse): OutsideResponse {
  const { status, headers, url } = answer;
  if (status === 200) return answer;
  if (status === 401 || status === 403) {
    throw new RegistryError(`${url.host} lists its tags for those who sign in only.`);
  }
  if (status === 404) throw new RegistryError(`${url.host} knows no such repository.`);
  if (status === 429) {
    throw new RegistryError(
      `${url.host} was asked too often, and wants to rest.`,
      restOf(headers['retry-after']),
    );
  }
  throw new RegistryError(`${url.host} answered ${status}.`);
}

function restOf(header: string | undefined): number | null {
  const seconds = /^\d{1,9}$/.test(header ?? '')
    ? Number(header)
    : (Date.parse(header ?? '') - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds * 1000, 0), LONGEST_REST_MS);
}

function parsed({ text, url }: OutsideResponse): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A sign-in page of a hotel, say.
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new RegistryError(`${url.host} answered with something else than a list of tags.`);
}

function namesOf({ url }: OutsideResponse, list: unknown): string[] {
  if (!Array.isArray(list)) {
    throw new RegistryError(`${url.host} answered with something else than a list of tags.`);
  }
  return list.filter((name): name is string => typeof name === 'string');
}

/** RFC 8288, as far as the distribution API uses it; only within the same list. */
function nextPage({ headers, url }: OutsideResponse, first: URL): URL | undefined {
  const target = /<([^>]+)>\s*;\s*rel="?next"?/i.exec([headers['link'] ?? ''].flat().join(','))?.[1];
  if (target === undefined || !URL.canParse(target, url.href)) return undefined;
  const next = new URL(target, url);
  return next.origin === url.origin && next.pathname === first.pathname ? next : undefined;
}
