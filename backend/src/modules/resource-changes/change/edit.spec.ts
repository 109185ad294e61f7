import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject, ResourceType } from '../../../drivers/kubernetes/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import { yaml as manifests, type ClusterResources } from '../../resources/index.js';
import { ChangeJournal } from './change-journal.js';
import type { ReplacedResourceDto } from './change.dto.js';
import { EditService } from './edit.service.js';

const PASSWORD = Buffer.from('canary').toString('base64');

function type(plural: string, kind: string): ResourceType {
  return {
    group: '',
    version: 'v1',
    plural,
    kind,
    namespaced: true,
    verbs: [],
    shortNames: [],
    custom: false,
  };
}

describe('EditService', () => {
  let api: ScriptedResources;
  let entries: NewJournalEntry[];
  let replaced: { object: KubernetesObject; dryRun: boolean }[];
  let service: EditService;

  beforeEach(() => {
    api = new ScriptedResources();
    api.served = [type('configmaps', 'ConfigMap'), type('secrets', 'Secret'), type('bundles', 'Bundle')];
    const metadata = { resourceVersion: '7', generation: 1 };
    api.put(
      'configmaps',
      kubernetesObject('ConfigMap', 'settings', { namespace: 'shop', metadata, data: { colour: 'red' } }),
    );
    api.put(
      'secrets',
      kubernetesObject('Secret', 'pass', { namespace: 'shop', metadata, data: { password: PASSWORD } }),
    );
    api.put(
      'bundles',
      kubernetesObject('Bundle', 'all', {
        namespace: 'shop',
        metadata,
        spec: { objects: [{ kind: 'Secret', data: { password: PASSWORD } }] },
      }),
    );
    replaced = [];
    api.replaceWith = ({ plural }, object, dryRun) => {
      replaced.push({ object, dryRun });
      if (object.metadata.resourceVersion !== '7') {
        return Promise.reject(new DomainError('resource_conflict', 'It was changed meanwhile.'));
      }
      const { stringData = {}, ...rest } = object as KubernetesObject & {
        stringData?: Record<string, string>;
      };
      const text = Object.entries(stringData).map(([key, value]) => [
        key,
        Buffer.from(value).toString('base64'),
      ]);
      const written: KubernetesObject = {
        ...rest,
        ...(plural === 'secrets' && { data: { ...(rest['data'] as object), ...Object.fromEntries(text) } }),
        metadata: { ...rest.metadata, resourceVersion: dryRun ? '7' : '8' },
      };
      return Promise.resolve({ object: written, warnings: [] });
    };
    entries = [];
    const journal = {
      recordEventually: (entry: NewJournalEntry) => void entries.push(entry),
    } as JournalService;
    const resources = {
      open: () => Promise.resolve({ cluster: { name: 'staging', runtime: 'demo' }, api }),
    } as unknown as ClusterResources;
    service = new EditService(resources, new ChangeJournal(journal));
  });

  type Plural = 'configmaps' | 'secrets' | 'bundles';
  const edit = async (plural: Plural, yaml: string, dryRun = false): Promise<ReplacedResourceDto> => {
    const object = { secrets: 'pass', configmaps: 'settings', bundles: 'all' }[plural];
    const address = { cluster: 'staging', runtime: undefined, group: 'core', version: 'v1', plural, object };
    return await service.replace({ ...address, namespace: 'shop' }, yaml, dryRun);
  };
  const shown = async (plural: Plural, name: string): Promise<string> => {
    const found = api.objects.get(`${plural}/${name}`);
    if (!found) throw new Error(`there is no ${name}`);
    return await manifests.manifestWithoutSecrets(found);
  };

  it('makes a dry run first, and returns a diff without server fields', async () => {
    const yaml = (await shown('configmaps', 'settings')).replace('red', 'blue');
    const answer = await edit('configmaps', yaml);
    expect(replaced.map(({ dryRun }) => dryRun)).toEqual([true, false]);
    expect(answer).toMatchObject({ outcome: 'configured', resource_version: '8', dry_run: false });
    expect(answer.before).toContain('colour: red');
    expect(answer.after).toContain('colour: blue');
    expect(answer.before + answer.after).not.toMatch(/resourceVersion|generation/);
    expect(entries).toMatchObject([
      {
        kind: 'resource-edit',
        subject: 'configmaps/shop/settings',
        outcome: 'succeeded',
        diff: {
          before: expect.stringContaining('colour: red'),
          after: expect.stringContaining('colour: blue'),
        },
        message: 'Edited config map shop/settings.',
      },
    ]);
  });

  it('changes nothing in a dry run or without differences', async () => {
    const yaml = await shown('configmaps', 'settings');
    expect(await edit('configmaps', yaml.replace('red', 'blue'), true)).toMatchObject({
      outcome: 'configured',
    });
    expect(await edit('configmaps', yaml)).toMatchObject({ outcome: 'unchanged', resource_version: '7' });
    expect(replaced.map(({ dryRun }) => dryRun)).toEqual([true, true]);
    expect(entries).toEqual([]);
  });

  it('returns the current object for an older resourceVersion (resource_conflict)', async () => {
    const yaml = (await shown('configmaps', 'settings')).replace('"7"', '"6"').replace('red', 'blue');
    const now = { resource_version: '7', yaml: await shown('configmaps', 'settings') };
    await expect(edit('configmaps', yaml)).rejects.toMatchObject({ code: 'resource_conflict', details: now });
    expect(entries).toMatchObject([{ outcome: 'failed' }]);
  });

  it('keeps the digits of long integers beside a change, and changes them exactly', async () => {
    const metadata = { resourceVersion: '7', name: 'all', namespace: 'shop' };
    api.put('bundles', {
      ...kubernetesObject('Bundle', 'all', { metadata }),
      spec: { serial: 9007199254740993n, note: 'a' },
    });
    const yaml = await shown('bundles', 'all');
    expect(await edit('bundles', yaml.replace('note: a', 'note: b'))).toMatchObject({
      outcome: 'configured',
    });
    expect(JSON.stringify(replaced.at(-1)?.object['spec'])).toBe('{"serial":9007199254740993,"note":"b"}');
    const { after } = await edit('bundles', yaml.replace('993', '992'), true);
    expect(after).toContain('serial: 9007199254740992');
  });

  it('uses the version of the diff if the YAML has none', async () => {
    await edit(
      'configmaps',
      (await shown('configmaps', 'settings')).replace(/ {2}resourceVersion.*\n/, ''),
      true,
    );
    expect(replaced[0]?.object.metadata.resourceVersion).toBe('7');
  });

  it.each([
    ['another name', (yaml: string) => yaml.replace('name: settings', 'name: other'), 'metadata.name'],
    [
      'another namespace',
      (yaml: string) => yaml.replace('namespace: shop', 'namespace: x'),
      'metadata.namespace',
    ],
    ['another kind', (yaml: string) => yaml.replace('kind: ConfigMap', 'kind: Secret'), 'kind'],
    ['another version', (yaml: string) => yaml.replace('apiVersion: v1', 'apiVersion: v2'), 'apiVersion'],
    ['two objects', (yaml: string) => `${yaml}---\n${yaml}`, 'more than one'],
    ['no object', () => '# nothing\n', 'no object'],
    ['invalid YAML', () => 'a: [', 'is invalid'],
  ])('rejects %s', async (_what, change, problem) => {
    await expect(edit('configmaps', change(await shown('configmaps', 'settings')))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(problem),
    });
    expect([replaced, entries]).toEqual([[], []]);
  });

  it('keeps hidden values of a Secret, sets new ones, and returns no value', async () => {
    const yaml = await shown('secrets', 'pass');
    const answer = await edit('secrets', `${yaml}stringData:\n  token: canary-too\n  password: <hidden>\n`);
    expect(replaced.at(-1)?.object).toMatchObject({
      data: { password: PASSWORD },
      stringData: { token: 'canary-too' },
    });
    expect(answer.after).toMatch(/password: <hidden>\n {2}token: <hidden, changed>\n/);
    await expect(edit('secrets', yaml.replace('password:', 'other:'))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('data.other'),
    });
    expect(JSON.stringify([answer, entries])).not.toMatch(/canary|Y2FuYXJ5/);
  });

  it('rejects changing the kind of a nested Secret, which would reveal its values', async () => {
    const yaml = await shown('bundles', 'all');
    expect(yaml).toContain('password: <hidden>');
    expect((await edit('bundles', yaml, true)).outcome).toBe('unchanged');
    await expect(edit('bundles', yaml.replace('kind: Secret', 'kind: Note'), true)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('spec.objects[0].data.password'),
    });
    expect(replaced).toHaveLength(1);
  });
});
