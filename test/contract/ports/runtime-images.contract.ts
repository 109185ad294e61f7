import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readImageArchive } from '../../../backend/src/drivers/provisioner/image-archive.js';
import type { PullProgress, RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';
import type { RuntimeUnderTest } from './runtime-under-test.js';

/** The part of the contract of RuntimeDriver for images and volumes. */
export function imagesContract(underTest: () => RuntimeUnderTest, cluster: string, deadlineMs: number): void {
  let subject: RuntimeUnderTest;
  let driver: RuntimeDriver;

  beforeAll(() => {
    subject = underTest();
    ({ driver } = subject);
  });

  it('lists local images', async () => {
    expect(await driver.hasImage(subject.presentImage)).toBe(true);
    expect(await driver.hasImage(subject.missingImage)).toBe(false);
    const images = await driver.listImages(subject.repository);
    const tag = subject.presentImage.slice(subject.presentImage.lastIndexOf(':'));
    const found = images.find(({ reference }) => reference.endsWith(tag));
    expect(found?.sizeBytes).toBeGreaterThan(1e6);
    expect(await driver.listImages('docker.io/kindest/another')).toEqual([]);
  });

  it(
    'pulls an image with bytes that rise and never fall',
    async () => {
      const seen: PullProgress[] = [];
      await driver.pullImage(subject.pullableImage, (progress) => seen.push(progress), signal());
      expect(await driver.hasImage(subject.pullableImage)).toBe(true);
      const bytes = seen.map(({ pulledBytes }) => pulledBytes);
      expect(bytes).toEqual([...bytes].sort((one, other) => one - other));
      expect(new Set(bytes.filter((count) => count > 0)).size).toBeGreaterThanOrEqual(2);
      const last = seen.at(-1);
      expect(last?.pulledBytes).toBe(last?.totalBytes);
      expect(last?.layersDone).toBe(last?.layers);
    },
    deadlineMs,
  );

  it('reports why an image cannot be pulled', async () => {
    await expect(driver.pullImage(subject.missingImage, () => undefined, signal())).rejects.toMatchObject({
      code: 'image_not_pulled',
      message: expect.stringContaining(subject.missingImage),
    });
  });

  it('cancels a pull', async () => {
    const cancel = new AbortController();
    const pulling = driver.pullImage(subject.missingImage, () => undefined, cancel.signal);
    cancel.abort(new Error('no longer wanted'));
    await expect(pulling).rejects.toThrow();
  });

  describe('images and volumes', () => {
    const nothing = { id: `sha256:${'0'.repeat(64)}`, references: ['missing/image:this'] };

    it('lists each image once with all names', async () => {
      const images = await driver.allImages();
      expect(new Set(images.map(({ id }) => id)).size).toBe(images.length);
      const tag = subject.presentImage.slice(subject.presentImage.lastIndexOf(':'));
      const node = images.find(({ references }) => references.some((name) => name.endsWith(`node${tag}`)));
      expect(node?.sizeBytes).toBeGreaterThan(1e6);
      const built = images.find(({ references }) => references.includes(subject.builtImage));
      for (const image of [node, built]) {
        expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
        expect(image?.architecture).toMatch(/^(amd64|arm64)$/);
      }
    });

    it('saves an image as an archive by name and id', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'contract-'));
      const file = join(folder, 'image.tar');
      await pipeline(await driver.saveImage(subject.builtImage, signal()), createWriteStream(file));
      const { id } =
        (await driver.allImages()).find(({ references }) => references.includes(subject.builtImage)) ?? {};
      expect(await readImageArchive(file)).toEqual([{ id, references: [subject.builtImage] }]);
      await rm(folder, { recursive: true });
      await expect(driver.saveImage('missing/image:this', signal())).rejects.toMatchObject({
        code: 'image_not_found',
        message: expect.stringContaining('missing/image:this'),
      });
    });

    it('removes an unused image, rejects a used one, and ignores a missing one', async () => {
      const find = async (): ReturnType<RuntimeDriver['allImages']> =>
        (await driver.allImages()).filter(({ references }) => references.includes(subject.spareImage));
      const [spare = nothing] = await find();
      const release = await subject.useSpareImage();
      await expect(driver.removeImage(spare)).rejects.toMatchObject({ code: 'image_in_use' });
      expect(await find()).toHaveLength(1);
      await release();
      await driver.removeImage(spare);
      expect(await find()).toEqual([]);
      await driver.removeImage(spare);
      await driver.removeImage(nothing);
    });

    it('lists volumes with their users and sizes, and removes an unused one', async () => {
      const find = async (name: string): ReturnType<RuntimeDriver['listVolumes']> =>
        (await driver.listVolumes()).filter((volume) => volume.usedBy.includes(name) || volume.name === name);
      const [own] = await find(`${cluster}-worker`);
      expect(own?.usedBy).toEqual([`${cluster}-worker`]);
      const sizes = await driver.measureVolumes(signal());
      expect(sizes.get(own?.name ?? '')).toBeGreaterThanOrEqual(0);
      await expect(driver.removeVolume(own?.name ?? '')).rejects.toMatchObject({ code: 'volume_in_use' });
      expect(await find(`${cluster}-worker`)).toHaveLength(1);
      expect(await find(subject.spareVolume)).toMatchObject([{ usedBy: [] }]);
      await driver.removeVolume(subject.spareVolume);
      expect(await find(subject.spareVolume)).toEqual([]);
      await driver.removeVolume(subject.spareVolume);
    });
  });
}

function signal(): AbortSignal {
  return new AbortController().signal;
}
