import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AppliedDto } from '../../../backend/src/modules/resource-changes/apply/apply.dto.js';
import type { CauseDto, DiagnosisDto } from '../../../backend/src/modules/diagnosis/diagnosis.dto.js';
import { waitFor } from '../../support/wait-for.js';
import type { RealCluster } from '../support/real-cluster.js';

const NAMESPACE = 'broken';
/** Enforces the Pod security standard `restricted`. */
const STRICT = 'broken-strict';
/** Contains an object with a finalizer that no controller serves, and is deleted. */
const ENDLESS = 'broken-endless';
/** An API without a server, which also keeps namespaces from ending. */
const GHOST = 'v1beta1.ghost.case.test';
const FINALIZER = 'case.test/keep';
const TIMEOUT_MS = 90_000;

/** A container of an image that the nodes have. */
function busybox(command: string, more: object = {}): object {
  return {
    name: 'main',
    image: 'busybox:1.36',
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', command],
    ...more,
  };
}

function object(apiVersion: string, kind: string, name: string, spec: object): object {
  return { apiVersion, kind, metadata: { name, namespace: NAMESPACE, labels: { app: name } }, spec };
}

function pod(name: string, container: object, spec: object = {}): object {
  const containers = [container];
  return object('v1', 'Pod', name, { terminationGracePeriodSeconds: 0, containers, ...spec });
}

function deployment(name: string, spec: object): object {
  return object('apps/v1', 'Deployment', name, {
    selector: { matchLabels: { app: name } },
    template: template(name, spec),
  });
}

function held(namespace: string): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'held', namespace, finalizers: [FINALIZER] },
  };
}

const env = (reference: object): object => ({ env: [{ name: 'VALUE', valueFrom: reference }] });
const template = (name: string, spec: object): object => ({ metadata: { labels: { app: name } }, spec });

/** The cause, the object that shows it, and its message. */
const CAUSES: readonly {
  code: CauseDto['code'];
  of: string;
  says: RegExp;
  evidence: RegExp;
  objects: object[];
  namespace?: string;
}[] = [
  {
    code: 'image_pull',
    of: 'core/v1/pods/no-image',
    says: /image localhost:1\/none:1 cannot be pulled/,
    evidence: /connection refused|ImagePullBackOff|ErrImagePull/,
    objects: [pod('no-image', { name: 'main', image: 'localhost:1/none:1' })],
  },
  {
    code: 'crash',
    of: 'apps/v1/deployments/crash',
    says: /^Container main exited with code 3/,
    evidence: /^no database$/,
    objects: [deployment('crash', { containers: [busybox('echo no database; exit 3')] })],
  },
  {
    code: 'out_of_memory',
    of: 'core/v1/pods/hungry',
    says: /memory limit of 24Mi \(OOMKilled\)/,
    evidence: /OOMKilled, exit code 137/,
    objects: [pod('hungry', busybox('tail /dev/zero', { resources: { limits: { memory: '24Mi' } } }))],
  },
  {
    code: 'probe',
    of: 'core/v1/pods/unready',
    says: /^The readiness probe of container main fails/,
    evidence: /Readiness probe failed/,
    objects: [
      pod(
        'unready',
        busybox('sleep 3600', { readinessProbe: { exec: { command: ['false'] }, periodSeconds: 1 } }),
      ),
    ],
  },
  {
    code: 'insufficient_resources',
    of: 'core/v1/pods/large',
    says: /no node has enough free CPU/,
    evidence: /Insufficient cpu/,
    objects: [pod('large', busybox('sleep 3600', { resources: { requests: { cpu: '4000' } } }))],
  },
  {
    code: 'scheduling_constraint',
    of: 'core/v1/pods/picky',
    says: /nodeSelector or node affinity/,
    evidence: /didn't match Pod's node affinity\/selector/,
    objects: [pod('picky', busybox('sleep 3600'), { nodeSelector: { disk: 'none' } })],
  },
  {
    code: 'volume_claim_unbound',
    of: 'core/v1/pods/unbound',
    says: /PersistentVolumeClaim unbound is not bound/,
    evidence: /storageclass.*"none" not found|unbound immediate PersistentVolumeClaims/,
    objects: [
      object('v1', 'PersistentVolumeClaim', 'unbound', {
        storageClassName: 'none',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Mi' } },
      }),
      pod('unbound', busybox('sleep 3600'), {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'unbound' } }],
      }),
    ],
  },
  {
    code: 'config_map_missing',
    of: 'core/v1/pods/no-config',
    says: /ConfigMap none does not exist/,
    evidence: /configmap "none" not found/,
    objects: [pod('no-config', busybox('sleep 3600', env({ configMapKeyRef: { name: 'none', key: 'a' } })))],
  },
  {
    code: 'secret_missing',
    of: 'core/v1/pods/no-secret',
    says: /Secret none does not exist/,
    evidence: /secret "none" not found/,
    objects: [pod('no-secret', busybox('sleep 3600', env({ secretKeyRef: { name: 'none', key: 'a' } })))],
  },
  {
    code: 'quota_exceeded',
    of: 'apps/v1/deployments/many',
    says: /cannot create Pods: ResourceQuota small/,
    evidence: /exceeded quota: small/,
    objects: [
      object('v1', 'ResourceQuota', 'small', {
        hard: { pods: '0' },
        scopeSelector: {
          matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['limited'] }],
        },
      }),
      { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'limited' }, value: 0 },
      deployment('many', { priorityClassName: 'limited', containers: [busybox('sleep 3600')] }),
    ],
  },
  {
    code: 'job_deadline',
    of: 'batch/v1/jobs/slow',
    says: /activeDeadlineSeconds of 2 s/,
    evidence: /DeadlineExceeded/,
    objects: [
      object('batch/v1', 'Job', 'slow', {
        activeDeadlineSeconds: 2,
        template: template('slow', {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          containers: [busybox('sleep 3600')],
        }),
      }),
    ],
  },
  {
    code: 'pods_not_created',
    of: 'apps/v1/deployments/privileged',
    namespace: STRICT,
    says: /cannot create Pods: .*violates PodSecurity "restricted:.*privileged/,
    evidence: /violates PodSecurity/,
    objects: [
      {
        ...deployment('privileged', {
          containers: [busybox('sleep 3600', { securityContext: { privileged: true } })],
        }),
        metadata: { name: 'privileged', namespace: STRICT },
      },
    ],
  },
  {
    code: 'pods_not_created',
    of: 'apps/v1/deployments/no-account',
    says: /cannot create Pods: .*serviceaccount "absent" not found/,
    evidence: /absent/,
    objects: [
      deployment('no-account', {
        serviceAccountName: 'absent',
        containers: [busybox('sleep 3600')],
      }),
    ],
  },
  {
    code: 'reported_failure',
    of: 'core/v1/pods/rooted',
    says: /^Container main reports: CreateContainerConfigError: .*runAsNonRoot/,
    evidence: /runAsNonRoot/,
    objects: [pod('rooted', busybox('sleep 3600', { securityContext: { runAsNonRoot: true } }))],
  },
  {
    code: 'reported_failure',
    of: `apiregistration.k8s.io/v1/apiservices/${GHOST}`,
    says: /Available is False \(ServiceNotFound\): .*ghost/,
    evidence: /ServiceNotFound/,
    objects: [
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: GHOST },
        spec: {
          group: 'ghost.case.test',
          version: 'v1beta1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: 'ghost', namespace: 'kube-system' },
        },
      },
    ],
  },
  {
    code: 'being_deleted',
    of: 'core/v1/configmaps/held',
    says: /^ConfigMap held is being deleted: waiting for the finalizer case\.test\/keep\.$/,
    evidence: /^Finalizer: case\.test\/keep$/,
    objects: [held(NAMESPACE)],
  },
  {
    code: 'being_deleted',
    of: `core/v1/namespaces/${ENDLESS}`,
    says: /ghost\.case\.test\/v1beta1/,
    evidence: /^NamespaceFinalizersRemaining is True .*case\.test\/keep/,
    objects: [held(ENDLESS)],
  },
  {
    code: 'no_endpoints',
    of: 'core/v1/services/nowhere',
    says: /no Pod matches its selector app=none/,
    evidence: /app=none/,
    objects: [object('v1', 'Service', 'nowhere', { selector: { app: 'none' }, ports: [{ port: 80 }] })],
  },
];

/** Every cause is provoked at once, so that the parts wait together. */
export function testDiagnosis(cluster: RealCluster): void {
  const { name } = cluster;

  beforeAll(async () => {
    const enforced = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const namespaces = [{ name: NAMESPACE }, { name: STRICT, labels: enforced }, { name: ENDLESS }].map(
      (metadata) => ({ apiVersion: 'v1', kind: 'Namespace', metadata }),
    );
    const healthy = pod('healthy', busybox('sleep 3600'));
    const objects = [...namespaces, healthy, ...CAUSES.flatMap((cause) => cause.objects)];
    // JSON is YAML.
    const yaml = objects.map((each) => JSON.stringify(each)).join('\n---\n');
    const { status, body } = await cluster.product.call<AppliedDto>(
      'POST',
      `/clusters/${name}/resources/apply`,
      {
        yaml,
      },
    );
    const failed = body.documents.filter(({ error }) => error !== null);
    expect([status, failed]).toEqual([200, []]);
    await cluster.kubectl('delete', 'configmap', 'held', '-n', NAMESPACE, '--wait=false');
    await cluster.kubectl('delete', 'namespace', ENDLESS, '--wait=false');
  });

  afterAll(async () => {
    await cluster.kubectl('delete', 'apiservice', GHOST);
    for (const namespace of [NAMESPACE, ENDLESS]) {
      const patch = '{"metadata":{"finalizers":null}}';
      await cluster.kubectl('patch', 'configmap', 'held', '-n', namespace, '--type=merge', '-p', patch);
    }
    await cluster.kubectl('delete', 'namespace', NAMESPACE, STRICT, '--wait=false');
    await cluster.kubectl('delete', 'priorityclass', 'limited');
  });

  const diagnosisOf = async (path: string, namespace = NAMESPACE): Promise<DiagnosisDto> => {
    const url = `/clusters/${name}/resources/${path}/diagnosis?namespace=${namespace}`;
    return (await cluster.product.call<DiagnosisDto>('GET', url)).body;
  };

  it.each(CAUSES)(
    'finds $code of $of',
    async ({ code, of, says, evidence, namespace }) => {
      let found: DiagnosisDto | undefined;
      const matches = (cause: CauseDto): boolean =>
        cause.code === code &&
        says.test(cause.message) &&
        cause.evidence.some(({ text }) => text.split('\n').some((line) => evidence.test(line)));
      await waitFor(
        async () => {
          found = await diagnosisOf(of, namespace);
          return !found.healthy && found.causes.some(matches);
        },
        () => `${code} in ${JSON.stringify(found)}`,
        TIMEOUT_MS,
      );
    },
    // Longer than the wait, so that its own message appears.
    TIMEOUT_MS + 10_000,
  );

  it('finds no cause of a healthy Pod', async () => {
    await cluster.kubectl('wait', '-n', NAMESPACE, '--for=condition=Ready', 'pod/healthy', '--timeout=60s');
    expect(await diagnosisOf('core/v1/pods/healthy')).toEqual({ healthy: true, causes: [] });
  });
}
