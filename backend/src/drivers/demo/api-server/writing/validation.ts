import type { ApiType } from '../api-types.js';
import { isCronSchedule } from '../controllers/cron-schedule.js';
import { selects } from '../selectors.js';
import type {
  ApiObject,
  Budget,
  CronJob,
  Definition,
  Job,
  Pod,
  PodSpec,
  Service,
  Workload,
} from '../shapes.js';
import type { FieldError } from '../status.js';
import { sorted, without } from './merge-keys.js';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SUBDOMAIN_SAID =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_SAID =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const DNS_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_LABEL_SAID =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const QUALIFIED_SAID =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const CONFIG_KEY_SAID =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const RBAC = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];

/** What is wrong with an object, in the server's words; nothing where it can be kept. */
export function validate(object: ApiObject, type: ApiType): FieldError[] {
  return [...metadataErrors(object, type), ...(type.custom ? [] : kindErrors(object, type))];
}

/** What is wrong with replacing one object by another. */
export function validateChange(before: ApiObject, after: ApiObject, type: ApiType): FieldError[] {
  switch (type.plural) {
    case 'deployments':
    case 'replicasets':
    case 'daemonsets':
      return immutable(
        (before as Workload).spec?.selector,
        (after as Workload).spec?.selector,
        'spec.selector',
      );
    case 'statefulsets': {
      const {
        selector: was,
        serviceName: wasNamed,
        volumeClaimTemplates: had,
      } = (before as Workload).spec ?? {};
      const { selector, serviceName, volumeClaimTemplates } = (after as Workload).spec ?? {};
      return same([was, wasNamed, had], [selector, serviceName, volumeClaimTemplates])
        ? []
        : [
            forbidden(
              'spec',
              "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
            ),
          ];
    }
    case 'jobs':
      return immutable((before as Job).spec?.template, (after as Job).spec?.template, 'spec.template');
    case 'pods':
      return same(fixedPodSpec(before), fixedPodSpec(after))
        ? []
        : [
            forbidden(
              'spec',
              'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
            ),
          ];
    case 'services': {
      const [was, is] = [(before as Service).spec?.clusterIP, (after as Service).spec?.clusterIP];
      return was === undefined || was === is
        ? []
        : [wrong('spec.clusterIPs[0]', [is], 'may not change once set')];
    }
    case 'configmaps':
    case 'secrets': {
      const { immutable: fixed, data: was } = before as ApiObject & { immutable?: boolean; data?: object };
      const { data } = after as ApiObject & { data?: object };
      return fixed === true && !same(was, data)
        ? [forbidden('data', 'field is immutable when `immutable` is set')]
        : [];
    }
    default:
      return [];
  }
}

/** What the server says although it takes the object. */
export function warningsFor(object: ApiObject, type: ApiType): string[] {
  if (
    type.plural === 'ingresses' &&
    object.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined
  ) {
    return [
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ];
  }
  return [];
}

function metadataErrors({ metadata }: ApiObject, type: ApiType): FieldError[] {
  const { name } = metadata;
  const labels = Object.keys(metadata.labels ?? {})
    .filter((key) => !QUALIFIED.test(key.slice(key.indexOf('/') + 1)))
    .map((key) => wrong('metadata.labels', key, QUALIFIED_SAID));
  return [...nameErrors(name, type), ...labels];
}

function nameErrors(name: string, { plural }: ApiType): FieldError[] {
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  if (name.length > 253) return [wrong('metadata.name', name, 'must be no more than 253 bytes')];
  if (RBAC.includes(plural)) return [];
  if (plural === 'services') {
    return DNS_LABEL.test(name) ? [] : [wrong('metadata.name', name, DNS_LABEL_SAID)];
  }
  if (plural === 'namespaces') {
    if (LABEL.test(name)) return [];
    return [wrong('metadata.name', name, SUBDOMAIN.test(name) ? 'must not contain dots' : LABEL_SAID)];
  }
  return SUBDOMAIN.test(name) ? [] : [wrong('metadata.name', name, SUBDOMAIN_SAID)];
}

function kindErrors(object: ApiObject, { plural }: ApiType): FieldError[] {
  switch (plural) {
    case 'pods':
      return podErrors((object as Pod).spec, 'spec');
    case 'deployments':
    case 'replicasets':
    case 'statefulsets':
    case 'daemonsets':
      return workloadErrors(object);
    case 'jobs': {
      const { template } = (object as Job).spec ?? {};
      return [
        ...restartErrors(template?.spec, 'spec.template.spec'),
        ...podErrors(template?.spec, 'spec.template.spec'),
      ];
    }
    case 'cronjobs':
      return cronErrors(object);
    case 'services':
      return serviceErrors(object);
    case 'secrets':
      return [...keyErrors(object), ...dockerConfigErrors(object)];
    case 'configmaps':
      return keyErrors(object);
    case 'poddisruptionbudgets': {
      const { minAvailable, maxUnavailable } = (object as Budget).spec ?? {};
      return minAvailable !== undefined && maxUnavailable !== undefined
        ? [
            wrong(
              'spec',
              { minAvailable, maxUnavailable },
              'minAvailable and maxUnavailable cannot be both set',
            ),
          ]
        : [];
    }
    case 'customresourcedefinitions':
      return definitionErrors(object);
    default:
      return [];
  }
}

function workloadErrors({ spec, kind }: Workload): FieldError[] {
  const { replicas = 0, selector, template } = spec ?? {};
  const errors: FieldError[] = [];
  if (replicas < 0) errors.push(wrong('spec.replicas', replicas, 'must be greater than or equal to 0'));
  if (!selector) errors.push(required('spec.selector'));
  const labels = template?.metadata?.labels;
  if (kind !== 'ReplicaSet' || labels) {
    if (!selects(selector, labels)) {
      errors.push(
        wrong('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
      );
    }
  }
  return [...errors, ...podErrors(template?.spec, 'spec.template.spec')];
}

function podErrors(spec: PodSpec | undefined, path: string): FieldError[] {
  const { containers = [], restartPolicy = 'Always' } = spec ?? {};
  if (containers.length === 0) return [required(`${path}.containers`)];
  const names = new Set<string>();
  const errors = containers.flatMap(({ name = '', image = '' }, index) => {
    const at = `${path}.containers[${index}]`;
    const found: FieldError[] = [];
    if (name === '') found.push(required(`${at}.name`));
    else if (!LABEL.test(name)) found.push(wrong(`${at}.name`, name, LABEL_SAID));
    else if (names.has(name)) {
      found.push({
        field: `${at}.name`,
        message: `Duplicate value: ${JSON.stringify(name)}`,
        reason: 'FieldValueInvalid',
      });
    }
    names.add(name);
    if (image === '') found.push(required(`${at}.image`));
    return found;
  });
  const policies = ['Always', 'OnFailure', 'Never'];
  return policies.includes(restartPolicy)
    ? errors
    : [...errors, unsupported(`${path}.restartPolicy`, restartPolicy, policies)];
}

function restartErrors(spec: PodSpec | undefined, path: string): FieldError[] {
  return (spec?.restartPolicy ?? 'Always') === 'Always'
    ? [required(`${path}.restartPolicy`, 'valid values: "OnFailure", "Never"')]
    : [];
}

function cronErrors({ spec }: CronJob): FieldError[] {
  const { schedule = '', jobTemplate } = spec ?? {};
  const pod = jobTemplate?.spec?.template?.spec;
  const path = 'spec.jobTemplate.spec.template.spec';
  const parts = schedule.trim().split(/\s+/);
  const errors: FieldError[] = [];
  if (schedule === '') errors.push(required('spec.schedule'));
  else if (!isCronSchedule(schedule)) {
    const why =
      parts.length === 5
        ? `failed to parse: ${schedule}`
        : `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
    errors.push(wrong('spec.schedule', schedule, why));
  }
  return [...errors, ...restartErrors(pod, path), ...podErrors(pod, path)];
}

function serviceErrors({ spec }: Service): FieldError[] {
  if (spec?.type === 'ExternalName') return spec.externalName ? [] : [required('spec.externalName')];
  const { ports = [], clusterIP } = spec ?? {};
  if (ports.length === 0 && clusterIP !== 'None') return [required('spec.ports')];
  return ports.flatMap(({ port = 0, targetPort = port }, index) =>
    Object.entries({ port, targetPort })
      .filter(([, value]) => typeof value === 'number' && (value < 1 || value > 65_535))
      .map(([field, value]) =>
        wrong(`spec.ports[${index}].${field}`, value, 'must be between 1 and 65535, inclusive'),
      ),
  );
}

function keyErrors(object: ApiObject & { data?: object }): FieldError[] {
  return Object.keys(object.data ?? {})
    .filter((key) => !CONFIG_KEY.test(key))
    .map((key) => wrong(`data[${key}]`, key, CONFIG_KEY_SAID));
}

function dockerConfigErrors(
  secret: ApiObject & { type?: string; data?: Record<string, string> },
): FieldError[] {
  if (secret.type !== 'kubernetes.io/dockerconfigjson') return [];
  const value = secret.data?.['.dockerconfigjson'];
  if (value === undefined) return [required('data[.dockerconfigjson]')];
  try {
    JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
    return [];
  } catch {
    return [wrong('data[.dockerconfigjson]', '<secret contents redacted>', 'invalid JSON')];
  }
}

function definitionErrors({ metadata, spec }: Definition): FieldError[] {
  const { group = '', scope, names = {}, versions = [] } = spec ?? {};
  const errors: FieldError[] = [];
  if (metadata.name !== `${names.plural ?? ''}.${group}`) {
    errors.push(wrong('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'));
  }
  if (group === '') errors.push(required('spec.group'));
  if (scope === undefined) errors.push(required('spec.scope'));
  if (versions.filter(({ storage }) => storage === true).length !== 1) {
    errors.push(
      wrong(
        'spec.versions',
        versions.length === 0 ? null : versions.map(({ name }) => name),
        'must have exactly one version marked as storage version',
      ),
    );
  }
  if (names.plural === undefined) errors.push(required('spec.names.plural'));
  if (names.kind === undefined) errors.push(required('spec.names.kind'));
  return errors;
}

/** All of a pod's specification but what may change. */
function fixedPodSpec({ spec }: Pod): object {
  const { containers = [], initContainers = [] } = spec ?? {};
  const withoutImage = (list: typeof containers): object[] => list.map((one) => without(one, 'image'));
  return {
    ...without(spec ?? {}, 'tolerations', 'activeDeadlineSeconds'),
    containers: withoutImage(containers),
    initContainers: withoutImage(initContainers),
  };
}

function immutable(before: unknown, after: unknown, field: string): FieldError[] {
  return same(before, after) ? [] : [wrong(field, after, 'field is immutable')];
}

function wrong(field: string, value: unknown, why: string): FieldError {
  return { field, message: `Invalid value: ${JSON.stringify(value)}: ${why}`, reason: 'FieldValueInvalid' };
}

function required(field: string, why = ''): FieldError {
  return { field, message: `Required value${why === '' ? '' : `: ${why}`}`, reason: 'FieldValueRequired' };
}

function unsupported(field: string, value: string, supported: readonly string[]): FieldError {
  const said = supported.map((one) => JSON.stringify(one)).join(', ');
  return {
    field,
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${said}`,
    reason: 'FieldValueNotSupported',
  };
}

function forbidden(field: string, why: string): FieldError {
  return { field, message: `Forbidden: ${why}`, reason: 'FieldValueForbidden' };
}

/** Equal whatever the order of their fields. */
function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify([sorted(value)]);
}
