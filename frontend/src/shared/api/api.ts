import { HttpClient, type HttpEvent } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom, fromEvent, map, merge, type Observable } from 'rxjs';
import { served } from './base-path';
import type { ClusterDto, Operations } from './api-types';

/** A method and a path, as in the OpenAPI documents. */
export type Route = keyof Operations;
export type GetPath = Route extends infer TRoute
  ? TRoute extends `GET ${infer TPath}`
    ? TPath
    : never
  : never;
type Response<TRoute extends Route> = Operations[TRoute]['response'];
/** Of the path and the query of a route. */
type Params<TRoute extends Route> = Operations[TRoute]['params'];
export type GetParams<TPath extends GetPath> = Params<`GET ${TPath}`>;
export type GetResponse<TPath extends GetPath> = Response<`GET ${TPath}`>;
/** These parameters and no others, which the server would reject. */
export type Exact<T, TParams> = T & Record<Exclude<keyof T, keyof TParams>, never>;
export type Reading<TRoute extends Route, T> =
  object extends Params<TRoute>
    ? [params?: Exact<T, Params<TRoute>>, signal?: AbortSignal]
    : [params: Exact<T, Params<TRoute>>, signal?: AbortSignal];
type Sending<TRoute extends Route, T> = [Operations[TRoute]['body']] extends [undefined]
  ? object extends Params<TRoute>
    ? [params?: Exact<T, Params<TRoute>>, body?: undefined, signal?: AbortSignal]
    : [params: Exact<T, Params<TRoute>>, body?: undefined, signal?: AbortSignal]
  : undefined extends Operations[TRoute]['body']
    ? [params: Exact<T, Params<TRoute>>, body?: Operations[TRoute]['body'], signal?: AbortSignal]
    : [params: Exact<T, Params<TRoute>>, body: Operations[TRoute]['body'], signal?: AbortSignal];

/** Identifies a cluster: names are unique per engine only. */
export interface ClusterKey {
  name: string;
  runtime: string;
}

export function clusterKey({ name, runtime }: ClusterKey): ClusterKey {
  return { name, runtime };
}

/** Whether the API server of a cluster may respond. */
export function isUp(cluster: Pick<ClusterDto, 'state'> | undefined): boolean {
  return cluster?.state === 'running' || cluster?.state === 'degraded';
}

/** URL of a cluster's page, or of a page below it. */
export function clusterPage({ name, runtime }: ClusterKey, ...below: string[]): string {
  const path = [name, ...below].map(encodeURIComponent).join('/');
  return `/cluster/${path}?runtime=${encodeURIComponent(runtime)}`;
}

/** The URL of what the browser saves or a stream reads. */
export function apiUrl<TPath extends GetPath, T extends GetParams<TPath>>(
  path: TPath,
  params: Exact<T, GetParams<TPath>>,
): string {
  return urlOf(path, params);
}

/**
 * Calls of the API. Routes, parameters and bodies have the types of its documents. Each call rejects with an `ApiProblem`;
 * a signal aborts its request.
 */
@Service()
export class Api {
  private readonly http = inject(HttpClient);

  /** The path at which the application serves a route. */
  at(path: string): string {
    return path;
  }

  get<TPath extends GetPath, T extends GetParams<TPath>>(
    path: TPath,
    ...[params, signal]: Reading<`GET ${TPath}`, T>
  ): Promise<GetResponse<TPath>> {
    return once(this.http.get<GetResponse<TPath>>(urlOf(this.at(path), params)), signal);
  }

  text<TPath extends GetPath, T extends GetParams<TPath>>(
    path: TPath,
    ...[params, signal]: Reading<`GET ${TPath}`, T>
  ): Promise<string> {
    return once(this.http.get(urlOf(path, params), { responseType: 'text' }), signal);
  }

  file<TPath extends GetPath, T extends GetParams<TPath>>(
    path: TPath,
    ...[params, signal]: Reading<`GET ${TPath}`, T>
  ): Promise<Blob> {
    return once(this.http.get(urlOf(path, params), { responseType: 'blob' }), signal);
  }

  send<TRoute extends Route, T extends Params<TRoute>>(
    route: TRoute,
    ...[params, body, signal]: Sending<TRoute, T>
  ): Promise<Response<TRoute>> {
    return this.request(route, params, body, signal);
  }

  /** Sends several changes of clusters, such as those of a selection, as one against the limit of changes. */
  batch(): Pick<Api, 'send'> {
    // Not `randomUUID`, which pages without TLS lack.
    const headers = { 'slipway-batch': Math.random().toString(36).slice(2).padEnd(8, '0') };
    return {
      send: (route, ...[params, body, signal]) => this.request(route, params, body, signal, headers),
    };
  }

  /** A response with its ETag. @param replaced ETag of what a change replaces; `precondition_failed` if it has changed */
  tagged<TRoute extends Route, T extends Params<TRoute>>(
    route: TRoute,
    params: Exact<T, Params<TRoute>>,
    body?: Operations[TRoute]['body'],
    replaced?: string,
  ): Promise<Response<TRoute> & { etag: string }> {
    const [method, path] = partsOf(route);
    const headers: Record<string, string> = replaced === undefined ? {} : { 'if-match': replaced };
    const response = this.http.request<Response<TRoute> & object>(method, urlOf(path, params), {
      body,
      headers,
      observe: 'response',
    });
    return once(
      response.pipe(
        map(({ body: sent, headers: of }) =>
          Object.assign(sent as Response<TRoute> & object, { etag: of.get('etag') ?? '' }),
        ),
      ),
    );
  }

  /** Uploads a file with progress events; the last event is the response. @throws ApiProblem */
  upload<TRoute extends Route, T extends Params<TRoute>>(
    route: TRoute,
    params: Exact<T, Params<TRoute>>,
    file: Blob,
  ): Observable<HttpEvent<Response<TRoute>>> {
    const [method, path] = partsOf(route);
    const options = { body: file, observe: 'events', reportUploadProgress: true } as const;
    return this.http.request<Response<TRoute>>(method, urlOf(path, params), options);
  }

  private request<TRoute extends Route>(
    route: TRoute,
    params: object | undefined,
    body: unknown,
    signal?: AbortSignal,
    headers: Record<string, string> = {},
  ): Promise<Response<TRoute>> {
    const [method, path] = partsOf(route);
    return once(this.http.request<Response<TRoute>>(method, urlOf(path, params), { body, headers }), signal);
  }
}

function partsOf(route: Route): [method: string, path: string] {
  const space = route.indexOf(' ');
  return [route.slice(0, space), route.slice(space + 1)];
}

type Value = string | number | boolean;

/** Parameters that the path does not name are its query; lists become repeated parameters. */
function urlOf(path: string, params: object = {}): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(params) as [string, Value | Value[] | undefined][]) {
    const place = `{${name}}`;
    if (filled.includes(place)) filled = filled.replace(place, encodeURIComponent(String(value)));
    else for (const one of [value ?? []].flat()) query.append(name, String(one));
  }
  return served(query.size > 0 ? `${filled}?${query}` : filled);
}

function once<T>(response: Observable<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return firstValueFrom(response);
  signal.throwIfAborted();
  const aborted = fromEvent(signal, 'abort').pipe(
    map((): never => {
      throw signal.reason;
    }),
  );
  return firstValueFrom(merge(response, aborted));
}
