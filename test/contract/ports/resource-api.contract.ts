import { afterAll, beforeAll } from '@jest/globals';
import type { ResourceApi } from '../../../backend/src/drivers/kubernetes/index.js';
import { ResourceSubject } from '../support/resource-subject.js';
import { resourceReadingContract } from './resource-reading.contract.js';
import { resourceServerContract } from './resource-server.contract.js';
import { resourceWritingContract } from './resource-writing.contract.js';

export interface ResourcesUnderTest {
  /** The API of a ready cluster that can be changed. */
  resources: ResourceApi;
  stop: () => Promise<void>;
}

/** The contract of ResourceApi, and the additional contract of a real API server. */
export function resourceApiContract(
  start: () => Promise<ResourcesUnderTest>,
  { deadlineMs = 20_000, isRealServer = false } = {},
): void {
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
  if (isRealServer) resourceServerContract(subject);
}
