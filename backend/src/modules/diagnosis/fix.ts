import { DomainError } from '../../core/errors/index.js';
import { isRecord, recordOf } from '../../core/values/index.js';
import { groupVersion, type KubernetesObject, type ResourceApi } from '../../drivers/kubernetes/index.js';
import type { ClusterImagesService } from '../images/index.js';
import { podSpecPath } from '../resources/index.js';
import { ownersOf } from './collect-facts.js';
import type { FixCode, FixParameterDto } from './diagnosis.dto.js';
import type { Cause } from './explain.js';
import type { Facts } from './facts.js';

/** A value that the user may choose before a fix is applied. */
export interface FixParameter extends FixParameterDto {
  /** @returns what the value must be; undefined if it is valid */
  check?: (value: string) => string | undefined;
}

/** A parameter with any value that `check` accepts. */
export function parameter(
  name: string,
  label: string,
  value: string,
  more: Partial<FixParameter> = {},
): FixParameter {
  return { name, label, default: value, choices: [], only_choices: false, secret: false, ...more };
}

/** The change of a fix. Each is done by the part of Slipway that does the same without a cause. */
export type FixPlan =
  | ({ do: 'replace'; object: KubernetesObject; change: Change; done: string } & Retry)
  | ({ do: 'create'; object: KubernetesObject } & Retry)
  | { do: 'remove'; object: KubernetesObject }
  | { do: 'change-image'; object: KubernetesObject; container: string; image: string }
  | { do: 'load-image'; image: string }
  | { do: 'roll-back'; object: KubernetesObject; revision: number };

interface Retry {
  /** Whose controller does not notice the change, and would try again only after up to 17 minutes. */
  retry?: KubernetesObject;
}

/** Returns the object to write, made of the stored one. */
export type Change = (stored: KubernetesObject) => KubernetesObject;

/** A change that removes a cause. */
export interface Fix {
  code: FixCode;
  /** Verb phrase of its button. */
  label: string;
  /** The object and the field that it changes. */
  changes: string;
  parameters: FixParameter[];
  /** @param values of all parameters */
  plan: (values: Readonly<Record<string, string>>) => FixPlan;
}

/** A cause with its facts, and what can be looked up to fix it. */
export interface Situation {
  cause: Cause;
  facts: Facts;
  api: ResourceApi;
  /** Whose Pod template is the origin of the object; undefined without one that can be changed. */
  workload: KubernetesObject | undefined;
  images: ClusterImagesService;
  cluster: { name: string; runtime: string };
}

/** The Deployment, StatefulSet, DaemonSet or CronJob from which an object was made, or which it is. */
export async function workloadOf(
  api: ResourceApi,
  object: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const chain = [object, ...(await ownersOf(api, object, 2))];
  return chain.reverse().find((each) => templatePathOf(each) !== undefined);
}

/** Where an object has the spec of its Pods. */
function templatePathOf({ apiVersion, kind }: KubernetesObject): readonly string[] | undefined {
  return podSpecPath({ group: groupVersion(apiVersion).group, plural: `${kind.toLowerCase()}s` });
}

/** The spec of the Pods of a workload, as it is stored. */
export function podSpecOf(workload: KubernetesObject): Record<string, unknown> {
  return (templatePathOf(workload) ?? []).reduce<Record<string, unknown>>(
    (part, field) => recordOf(part[field]),
    workload,
  );
}

/** A container of the Pod template, as it is stored. */
export function templateContainer(
  workload: KubernetesObject,
  name: string | undefined,
): Record<string, unknown> | undefined {
  return containersIn(podSpecOf(workload)).find((container) => container['name'] === name);
}

/** A change of the Pod template. @param edit changes the spec in place */
export function changePodSpec(edit: (spec: Record<string, unknown>) => void): Change {
  return (stored) => {
    const draft = structuredClone(stored);
    edit(podSpecOf(draft));
    return draft;
  };
}

/**
 * A change of one container of the Pod template.
 * @param edit changes it in place
 * @throws DomainError `resource_conflict` if the template no longer has the container
 */
export function changeContainer(name: string, edit: (container: Record<string, unknown>) => void): Change {
  return changePodSpec((spec) => {
    const container = containersIn(spec).find((each) => each['name'] === name);
    if (!container) {
      throw new DomainError('resource_conflict', `The Pod template no longer has the container ${name}.`);
    }
    edit(container);
  });
}

/** "Deployment shop/web" */
export function titleOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** The containers of a Pod spec, as they are stored. */
export function containersIn(spec: Record<string, unknown>): Record<string, unknown>[] {
  return ['containers', 'initContainers'].flatMap((field) => {
    const found = spec[field];
    return Array.isArray(found) ? found.filter(isRecord) : [];
  });
}
