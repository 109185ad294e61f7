import { afterAll, beforeAll } from '@jest/globals';
import type { ResourceApi } from '../../../backend/src/drivers/kubernetes/index.js';
import { ResourceSubject } from '../support/resource-subject.js';
import { resourceReadingContract } from './resource-reading.contract.js';
import { resourceWritingContract } from './resource-writing.contract.js';

export interface ResourcesUnderTest {
  /** Of a cluster that is ready, and that nobody misses afterwards. */
  resources: ResourceApi;
  stop: () => Promise<void>;
}

/** What every cluster's resources keep to, whichever way leads to them. */
export function resourceApiContract(start: () => Promise<ResourcesUnderTest>, deadlineMs = 20_000): void {
  const subject = new ResourceSubject(deadlineMs);
  let running: ResourcesUnderTest;

  beforeAll(async () => {
    running = await start();
    await subject.start(running.resources);
  }, deadlineMs);

  afterAll(async () => {
    await running.stop();
  }, deadlineMs);

  resourceReadingContract(subject);
  resourceWritingContract(subject);
}
