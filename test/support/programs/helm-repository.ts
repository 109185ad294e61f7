import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { HelmError, type HelmCall } from './helm-call.js';
import type { ScriptedProcess } from './program-stage.js';

interface Place {
  name: string;
  url: string;
  username?: string;
  password?: string;
}

/** Reports how an index was fetched. helm 3 exits with 0 in any case. */
export async function playUpdate(process: ScriptedProcess, call: HelmCall, major: 3 | 4): Promise<void> {
  const place = await placeOf(call, call.positional[0] ?? '');
  const response = await fetchFile(place, 'index.yaml');
  if (response.status === 200) {
    const file = join(call.flag('repository-cache'), `${place.name}-index.yaml`);
    await writeFile(file, Buffer.from(await response.arrayBuffer()));
    return;
  }
  const reason = `failed to fetch ${place.url}/index.yaml : ${response.status} ${response.statusText}`;
  process.print(
    'stdout',
    `...Unable to get an update from the "${place.name}" chart repository (${place.url}):\n\t${reason}`,
  );
  if (major === 4) throw new HelmError(`failed to update the following repositories: [${place.url}]`);
}

/** Fetches a chart in a given version. */
export async function playPull(_process: ScriptedProcess, call: HelmCall): Promise<void> {
  const [name = '', chart = ''] = (call.positional[0] ?? '').split('/');
  const file = `${chart}-${call.flag('version')}.tgz`;
  const response = await fetchFile(await placeOf(call, name), file);
  if (response.status !== 200) throw new HelmError(`failed to fetch ${file} : ${response.status}`);
  await writeFile(join(call.flag('destination'), file), Buffer.from(await response.arrayBuffer()));
}

/** @throws Error if other users can read the file, which may contain a password. */
async function placeOf(call: HelmCall, name: string): Promise<Place> {
  const { mode } = await stat(call.flag('repository-config'));
  if ((mode & 0o077) !== 0) throw new Error('others can read the repositories');
  const { repositories } = parseYaml(await call.file('repository-config')) as { repositories: Place[] };
  const place = repositories.find((one) => one.name === name);
  if (!place) throw new Error(`helm has no repository ${name}`);
  return place;
}

function fetchFile({ url, username, password }: Place, path: string): Promise<Response> {
  const basic = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  return fetch(
    `${url}/${path}`,
    username === undefined ? {} : { headers: { authorization: `Basic ${basic}` } },
  );
}
