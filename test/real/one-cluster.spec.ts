import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { testAddons } from './cluster/addons.js';
import { testCauses } from './cluster/causes.js';
import { testCreation } from './cluster/creation.js';
import { testDeletion } from './cluster/deletion.js';
import { testDiagnosis } from './cluster/diagnosis.js';
import { testExpose } from './cluster/expose.js';
import { testExternal } from './cluster/external.js';
import { testFiles } from './cluster/files.js';
import { testForwards } from './cluster/forwards.js';
import { testImages } from './cluster/images.js';
import { testKubeconfigs } from './cluster/kubeconfig.js';
import { testLifecycle } from './cluster/lifecycle.js';
import { testLogs } from './cluster/logs.js';
import { testResources } from './cluster/resources.js';
import { testSchemas } from './cluster/schemas.js';
import { testShells } from './cluster/shells.js';
import { testWorkloads } from './cluster/workloads.js';
import { engines } from './support/engines.js';
import { RealCluster } from './support/real-cluster.js';

jest.setTimeout(300_000);

/** The life of a cluster. Each part relies on the parts before it. */
describe.each(engines)('a cluster with one control plane and one worker on %s', (engine) => {
  const cluster = new RealCluster(engine);
  beforeAll(() => cluster.prepare());
  afterAll(() => cluster.discard());

  describe('creation', () => testCreation(cluster));
  describe('resources', () => testResources(cluster));
  describe('schemas', () => testSchemas(cluster));
  describe('workloads', () => testWorkloads(cluster));
  describe('forwards', () => testForwards(cluster));
  describe('expose', () => testExpose(cluster));
  describe('files', () => testFiles(cluster));
  describe('images', () => testImages(cluster));
  describe('shells', () => testShells(cluster));
  describe('diagnosis', () => testDiagnosis(cluster));
  describe('causes', () => testCauses(cluster));
  describe('kubeconfigs', () => testKubeconfigs(cluster));
  describe('external', () => testExternal(cluster));
  describe('logs', () => testLogs(cluster));
  describe('addons', () => testAddons(cluster));
  describe('lifecycle', () => testLifecycle(cluster));
  describe('deletion', () => testDeletion(cluster));
});
