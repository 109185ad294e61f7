import { describe, expect, it } from '@jest/globals';
import {
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../../core/errors/index.js';
import type { ResourceReference, WrittenObject } from '../../../drivers/kubernetes/index.js';
import type { ClusterConfigService } from '../../clusters/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import type { LabelChanges } from '../../kind-config/index.js';
import type { ClusterResources } from '../../resources/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import { LabelsService } from './labels.service.js';

const REFUSAL = 'Node "c-worker2" is invalid: metadata.labels: Invalid value: "kubernetes.io/": name part';

/** Keeps the requests, and refuses the second worker. */
class RefusingResources extends ScriptedResources {
  readonly requests: [node: string, dryRun: boolean][] = [];

  override patch(
    { name }: ResourceReference,
    _type: string,
    _change: unknown,
    { dryRun = false } = {},
  ): Promise<WrittenObject> {
    this.requests.push([name, dryRun]);
    if (name === 'c-worker2') return Promise.reject(new DomainError('resource_refused', REFUSAL));
    return Promise.resolve({ object: kubernetesObject('Node', name), warnings: [] });
  }
}

describe('LabelsService', () => {
  it('changes no node and keeps the config changed if the API server refuses a label of one', async () => {
    const api = new RefusingResources();
    api.put('nodes', kubernetesObject('Node', 'c-worker'), kubernetesObject('Node', 'c-worker2'));
    const entries: NewJournalEntry[] = [];
    let isRecorded = false;
    const cluster = { name: 'c', runtime: 'demo' };
    const changes = new Map<string, LabelChanges>([
      ['worker', { disk: 'ssd' }],
      ['worker2', { 'kubernetes.io/': '' }],
    ]);
    const record = (): void => void (isRecorded = true);
    const configs = {
      withLabelChanges: (_name: string, _runtime: string, work: (...given: unknown[]) => Promise<unknown>) =>
        work(cluster, changes, record),
    } as unknown as ClusterConfigService;
    const resources = { open: () => Promise.resolve({ cluster, api }) } as unknown as ClusterResources;
    const journal = { recordEventually: (entry: NewJournalEntry) => void entries.push(entry) };
    const service = new LabelsService(configs, resources, new ChangeJournal(journal as JournalService));

    await expect(service.apply('c', undefined, false)).rejects.toMatchObject({
      code: 'resource_refused',
      message: REFUSAL,
    });
    expect(api.requests).toEqual([
      ['c-worker', true],
      ['c-worker2', true],
    ]);
    expect(isRecorded).toBe(false);
    expect(entries).toMatchObject([
      { kind: 'config', outcome: 'failed', message: `Could not apply the labels of c: ${REFUSAL}` },
    ]);
  });
});
