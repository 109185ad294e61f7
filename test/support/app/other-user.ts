import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A user that has no rights on any machine; not 65534, which containers use for users that they do not know. */
export const OTHER_UID = 65_533;

const SEND = `
const { method, port, path, headers, body } = JSON.parse(process.argv[1]);
const request = require('node:http').request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
  response.resume().on('end', () => process.stdout.write(String(response.statusCode)));
});
request.end(body);
`;

export interface OtherRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/**
 * Sends a request as another system user, which takes root.
 * @param uid the server's own user with undefined.
 * @returns the status of the response.
 */
export async function sendAs(
  uid: number | undefined,
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: OtherRequest = {},
): Promise<number> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent = { ...headers, ...(text === '' ? {} : { 'content-type': 'application/json' }) };
  const given = JSON.stringify({ method, port, path, headers: sent, body: text });
  const child = spawn(process.execPath, ['-e', SEND, given], { uid, cwd: '/', env: {}, timeout: 20_000 });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  if (!/^\d{3}$/.test(output)) throw new Error(`${method} ${path} as ${uid}: ${output}${errors}`);
  return Number(output);
}
