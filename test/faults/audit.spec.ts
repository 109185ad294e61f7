import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { HealthDto } from '../../backend/src/modules/health/index.js';
import type { DiagnosticsDto } from '../../backend/src/modules/diagnostics/checks/diagnostics.dto.js';
import { createCluster, journalOf } from '../support/app/clusters.js';
import { AuditReceiver, type AuditForm } from '../support/server/audit-receiver.js';
import { environmentOf } from '../support/server/installation.js';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

describe.each<AuditForm>(['syslog', 'webhook'])('delivery of the journal by %s', (form) => {
  const undo: (() => Promise<void>)[] = [];
  let server: ServerProcess;
  let receiver: AuditReceiver;
  let environment: Record<string, string>;
  let data: string;

  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  async function begin(): Promise<void> {
    const { path, remove } = await temporaryFolder();
    undo.push(remove);
    receiver = new AuditReceiver(form);
    await receiver.start();
    undo.push(() => receiver.stop());
    environment = environmentOf(path, 'audited', {
      APP_DEMO_SPEED: '1000',
      APP_AUDIT_TARGET: receiver.target,
      APP_WEBHOOK_HOSTS: `127.0.0.1:${receiver.port}`,
    });
    data = join(path, 'audited', 'data');
    await start();
    undo.push(async () => {
      await server.kill();
    });
  }

  async function start(): Promise<void> {
    server = await ServerProcess.start(environment);
    await server.client.until<HealthDto>('/api/v1/health', ({ checks }) => checks?.[1]?.name === 'demo');
  }

  /** Each writes an entry. */
  async function record(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) await server.client.send('GET', '/api/v1/journal/export');
  }

  /** Waits until every entry has arrived, and compares. */
  async function untilAllArrived(): Promise<void> {
    const all = (await journalOf(server.client, '?limit=200')).reverse();
    const last = all.at(-1)?.id ?? 0;
    await waitFor(
      () => receiver.entries.some(({ id }) => id === last),
      () => `entry ${last} among ${receiver.entries.map(({ id }) => id).join()}`,
    );
    const first = [...new Set(receiver.entries.map(({ id }) => id))];
    expect(first).toEqual([...first].sort((a, b) => a - b));
    expect(first).toEqual(all.map(({ id }) => id).sort((a, b) => a - b));
    for (const { id, outcome, message, actor } of all) {
      expect(receiver.entries.filter((entry) => entry.id === id).at(-1)).toMatchObject({
        outcome,
        message,
        actor,
      });
    }
  }

  it('is complete and in order when the receiver was away and Slipway was killed', async () => {
    await begin();
    await createCluster(server.client, 'audited');
    await record(5);
    await untilAllArrived();
    const created = receiver.entries.filter(({ kind }) => kind === 'create');
    expect(created.at(-1)).toMatchObject({ outcome: 'succeeded', cluster: 'audited' });

    await receiver.stop();
    await record(30);
    const failing = (health: HealthDto): boolean =>
      health.checks?.some(({ name, ok }) => name === 'audit' && !ok) === true;
    const health = await server.client.until<HealthDto>('/api/v1/health', failing);
    expect(health.status).toBe('degraded');
    const { checks } = await server.client.get<DiagnosticsDto>('/api/v1/diagnostics');
    const shown = checks.find(({ name }) => name === 'audit');
    expect(shown).toMatchObject({ level: 'warning', fix: expect.stringContaining('APP_AUDIT_TARGET') });
    expect(shown?.message).toMatch(
      new RegExp(
        `^${form} at 127.0.0.1:${receiver.port}; .*127.0.0.1:${receiver.port}.*; \\d+ entries wait; last delivery 2`,
      ),
    );
    if (form === 'webhook') expect(server.log + JSON.stringify(checks)).not.toContain('/audit');
    await server.kill();

    await start();
    await record(10);
    await receiver.start();
    await record(10);
    await untilAllArrived();

    // In the middle of deliveries.
    for (let round = 0; round < 3; round += 1) {
      const earlier = receiver.entries.length;
      const recording = record(40).catch(() => undefined);
      await waitFor(() => receiver.entries.length > earlier + round * 10, 'entries');
      await server.kill();
      await recording;
      await start();
    }
    await record(1);
    await untilAllArrived();
  });

  it('begins with the oldest entry without a cursor, or with one of another database', async () => {
    await begin();
    await record(3);
    await untilAllArrived();
    await server.stop();
    const file = join(data, 'audit-cursor.json');
    const cursor = JSON.parse(readFileSync(file, 'utf8')) as { through: number; lost: number };
    expect(cursor).toMatchObject({ open: [], lost: 0 });
    writeFileSync(file, JSON.stringify({ ...cursor, through: 100_000 }));
    receiver.entries.length = 0;
    await start();
    await record(1);
    await untilAllArrived();

    await server.stop();
    rmSync(file);
    receiver.entries.length = 0;
    await start();
    await untilAllArrived();
  });
});
