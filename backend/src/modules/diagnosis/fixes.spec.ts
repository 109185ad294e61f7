import { describe, expect, it } from '@jest/globals';
import { facts, object, pod, waiting } from '../../../../test/support/kubernetes/diagnosed-objects.js';
import type { KubernetesObject, ResourceApi } from '../../drivers/kubernetes/index.js';
import type { ClusterImagesService } from '../images/index.js';
import type { CauseCode } from './diagnosis.dto.js';
import type { Facts } from './facts.js';
import type { Fix, FixPlan } from './fix.js';
import { loadImage, proposedImages, setImage } from './fix-images.js';
import { createStorageClass, raiseQuota } from './fix-namespace.js';
import { deletePod, rollBack } from './fix-others.js';
import { referencesOf } from './fix-references.js';
import { halved, memoryText, raiseMemoryLimit } from './fix-resources.js';
import { tolerates } from './fix-scheduling.js';
import { nearSelectors } from './fix-service.js';

const web = (container: object, spec: object = {}): KubernetesObject => ({
  ...object('Deployment', { template: { spec: { containers: [{ name: 'web', ...container }], ...spec } } }),
  apiVersion: 'apps/v1',
});
const images = (ofEngine: string[], references: string[] = []): ClusterImagesService =>
  ({
    ofEngine: async () => await Promise.resolve(ofEngine),
    read: async () =>
      await Promise.resolve({ nodes: [], images: [{ part_of_kubernetes: false, references }] }),
  }) as unknown as ClusterImagesService;

function situation(
  code: CauseCode,
  of: Facts,
  more: { workload?: KubernetesObject; images?: ClusterImagesService; api?: object } = {},
): Parameters<typeof loadImage>[0] {
  return {
    cause: { code, message: '', container: 'web', evidence: [], nextStep: '' },
    facts: of,
    api: (more.api ?? {}) as ResourceApi,
    workload: more.workload,
    images: more.images ?? images([]),
    cluster: { name: 'shop', runtime: 'docker' },
  };
}

function planOf([fix]: Fix[], values: Record<string, string> = {}): FixPlan | undefined {
  const defaults = fix?.parameters.map((each): [string, string] => [each.name, each.default]) ?? [];
  return fix?.plan({ ...Object.fromEntries(defaults), ...values });
}

describe('raiseMemoryLimit', () => {
  const killed = facts(pod({ phase: 'Running' }));
  const limits = (memory: string): object => ({ resources: { limits: { memory, cpu: '1' } } });

  it('doubles the limit of the container in the template and keeps the rest', () => {
    const workload = web(limits('64Mi'));
    const plan = planOf(raiseMemoryLimit(situation('out_of_memory', killed, { workload })));
    expect(plan?.do === 'replace' && plan.change(workload)).toEqual(web(limits('128Mi')));
  });

  it('is not offered if the template has another limit already, or the Pod has no workload', () => {
    const changed = situation('out_of_memory', killed, { workload: web(limits('128Mi')) });
    expect([raiseMemoryLimit(changed), raiseMemoryLimit(situation('out_of_memory', killed))]).toEqual([
      [],
      [],
    ]);
  });

  it('refuses if the template has lost the container', () => {
    const plan = planOf(
      raiseMemoryLimit(situation('out_of_memory', killed, { workload: web(limits('64Mi')) })),
    );
    expect(() => plan?.do === 'replace' && plan.change(web({ name: 'other' }))).toThrow(
      'The Pod template no longer has the container web.',
    );
  });
});

describe('amounts', () => {
  it.each([
    [128 * 2 ** 20, '128Mi'],
    [2 ** 30, '1Gi'],
    [1e9, '1G'],
    [1.5, '2'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(memoryText(bytes)).toBe(text);
  });

  it('halves a request until it fits, and once if nothing is free', () => {
    expect([halved(40, 6), halved(40, 100), halved(40, 0)]).toEqual([5, 20, 20]);
  });
});

describe('loadImage and setImage', () => {
  const unavailable = facts(waiting('ErrImagePull', 'no such host'));

  it('loads an image that the engine has under its full name', async () => {
    const found = await loadImage(
      situation('image_pull', unavailable, { images: images(['docker.io/shop/web:9']) }),
    );
    expect(planOf(found)).toEqual({ do: 'load-image', image: 'docker.io/shop/web:9' });
    expect(await loadImage(situation('image_pull', unavailable, { images: images(['shop/web:8']) }))).toEqual(
      [],
    );
  });

  it('loads no image for a container that pulls its image at each start', async () => {
    const spec = { containers: [{ name: 'web', image: 'shop/web:9', imagePullPolicy: 'Always' }] };
    const always = facts(pod({ phase: 'Pending' }, undefined, spec));
    expect(await loadImage(situation('image_pull', always, { images: images(['shop/web:9']) }))).toEqual([]);
  });

  it('proposes an image that is named as the one that cannot be pulled', async () => {
    const [fix] = await setImage(
      situation('image_pull', unavailable, {
        workload: web({ image: 'shop/web:9' }),
        images: images(['zoo/app:1', 'shop/web:8']),
      }),
    );
    expect(fix?.parameters[0]).toMatchObject({ default: 'shop/web:8', choices: ['shop/web:8', 'zoo/app:1'] });
    expect(proposedImages('gone.invalid/web:2', ['docker.io/library/a:1', 'web@sha256:1', 'x/web'])).toEqual([
      'x/web:latest',
      'a:1',
    ]);
  });
});

describe('raiseQuota', () => {
  const text =
    'Error creating: pods "web-1" is forbidden: exceeded quota: small, requested: pods=1,requests.cpu=500m, used: pods=2,requests.cpu=1, limited: pods=2,requests.cpu=1200m';
  const found = async (hard: object, of: KubernetesObject): Promise<Fix[]> => {
    const quota = object('ResourceQuota', { hard, scopes: ['NotTerminating'] }, {}, 'small');
    const given = situation('quota_exceeded', facts(of), {
      api: { read: async () => await Promise.resolve(quota) },
    });
    given.cause.evidence = [{ source: 'event', text, time: null }];
    return await raiseQuota(given);
  };

  it('allows the Pods that a ReplicaSet lacks, and keeps the rest of the quota', async () => {
    const set = object('ReplicaSet', { replicas: 5 }, { replicas: 2 });
    const hard = { pods: '2', 'requests.cpu': '1200m', secrets: '9' };
    const fixes = await found(hard, set);
    const plan = planOf(fixes, { pods: '7' });
    const quota = object('ResourceQuota', { hard }, {}, 'small');
    expect(fixes[0]?.parameters.map((each) => [each.label, each.default])).toEqual([
      ['pods (currently 2)', '5'],
      ['requests.cpu (currently 1200m)', '2500m'],
    ]);
    expect(plan).toMatchObject({ do: 'replace', retry: set });
    expect(plan?.do === 'replace' && plan.change(quota)['spec']).toEqual({
      hard: { pods: '7', 'requests.cpu': '2500m', secrets: '9' },
    });
  });

  it('is not offered once the quota is high enough', async () => {
    expect(await found({ pods: '3', 'requests.cpu': '1500m' }, object('Job', {}))).toEqual([]);
  });
});

describe('createStorageClass', () => {
  const classes = (...names: string[]): object => ({
    list: async () =>
      await Promise.resolve(
        names.map((name) => ({
          metadata: {
            ...{ name, uid: name },
            annotations: { 'storageclass.kubernetes.io/is-default-class': String(name === 'standard') },
          },
          provisioner: 'rancher.io/local-path',
          volumeBindingMode: 'WaitForFirstConsumer',
        })),
      ),
  });
  const claim = object('PersistentVolumeClaim', { storageClassName: 'fast' }, { phase: 'Pending' }, 'data');

  it('creates the class of the claim of a Pod as the default one, but not as the default', async () => {
    const of = facts(pod({ phase: 'Pending' }), [], [facts(claim)]);
    const fixes = await createStorageClass(
      situation('volume_claim_unbound', of, { api: classes('standard') }),
    );
    expect(planOf(fixes)).toEqual({
      do: 'create',
      object: {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'fast' },
        provisioner: 'rancher.io/local-path',
        volumeBindingMode: 'WaitForFirstConsumer',
      },
    });
  });

  it.each([
    ['exists', facts(claim), classes('standard', 'fast')],
    ['has no default one to be made from', facts(claim), classes('other')],
    ['is not named', facts(object('PersistentVolumeClaim', { storageClassName: '' })), classes('standard')],
  ])('is not offered if the class %s', async (_what, of, api) => {
    expect(await createStorageClass(situation('volume_claim_unbound', of, { api }))).toEqual([]);
  });
});

describe('referencesOf', () => {
  it('lists the keys of what is required, in variables, files and projected volumes', () => {
    const spec = {
      containers: [
        {
          name: 'web',
          env: [
            { name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } },
            { name: 'B', valueFrom: { configMapKeyRef: { name: 'maybe', key: 'b', optional: true } } },
            { name: 'C', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
          ],
          envFrom: [{ configMapRef: { name: 'all' } }],
        },
      ],
      volumes: [
        { name: 'v', configMap: { name: 'settings', items: [{ key: 'file', path: 'f' }] } },
        { name: 's', secret: { secretName: 'tls' } },
        {
          name: 'p',
          projected: {
            sources: [
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt' }] } },
              { secret: { name: 'login', items: [{ key: 'user' }] } },
            ],
          },
        },
      ],
    };
    const of = pod({}, undefined, spec);
    expect([...referencesOf(of, 'ConfigMap')]).toEqual([
      ['settings', new Set(['a', 'file'])],
      ['all', new Set()],
    ]);
    expect([...referencesOf(of, 'Secret')]).toEqual([
      ['login', new Set(['password', 'user'])],
      ['tls', new Set()],
    ]);
  });
});

describe('nearSelectors', () => {
  const workload = (name: string, labels: object): KubernetesObject =>
    object('Deployment', { selector: { matchLabels: labels }, template: { metadata: { labels } } }, {}, name);

  it('finds mistyped values first, and no workload that only is in the namespace', () => {
    const all = [
      workload('ledger', { app: 'ledger' }),
      workload('web', { app: 'web', tier: 'front' }),
      workload('websocket', { app: 'websocket' }),
    ];
    expect(nearSelectors({ app: 'wbe' }, 'web', all)).toEqual([{ app: 'web' }, { app: 'websocket' }]);
  });

  it('takes the labels of the workload if it has none of the keys', () => {
    expect(nearSelectors({ run: 'x1' }, 'web', [workload('web', { app: 'web' })])).toEqual([{ app: 'web' }]);
  });
});

describe('tolerates', () => {
  it.each([
    [{ operator: 'Exists' }, true],
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ key: 'gpu', value: 'a', effect: 'NoSchedule' }, true],
    [{ key: 'gpu', value: 'b' }, false],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, false],
  ])('compares %j with the taint gpu=a:NoSchedule', (toleration, expected) => {
    expect(tolerates(toleration, { key: 'gpu', value: 'a', effect: 'NoSchedule' })).toBe(expected);
  });
});

describe('rollBack and deletePod', () => {
  it('are not offered for a Pod without a workload, or one that still ends', async () => {
    const ending = pod({ phase: 'Running' });
    ending.metadata.deletionTimestamp = '2026-11-21T09:59:50Z';
    expect(await rollBack(situation('crash', facts(ending)))).toEqual([]);
    expect(deletePod(situation('being_deleted', facts(ending)))).toEqual([]);
  });
});
