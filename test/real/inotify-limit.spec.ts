import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { DiagnosticsDto } from '../../backend/src/modules/diagnostics/checks/diagnostics.dto.js';
import { deleteWithKind, NOTHING, tracesOf } from './support/engines.js';
import { hasEnded, Product } from './support/product.js';

jest.setTimeout(420_000);

const LIMIT = '/proc/sys/fs/inotify/max_user_instances';
const FIX = 'sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512';

/** Changing the limit needs root. */
function canLower(): boolean {
  try {
    accessSync(LIMIT, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Case E03: too few inotify instances for the nodes. The limit is that of the whole machine, so this runs alone, and the
 * value is restored as soon as the job has failed, and when this process ends in any other way.
 */
(canLower() ? describe : describe.skip)('a creation with 16 inotify instances', () => {
  const name = 'inotify-docker';
  const before = readFileSync(LIMIT, 'utf8');
  const restore = (): void => writeFileSync(LIMIT, before);
  let product: Product;

  beforeAll(async () => {
    process.once('exit', restore);
    await deleteWithKind('docker', name);
    product = await Product.started();
  });

  afterAll(async () => {
    restore();
    await product.discard();
    await deleteWithKind('docker', name);
  });

  it('fails or is degraded, and names the limit and the command that raises it', async () => {
    const tag = await product.nodeImageTag();
    writeFileSync(LIMIT, '16');
    try {
      const { body } = await product.call<DiagnosticsDto>('GET', '/diagnostics');
      expect(body.checks).toContainEqual(expect.objectContaining({ name: 'inotify', fix: FIX }));
      const id = await product.create({ name, workers: 3, node_image_tag: tag, runtime: 'docker' });
      const job = (await product.follow(id, hasEnded, 400_000)).at(-1);
      // Which program needs the 17th instance first depends on the node image and on the other programs of the machine.
      const degraded = (job?.result as { degraded?: string } | null)?.degraded;
      expect(job?.state === 'failed' || degraded !== undefined).toBe(true);
      expect(job?.warnings).toContain(
        `inotify limits: 524288 watches and 16 instances are too few: clusters with several nodes fail with "too many open files". ${FIX}`,
      );
    } finally {
      restore();
    }
    await product.call('DELETE', `/clusters/${name}`);
    expect(await tracesOf('docker', name)).toEqual(NOTHING);
  });
});
