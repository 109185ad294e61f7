import { once } from 'node:events';
import { request as sendRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

export interface PageResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request of a browser, which resolves names below `localhost` itself: the system need not. */
export async function getPage(url: string, headers: Record<string, string> = {}): Promise<PageResponse> {
  const { host, port, pathname, search } = new URL(url);
  const request = sendRequest({
    host: '127.0.0.1',
    port,
    path: pathname + search,
    headers: { host, ...headers },
    agent: false,
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
}

/** Opens a port-forward as a browser does: gets a cookie from its link, and then a page of it. */
export async function openForward(link: string, path?: string): Promise<PageResponse & { cookie: string }> {
  const { status, headers } = await getPage(link);
  if (status !== 303) throw new Error(`the link returned ${status}`);
  const [cookie = ''] = (headers['set-cookie'] ?? []).map((set) => set.split(';')[0] ?? '');
  const { href } = new URL(path ?? headers.location ?? '', link);
  return { ...(await getPage(href, { cookie })), cookie };
}
