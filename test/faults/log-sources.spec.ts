import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { ScriptedMachine } from '../support/scripted-machine.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

describe('sources of a stopped engine', () => {
  let machine: ScriptedMachine;
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: ServerProcess;
  let session: SignedIn;

  beforeEach(async () => {
    machine = await ScriptedMachine.start({ engines: ['docker', 'podman'] });
    data = await temporaryFolder();
    for (const engine of ['docker', 'podman'] as const) {
      for (const name of ['stays', 'goes']) {
        machine.engine(engine).logs.add(`${engine}-${name}`, { running: true });
      }
    }
    server = await ServerProcess.start(
      { ...machine.environment, APP_DATA_DIR: data.path, APP_PASS: LOG_BOARD_PASSWORD },
      ['log-board'],
    );
    session = await signIn({ client: server.board });
  });

  afterEach(async () => {
    await server.kill();
    await machine.close();
    await data.remove();
  });

  async function states(): Promise<Record<string, string>> {
    const { body } = await server.board.send('GET', '/api/sources', { headers: session.bearer });
    return Object.fromEntries((body as LogSourceDto[]).map(({ name, state }) => [name, state]));
  }

  it('are waiting while the engine is stopped, and gone if they were removed meanwhile', async () => {
    const stand = async (docker: string, gone: string): Promise<boolean> => {
      const now = await states();
      return now['docker-stays'] === docker && now['docker-goes'] === gone;
    };
    await waitFor(() => stand('live', 'live'), 'the sources');
    const engine = machine.engine('docker');
    await engine.goAway();
    await waitFor(() => stand('waiting', 'waiting'), 'that they wait');
    const { containers } = engine.logs;
    containers.splice(
      containers.findIndex(({ name }) => name === 'docker-goes'),
      1,
    );
    await engine.comeBack();
    await waitFor(() => stand('live', 'gone'), 'that one is gone');
    expect(await states()).toMatchObject({ 'podman-stays': 'live', 'podman-goes': 'live' });
  });
});
