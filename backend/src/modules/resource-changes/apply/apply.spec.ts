import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../../core/errors/index.js';
import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import type { ClusterResources } from '../../resources/index.js';
import { ApplyService, type ApplyRequest } from './apply.service.js';
import type { AppliedDto } from './apply.dto.js';

function type(plural: string, kind: string, more: Partial<ResourceType> = {}): ResourceType {
  return {
    group: '',
    version: 'v1',
    plural,
    kind,
    namespaced: true,
    verbs: [],
    shortNames: [],
    custom: false,
    ...more,
  };
}

const manifest = (kind: string, name: string, more = ''): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;
const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.shop.example}
spec: {group: shop.example, scope: Cluster, names: {plural: gadgets, kind: Gadget}, versions: [{name: v1, served: true}]}
`;
const GADGET = 'apiVersion: shop.example/v1\nkind: Gadget\nmetadata: {name: first}\n';

describe('ApplyService', () => {
  let api: ScriptedResources;
  let entries: NewJournalEntry[];
  let applied: string[];
  let service: ApplyService;

  beforeEach(() => {
    api = new ScriptedResources();
    api.served = [
      type('configmaps', 'ConfigMap'),
      type('secrets', 'Secret'),
      type('namespaces', 'Namespace', { namespaced: false }),
      type('customresourcedefinitions', 'CustomResourceDefinition', {
        group: 'apiextensions.k8s.io',
        namespaced: false,
      }),
      type('deployments', 'Deployment', { group: 'apps', version: 'v1' }),
    ];
    applied = [];
    api.applyWith = (reference, object, dryRun) => {
      if (reference.name === 'refused') {
        return Promise.reject(new DomainError('resource_refused', 'It says no.'));
      }
      applied.push(`${reference.plural} ${reference.namespace ?? '-'}/${reference.name}`);
      if (!dryRun) api.put(reference.plural, object);
      if (!dryRun && object.kind === 'CustomResourceDefinition') {
        api.served.push(type('gadgets', 'Gadget', { group: 'shop.example', namespaced: false }));
      }
      return Promise.resolve({ object, warnings: ['it is old'] });
    };
    entries = [];
    const journal = {
      recordEventually: (entry: NewJournalEntry) => void entries.push(entry),
    } as JournalService;
    const resources = {
      open: () => Promise.resolve({ cluster: { name: 'staging', runtime: 'demo' }, api }),
    } as unknown as ClusterResources;
    service = new ApplyService(resources, new ChangeJournal(journal));
  });

  const apply = async (yaml: string, more: Partial<ApplyRequest> = {}): Promise<AppliedDto> =>
    await service.apply('staging', undefined, {
      yaml,
      namespace: 'shop',
      dryRun: false,
      force: false,
      ...more,
    });
  const outcomes = ({ documents }: AppliedDto): string[] =>
    documents.map(({ index, kind, outcome }) => `${index} ${kind} ${outcome}`);

  it('applies namespaces and CRDs first, with a note, and returns documents in the order of the request', async () => {
    const answer = await apply(
      [GADGET, manifest('ConfigMap', 'one'), DEFINITION, manifest('Namespace', 'shop')].join('---\n'),
    );
    expect(applied).toEqual([
      'namespaces -/shop',
      'customresourcedefinitions -/gadgets.shop.example',
      'gadgets -/first',
      'configmaps shop/one',
    ]);
    expect(outcomes(answer)).toEqual([
      '1 Gadget created',
      '2 ConfigMap created',
      '3 CustomResourceDefinition created',
      '4 Namespace created',
    ]);
    expect(answer.notes).toHaveLength(1);
    expect((await apply(manifest('ConfigMap', 'two'))).notes).toEqual([]);
  });

  it('warns in a dry run that a kind of the same request could not be validated', async () => {
    const { documents } = await apply(`${GADGET}---\n${DEFINITION}`, { dryRun: true });
    expect(documents[0]).toMatchObject({ plural: 'gadgets', outcome: 'created', before: null, error: null });
    expect(documents[0]?.warnings.join()).toContain('is part of this request');
    expect(applied).toEqual(['customresourcedefinitions -/gadgets.shop.example']);
    expect(entries).toEqual([]);
  });

  it('applies documents independently, and adds document and line to errors', async () => {
    const answer = await apply(
      [
        manifest('ConfigMap', 'one'),
        manifest('ConfigMap', 'refused'),
        manifest('Nothing', 'x'),
        'a: b: c\n',
        GADGET,
      ].join('---\n'),
    );
    expect(answer.documents.map(({ outcome, error }) => error?.message ?? outcome)).toEqual([
      'created',
      'Document 2, line 5: It says no.',
      expect.stringMatching(/^Document 3, line 9: The cluster does not serve Nothing \(v1\)\./),
      expect.stringMatching(/^Document 4, line \d+: invalid YAML/),
      expect.stringMatching(
        /^Document 5, line \d+: The cluster does not serve Gadget \(shop\.example\/v1\)\./,
      ),
    ]);
    expect(entries).toMatchObject([{ kind: 'resource-apply', outcome: 'failed' }]);
    expect(entries[0]?.message).toContain('Applied 5 documents: 1 created, 4 failed.');
  });

  it('stops sending documents once the cluster is unreachable', async () => {
    let calls = 0;
    api.applyWith = () => {
      calls += 1;
      return Promise.reject(new DomainError('cluster_unreachable', 'It does not respond.'));
    };
    const { documents } = await apply(`${manifest('ConfigMap', 'one')}---\n${manifest('ConfigMap', 'two')}`);
    expect(documents.map(({ error }) => error?.code)).toEqual(['cluster_unreachable', 'cluster_unreachable']);
    expect(calls).toBe(1);
  });

  it('reports the line of the rejected field', async () => {
    api.applyWith = () =>
      Promise.reject(new DomainError('resource_refused', 'spec.replicas: Invalid value: -1.'));
    const yaml = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: -1\n';
    expect((await apply(yaml)).documents[0]?.error?.message).toBe(
      'Document 1, line 5: spec.replicas: Invalid value: -1.',
    );
  });

  it('removes server fields, and the namespace of cluster-scoped objects', async () => {
    const sent: unknown[] = [];
    api.applyWith = (_reference, object) => {
      sent.push(object);
      return Promise.resolve({ object, warnings: [] });
    };
    const { documents } = await apply(
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, namespace: x, uid: u, resourceVersion: "7", creationTimestamp: null, labels: {a: b}}\nstatus: {phase: Active}\n',
    );
    expect(sent).toEqual([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { a: 'b' } } },
    ]);
    expect(documents[0]?.warnings.join()).toContain('is cluster-scoped');
  });

  it('keeps stored values for <hidden>, and returns no value', async () => {
    const stored = { password: Buffer.from('canary').toString('base64') };
    api.put('secrets', kubernetesObject('Secret', 'pass', { namespace: 'shop', data: stored }));
    let sent: unknown;
    api.applyWith = (_reference, object) => {
      sent = object['data'];
      return Promise.resolve({ object, warnings: [] });
    };
    const answer = await apply(manifest('Secret', 'pass', 'data: {password: <hidden>, more: bmV3}\n'));
    expect(sent).toEqual({ ...stored, more: 'bmV3' });
    expect(answer.documents[0]?.after).toContain('more: <hidden, changed>');
    const missing = await apply(manifest('Secret', 'other', 'stringData: {password: <hidden>}\n'));
    expect(missing.documents[0]?.error).toMatchObject({ code: 'invalid_input' });
    expect(JSON.stringify([answer, missing, entries])).not.toMatch(/canary|Y2FuYXJ5|bmV3/);
  });

  it('records nothing without a change, and does not quote invalid text', async () => {
    api.put('configmaps', kubernetesObject('ConfigMap', 'one', { namespace: 'shop' }));
    api.applyWith = () =>
      Promise.resolve({
        object: kubernetesObject('ConfigMap', 'one', { namespace: 'shop' }),
        warnings: [],
      });
    expect(outcomes(await apply(manifest('ConfigMap', 'one')))).toEqual(['1 ConfigMap unchanged']);
    expect(entries).toEqual([]);
    await apply(`${manifest('ConfigMap', 'one')}---\nkind: Secret\ndata: {password: *canary}\n`);
    expect(entries[0]?.message).toBe(
      'Applied 2 documents: 1 unchanged, 1 failed. Document 2 (line 6) is invalid.',
    );
  });

  it('rejects text without objects or with too many', async () => {
    await expect(apply('# nothing\n')).rejects.toMatchObject({ code: 'invalid_input' });
    const many = Array.from({ length: 501 }, (_, index) => manifest('ConfigMap', `c${index}`)).join('---\n');
    await expect(apply(many)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
