import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { extract } from 'tar';
import { readProject } from '../../../backend/src/core/config/project.js';
import type { ClusterDto } from '../../../backend/src/modules/clusters/index.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import { SealedSecretStore } from '../../../backend/src/core/secrets/sealed-secret.store.js';
import { waitFor } from '../wait-for.js';
import { signIn } from './signed-in.js';
import { startApp, startLogBoard } from './start-app.js';

// Random letters: cspell:ignore Ghzy hvym Etyn Cnqv Cauwc
/** The output of Slipway when it created the data folders in `test/fixtures/data`. */
export const FIXTURE_PASSWORDS = {
  '0.1': 'BN322j-t79YC6-v8G2ia-q9cRnQ',
  '0.2': 'bXRyHf-7FGhzy-m4R7JD-jre6AA',
  '0.3': 'uKHvym-n64W6n-aXVuQK-dy5G5k',
} as const;

/** Access tokens with the scope read in the data. Version 0.1 had none. */
const FIXTURE_TOKENS = {
  '0.1': 'slipway_vCNvZoOGrGSz1Wr_fSrKYdWWZmFMBIHFv-7aPsbGIsM',
  '0.2': 'slipway_vCNvZoOGrGSz1Wr_fSrKYdWWZmFMBIHFv-7aPsbGIsM',
  '0.3': 'slipway_6747EytCnqv_6lMDC1dX3DSyPbHI_ZA4hCauwcDJbAE',
} as const;

export type FixtureVersion = keyof typeof FIXTURE_PASSWORDS;

/** A copy of the data folder of an earlier version, below a folder that the caller removes. */
export async function fixtureData(version: FixtureVersion): Promise<{ parent: string; data: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'slipway-data-'));
  const data = await mkdtemp(join(parent, 'data-'));
  await extract({
    file: join(readProject().root, 'test', 'fixtures', 'data', `${version}.tar.gz`),
    cwd: data,
  });
  return { parent, data };
}

/** The contents of a data folder, read through both applications. */
export interface DataContent {
  cluster: Omit<ClusterDto, 'problems' | 'needs_attention' | 'pods'>;
  config: string;
  /** The saved config, which the user may have edited. */
  savedConfig: string;
  kubeconfig: string;
  jobs: unknown[];
  journal: unknown[];
  savedSearches: unknown[];
  alerts: unknown[];
  webhook: string | undefined;
  repositories: unknown[];
  repositoryPassword: string | undefined;
  /** Keys of the sources whose lines are not collected. */
  leftOut: string[];
  logNotice: string | null;
  lines: unknown[];
  /** Status of a request with the access token. */
  tokenStatus: number;
}

/** Starts both applications on a data folder and reads what it has. The password signs in. */
export async function contentOf(
  dataDirectory: string,
  password: string,
  version: FixtureVersion = '0.2',
): Promise<DataContent> {
  const dashboard = await startApp({ dataDirectory });
  const board = await startLogBoard({ dataDirectory, environment: { APP_PASS: '' } });
  try {
    const { bearer } = await signIn(board, password);
    const fromBoard = async <TBody>(path: string): Promise<TBody> =>
      (await board.client.send('GET', path, { headers: bearer })).body as TBody;
    const state = async (): Promise<{ state: string; notice: string | null }> =>
      await fromBoard('/api/log-store');
    await waitFor(async () => (await state()).state === 'ok', 'the log store');
    const { notice } = await state();
    const [source] = await fromBoard<LogSourceDto[]>('/api/sources');
    const token = { authorization: `Bearer ${FIXTURE_TOKENS[version]}` };
    const secrets = board.nest.get<unknown, SealedSecretStore>(SealedSecretStore, { strict: false });
    return {
      cluster: storedOf(await dashboard.client.get('/api/v1/clusters/shop')),
      config: (await dashboard.client.send('GET', '/api/v1/clusters/shop/config/applied')).text,
      savedConfig: (await dashboard.client.send('GET', '/api/v1/clusters/shop/config')).text,
      kubeconfig: (await dashboard.client.send('GET', '/api/v1/clusters/shop/kubeconfig')).text,
      jobs: await dashboard.client.get('/api/v1/jobs'),
      journal: (await dashboard.client.get<{ entries: unknown[] }>('/api/v1/journal/recent?kind=create'))
        .entries,
      savedSearches: await fromBoard('/api/saved-searches'),
      alerts: await fromBoard('/api/alerts'),
      webhook: secrets.get('alert-webhook:1'),
      repositories: await dashboard.client.get('/api/v1/clusters/shop/addons/repositories'),
      repositoryPassword: secrets.get('chart-repository:own'),
      // Without the intake, the log board does not show them.
      leftOut: leftOutIn(dataDirectory),
      logNotice: notice,
      lines: source ? (await fromBoard<{ lines: unknown[] }>(`/api/sources/${source.id}/lines`)).lines : [],
      tokenStatus: (await board.client.send('GET', '/api/sources', { headers: token })).status,
    };
  } finally {
    await board.stop();
    await dashboard.stop();
  }
}

/** The others change in the demo. */
function storedOf({
  problems: _,
  needs_attention: __,
  pods: ___,
  ...stored
}: ClusterDto): DataContent['cluster'] {
  return stored;
}

function leftOutIn(dataDirectory: string): string[] {
  const database = new DatabaseSync(join(dataDirectory, 'slipway.db'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT key FROM log_source_settings WHERE left_out = 1').all();
    return rows.map(({ key }) => String(key));
  } finally {
    database.close();
  }
}

/** Removes what `fixtureData` created. */
export async function removeData({ parent }: { parent: string }): Promise<void> {
  await rm(parent, { recursive: true, force: true });
}
