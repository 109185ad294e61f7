import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { proveAddons } from './cluster/addons.js';
import { proveCreation } from './cluster/creation.js';
import { proveEnd } from './cluster/end.js';
import { proveImages } from './cluster/images.js';
import { proveKubeconfigs } from './cluster/kubeconfig.js';
import { proveLifecycle } from './cluster/lifecycle.js';
import { proveLogs } from './cluster/logs.js';
import { proveResources } from './cluster/resources.js';
import { engines } from './support/engines.js';
import { RealCluster } from './support/real-cluster.js';

jest.setTimeout(300_000);

describe.each(engines)('a cluster of one control plane and one worker on %s', (engine) => {
  const cluster = new RealCluster(engine);
  beforeAll(() => cluster.prepare());
  afterAll(() => cluster.discard());

  describe('from its creation', () => proveCreation(cluster));
  describe('its resources', () => proveResources(cluster));
  describe('its images', () => proveImages(cluster));
  describe('its kubeconfigs', () => proveKubeconfigs(cluster));
  describe('its logs', () => proveLogs(cluster));
  describe('its addons', () => proveAddons(cluster));
  describe('its life', () => proveLifecycle(cluster));
  describe('to its end', () => proveEnd(cluster));
});
