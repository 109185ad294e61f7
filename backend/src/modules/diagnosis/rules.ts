import { asSentence } from '../../core/errors/index.js';
import { labels } from '../../core/parsing/index.js';
import { hasCondition, selectorText, specOf, statusOf } from '../../drivers/kubernetes/index.js';
import { pullRefusal, type PullRefusal } from '../../drivers/runtime/index.js';
import type { CauseCode, EvidenceDto } from './diagnosis.dto.js';
import { eventEvidence, type Facts } from './facts.js';
import {
  BINDING_FAILURES,
  creationRefusal,
  eachContainer,
  endOf,
  eventsWith,
  hasPort,
  missingReference,
  phaseOf,
  probeFailure,
  restartsText,
  state,
  stateOf,
  uncapitalized,
  whileUnschedulable,
  type Finding,
} from './findings.js';

export interface Rule {
  code: CauseCode;
  /** Built-in kinds of objects to which it applies; all kinds if absent. */
  kinds?: readonly string[];
  find: (facts: Facts) => Finding[];
  nextStep: string;
}

const CREATORS = ['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'];
const PULL_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ErrImageInspect',
  'RegistryUnavailable',
];
const PULL_STEPS: Readonly<Record<PullRefusal['code'], string>> = {
  limited: 'Try again later, load the image from this machine, or add imagePullSecrets for the registry.',
  unreachable: 'Load the image from this machine, set an image that the nodes have, or check the network.',
  missing: 'Correct the name or the tag of the image, or load it from this machine.',
  forbidden:
    'Check the name of the image, add imagePullSecrets for the registry, or load it from this machine.',
};
const START_REASONS = ['RunContainerError', 'CreateContainerError', 'StartError', 'ContainerCannotRun'];
const NODE_REFUSALS = ['OutOfcpu', 'OutOfmemory', 'OutOfpods', 'Evicted'];

const EXIT_CODES: Readonly<Record<number, string>> = {
  126: 'the command is not executable',
  127: 'the command does not exist',
  128: 'the command could not be started',
  134: 'SIGABRT',
  137: 'SIGKILL',
  139: 'SIGSEGV: invalid memory access',
  143: 'SIGTERM',
};

/** In the words of the scheduler. */
const SCHEDULING_CONSTRAINTS: readonly (readonly [RegExp, string])[] = [
  [/didn't match Pod's node affinity/, 'no node matches its nodeSelector or node affinity'],
  [/volume node affinity conflict/, 'its volume is on another node'],
  [/pod anti-affinity/, 'its anti-affinity excludes the nodes'],
  [/pod affinity rules/, 'no node matches its Pod affinity'],
  [/pod topology spread/, 'its topology spread constraints exclude the nodes'],
  [/untolerated taint/, 'it does not tolerate the taints of the nodes'],
  [/were unschedulable/, 'nodes are cordoned'],
  [/free ports for the requested pod ports/, 'its host ports are in use'],
];

/**
 * Why an object is unhealthy. The first rule that finds a cause for a container, or for the object, wins: causes that
 * explain others come first.
 */
export const RULES: readonly Rule[] = [
  {
    code: 'image_pull',
    kinds: ['Pod'],
    find: eachContainer(({ title, image, waiting, events }) => {
      if (!PULL_REASONS.includes(waiting.reason ?? '')) return false;
      const failed = eventsWith(events, ['Failed'], /pull image/i);
      const inState = pullRefusal(image, waiting.message ?? '');
      const refusal = inState ?? pullRefusal(image, failed[0]?.text ?? '');
      const reason = refusal ? `because ${refusal.text}` : `(${waiting.reason})`;
      return {
        message: `${title} cannot start: image ${image} cannot be pulled ${reason}.`,
        // The event says the same as such a state.
        evidence: [stateOf(waiting), ...(inState ? [] : failed)],
        ...(refusal && { nextStep: PULL_STEPS[refusal.code] }),
      };
    }),
    nextStep:
      'Check the name and tag of the image. Load an image of this machine into the cluster on the Images page, or add imagePullSecrets for a private registry.',
  },
  {
    code: 'config_map_missing',
    kinds: ['Pod'],
    find: missingReference('ConfigMap', /configmap "([^"]{1,253})" not found/i, [
      /couldn't find key (\S{1,253}) in ConfigMap (\S{1,320})/,
      /configmap references non-existent config key: (\S{1,253})/,
    ]),
    nextStep: 'Create the ConfigMap or the key in the same namespace, or correct the reference in the Pod.',
  },
  {
    code: 'secret_missing',
    kinds: ['Pod'],
    find: missingReference('Secret', /secret "([^"]{1,253})" not found/i, [
      /couldn't find key (\S{1,253}) in Secret (\S{1,320})/,
      /references non-existent secret key: (\S{1,253})/,
    ]),
    nextStep: 'Create the Secret or the key in the same namespace, or correct the reference in the Pod.',
  },
  {
    code: 'out_of_memory',
    kinds: ['Pod'],
    find: eachContainer(
      ({ title, isDown, ended, endedInstance, limits, restarts }) =>
        isDown &&
        ended?.reason === 'OOMKilled' && {
          message: `${title} was killed because it exceeded ${limits['memory'] === undefined ? 'its memory limit' : `its memory limit of ${limits['memory']}`} (OOMKilled)${restartsText(restarts)}.`,
          evidence: [endOf(ended)],
          log: endedInstance,
        },
    ),
    nextStep: 'Raise resources.limits.memory of the container, or reduce the memory that the program uses.',
  },
  {
    code: 'probe',
    kinds: ['Pod'],
    find: eachContainer((container) => {
      const failure = probeFailure(container);
      return (
        failure && {
          message: `The ${failure.probe} probe of ${uncapitalized(container.title)} fails, so ${failure.effect}${restartsText(container.restarts)}.`,
          evidence: [eventEvidence(failure.event), ...(container.ended ? [endOf(container.ended)] : [])],
          ...(failure.probe !== 'readiness' && { log: container.endedInstance }),
        }
      );
    }),
    nextStep:
      'Check that the program responds on the path and port of the probe, and whether the probe allows enough time (initialDelaySeconds, timeoutSeconds, failureThreshold).',
  },
  {
    code: 'crash',
    kinds: ['Pod'],
    find: eachContainer(({ title, waiting, isDown, ended, endedInstance, restarts, events }) => {
      if (START_REASONS.includes(waiting.reason ?? '') && !ended) {
        return {
          message: `${title} cannot be started (${waiting.reason}).`,
          evidence: [stateOf(waiting)],
          nextStep: 'Check the command, the arguments and the mounts of the container.',
        };
      }
      if (!isDown || !ended || ended.reason === 'Unknown') return undefined;
      const { exitCode = 0 } = ended;
      const meaning = EXIT_CODES[exitCode] === undefined ? '' : ` (${EXIT_CODES[exitCode]})`;
      return {
        message: `${title} exited with code ${exitCode}${meaning}${restartsText(restarts)}.`,
        evidence: [endOf(ended), ...eventsWith(events, ['BackOff'])],
        log: endedInstance,
        ...(exitCode === 0 && {
          nextStep: 'Run a command that does not end, or use a Job for a task that ends.',
        }),
      };
    }),
    nextStep: 'Read the last lines of its log, then correct the program, its command or its configuration.',
  },
  {
    code: 'volume_claim_unbound',
    kinds: ['Pod'],
    find: (facts) =>
      whileUnschedulable((text) => {
        const [, missing] = /persistentvolumeclaim "([^"]{1,253})" not found/i.exec(text) ?? [];
        if (missing !== undefined) return `PersistentVolumeClaim ${missing} does not exist`;
        if (!/unbound immediate PersistentVolumeClaims/i.test(text)) return undefined;
        const unbound = facts.related.filter(({ object }) => phaseOf(object) !== 'Bound');
        return `PersistentVolumeClaim ${unbound.map(({ object }) => object.metadata.name).join(', ')} is not bound`;
      })(facts).map((finding) => ({
        ...finding,
        evidence: [
          ...finding.evidence,
          ...facts.related.flatMap(({ events }) => eventsWith(events, BINDING_FAILURES)),
        ],
      })),
    nextStep:
      'Open the PersistentVolumeClaim and correct its StorageClass, create a matching PersistentVolume, or create the claim.',
  },
  {
    code: 'volume_claim_unbound',
    kinds: ['PersistentVolumeClaim'],
    find: (facts) => {
      const { object } = facts;
      const failed = eventsWith(facts.events, BINDING_FAILURES);
      const { storageClassName } = specOf(object);
      if (phaseOf(object) === 'Bound' || (failed.length === 0 && storageClassName !== undefined)) return [];
      const cause = storageClassName
        ? `its StorageClass ${storageClassName} provides no volume`
        : 'it has no StorageClass, and no PersistentVolume matches';
      return [
        {
          message: `The PersistentVolumeClaim is not bound: ${cause}.`,
          evidence: [state(`Phase: ${phaseOf(object)}`), ...failed],
        },
      ];
    },
    nextStep:
      'Use a StorageClass that exists (in kind: standard), or create a PersistentVolume that matches.',
  },
  {
    code: 'insufficient_resources',
    kinds: ['Pod'],
    find: whileUnschedulable((text) => {
      const lacking = [...text.matchAll(/Insufficient ([\w./-]{0,99}\w)/g)].map(([, name]) =>
        name === 'cpu' ? 'CPU' : name,
      );
      if (lacking.length > 0) return `no node has enough free ${[...new Set(lacking)].join(' and ')}`;
      return /Too many pods/.test(text) ? 'no node can run more Pods' : undefined;
    }),
    nextStep:
      'Lower resources.requests, delete Pods that are not needed, or use a cluster with more nodes or resources.',
  },
  {
    code: 'insufficient_resources',
    kinds: ['Pod'],
    find: ({ object }) => {
      const { reason = '', message = '' } = statusOf(object);
      if (!NODE_REFUSALS.includes(reason)) return [];
      return [
        {
          message: `The node could not run the Pod: it has too little CPU, memory or disk (${reason}).`,
          evidence: [state(`${reason}: ${message}`)],
        },
      ];
    },
    nextStep:
      'Lower the usage of the node, or set resources.requests so that the scheduler chooses a node with enough resources.',
  },
  {
    code: 'scheduling_constraint',
    kinds: ['Pod'],
    find: whileUnschedulable((text) => {
      const constraints = SCHEDULING_CONSTRAINTS.filter(([pattern]) => pattern.test(text)).map(
        ([, name]) => name,
      );
      return constraints.length === 0 ? undefined : constraints.join('; ');
    }),
    nextStep:
      'Add a toleration, change nodeSelector or affinity of the Pod, or change labels and taints of a node.',
  },
  {
    code: 'quota_exceeded',
    kinds: CREATORS,
    find: (facts) => {
      const { object } = facts;
      const refusal = creationRefusal(facts, /\bquota\b/);
      if (!refusal) return [];
      const [, quota = ''] = /(?:exceeded|failed) quota: ([^,:\s]{1,253})/.exec(refusal.text) ?? [];
      return [
        {
          message: `${object.kind} ${object.metadata.name} cannot create Pods: ResourceQuota ${quota} does not allow more.`,
          evidence: [refusal.evidence],
        },
      ];
    },
    nextStep:
      'Raise the ResourceQuota, delete objects that count towards it, or lower replicas, requests or limits.',
  },
  {
    code: 'job_deadline',
    kinds: ['Job'],
    find: ({ object }) => {
      const failed = statusOf(object).conditions?.find(
        ({ type, reason }) => type === 'Failed' && reason === 'DeadlineExceeded',
      );
      if (!failed) return [];
      const { activeDeadlineSeconds } = specOf(object);
      return [
        {
          message: `The Job did not complete within its activeDeadlineSeconds of ${activeDeadlineSeconds ?? '?'} s, so its Pods were deleted.`,
          evidence: [state(`DeadlineExceeded: ${failed.message ?? ''}`)],
        },
      ];
    },
    nextStep:
      'Read the logs of its deleted Pods in the log board. Then raise activeDeadlineSeconds, or make the task faster.',
  },
  {
    code: 'pods_not_created',
    kinds: CREATORS,
    find: (facts) => {
      const { kind, metadata } = facts.object;
      const refusal = creationRefusal(facts);
      if (!refusal) return [];
      return [
        {
          message: asSentence(`${kind} ${metadata.name} cannot create Pods: ${refusal.text}`),
          evidence: [refusal.evidence],
        },
      ];
    },
    nextStep:
      'Correct the Pod template, or what refuses it: the policy of the namespace, a missing ServiceAccount, a LimitRange, or an admission webhook that does not respond.',
  },
  {
    code: 'no_endpoints',
    kinds: ['Service'],
    find: ({ object, related }) => {
      const { ports = [], publishNotReadyAddresses = false, ...spec } = specOf(object);
      const selector = labels(spec.selector) ?? {};
      const selected = related.map((pod) => pod.object);
      if (Object.keys(selector).length === 0) return [];
      const written = selectorText({ matchLabels: selector });
      const evidence: EvidenceDto[] = [state(`Selector: ${written}`)];
      if (selected.length === 0) {
        return [
          { message: `The Service has no endpoints: no Pod matches its selector ${written}.`, evidence },
        ];
      }
      const isUnknown = ({ targetPort }: (typeof ports)[number]): boolean =>
        typeof targetPort === 'string' && !selected.some((pod) => hasPort(pod, targetPort));
      if (ports.length > 0 && ports.every(isUnknown)) {
        const names = ports.map(({ targetPort }) => targetPort).join(', ');
        return [
          {
            message: `The Service has no endpoints: no container has a port with the name ${names}.`,
            evidence,
            nextStep: 'Correct targetPort of the Service, or name the port of the container.',
          },
        ];
      }
      if (selected.some((pod) => publishNotReadyAddresses || hasCondition(pod, 'Ready'))) return [];
      return [
        {
          message: `The Service has no endpoints: none of its ${selected.length} Pods is ready.`,
          evidence,
          nextStep: 'Find out why its Pods are not ready.',
        },
      ];
    },
    nextStep: 'Correct the selector of the Service or the labels of the Pods, or create the Pods.',
  },
];
