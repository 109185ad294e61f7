import { Injectable } from '@nestjs/common';
import { shortened } from '../../core/values/index.js';
import {
  groupVersion,
  type KubernetesObject,
  type PodLogs,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import { ClusterImagesService } from '../images/index.js';
import { plainText } from '../log-lines/index.js';
import {
  ClusterResources,
  type ObjectParameters,
  presentGroup,
  referenceTo,
  typeName,
} from '../resources/index.js';
import { collectFacts } from './collect-facts.js';
import type { CauseDto, DiagnosisDto, EvidenceDto } from './diagnosis.dto.js';
import { findCauses, isHealthy, type Cause } from './explain.js';
import type { Facts } from './facts.js';
import type { Fix } from './fix.js';
import { findFixes } from './fixes.js';
import { lastLines } from './last-lines.js';

const MAX_CAUSES = 10;
const MAX_LOGS = 3;
const MAX_TEXT = 1000;

export interface FoundCause extends Cause {
  /** About its object. */
  facts: Facts;
  object: KubernetesObject;
  count: number;
}

/** A cause with the changes that can remove it. */
interface FixableCause extends FoundCause {
  fixes: Fix[];
}

interface Found {
  api: ResourceApi;
  healthy: boolean;
  causes: FixableCause[];
}

export interface OfferedFix extends Fix {
  /** Of the cause. */
  container: string | undefined;
}

interface ClusterName {
  name: string;
  runtime: string | undefined;
}

/** Explains why an object is unhealthy: collects what the rules read, and applies them. */
@Injectable()
export class DiagnosisService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly images: ClusterImagesService,
  ) {}

  /** @throws DomainError as `ClusterResources.open` and `ResourceApi.read` */
  async diagnose(
    cluster: ClusterName,
    path: ObjectParameters,
    namespace: string | undefined,
  ): Promise<DiagnosisDto> {
    const { api, healthy, causes } = await this.find(cluster, path, namespace);
    const withLog = causes.filter(({ log }) => log !== undefined).slice(0, MAX_LOGS);
    const logs = withLog.length > 0 ? await this.resources.podLogs(cluster.name, cluster.runtime) : null;
    return {
      healthy,
      causes: await Promise.all(
        causes.map((cause) => presentCause(api, cause, withLog.includes(cause) ? logs : null)),
      ),
    };
  }

  /** The fixes of all causes. @throws DomainError as `diagnose` */
  async fixes(
    cluster: ClusterName,
    path: ObjectParameters,
    namespace: string | undefined,
  ): Promise<OfferedFix[]> {
    const { causes } = await this.find(cluster, path, namespace);
    return causes.flatMap(({ container, fixes }) => fixes.map((fix) => ({ ...fix, container })));
  }

  private async find(
    { name, runtime }: ClusterName,
    path: ObjectParameters,
    namespace: string | undefined,
  ): Promise<Found> {
    const { api, cluster } = await this.resources.open(name, runtime);
    const type = await api.type(typeName(path));
    const object = await api.read(referenceTo(type, path.object, namespace));
    const { healthy, causes } = await causesOf(api, object);
    return {
      api,
      healthy,
      causes: await Promise.all(
        causes.map(async (cause) => {
          const situation = { cause, facts: cause.facts, api, images: this.images, cluster };
          return { ...cause, fixes: await findFixes(situation) };
        }),
      ),
    };
  }
}

/** The causes of an unhealthy object, the first one first. @throws DomainError as `ResourceApi.list` */
export async function causesOf(
  api: ResourceApi,
  object: KubernetesObject,
): Promise<{ healthy: boolean; causes: readonly FoundCause[] }> {
  const facts = await collectFacts(api, object);
  const unhealthy = facts.filter((each) => !isHealthy(each));
  return { healthy: unhealthy.length === 0, causes: decisive(grouped(unhealthy)).slice(0, MAX_CAUSES) };
}

/** The same cause of several Pods once. Others say different things by the same code. */
function grouped(unhealthy: readonly Facts[]): FoundCause[] {
  const causes = new Map<string, FoundCause>();
  for (const facts of unhealthy) {
    const { object } = facts;
    for (const cause of findCauses(facts)) {
      const words = cause.code === 'reported_failure' && object.kind !== 'Pod' ? cause.message : '';
      const key = JSON.stringify([object.kind, cause.code, cause.container, words]);
      const known = causes.get(key);
      if (known) known.count += 1;
      else causes.set(key, { ...cause, facts, object, count: 1 });
    }
  }
  return [...causes.values()];
}

/** Leaves out reports of workloads and owners if a Pod or another rule says more: they only repeat it. */
function decisive(causes: readonly FoundCause[]): readonly FoundCause[] {
  const found = causes.filter(({ code, object }) => code !== 'reported_failure' || object.kind === 'Pod');
  return found.length > 0 ? found : causes;
}

/**
 * @param cause with its fixes, where they are offered
 * @param logs to quote the last lines of a container; null to leave them out
 */
export async function presentCause(
  api: ResourceApi,
  cause: FoundCause & { fixes?: readonly Fix[] },
  logs: PodLogs | null,
): Promise<CauseDto> {
  const { code, message, object, container = null, count, evidence, nextStep, fixes = [] } = cause;
  const { group, version } = groupVersion(object.apiVersion);
  const { namespace = null, name } = object.metadata;
  const type = await api.typeOfKind(group, object.kind);
  return {
    code,
    message: textOf(message),
    object: {
      group: presentGroup(group),
      version,
      kind: object.kind,
      plural: type?.plural ?? '',
      namespace,
      name,
    },
    container,
    count,
    evidence: [
      ...evidence.map((each) => ({ ...each, text: textOf(each.text) })),
      ...(await logEvidence(cause, logs)),
    ],
    next_step: nextStep,
    fixes: fixes.map(({ code: fix, label, changes, parameters }) => ({
      ...{ code: fix, label, changes: textOf(changes) },
      parameters: parameters.map(({ check: _, ...parameter }) => parameter),
    })),
  };
}

async function logEvidence(
  { object, container = '', log }: FoundCause,
  logs: PodLogs | null,
): Promise<EvidenceDto[]> {
  if (logs === null) return [];
  const { namespace = '', name } = object.metadata;
  const text = await lastLines(logs, { namespace, name }, { container, previous: log === 'previous' });
  return text === '' ? [] : [{ source: 'log', text, time: null }];
}

/** Texts of the cluster, bounded and without escape sequences. */
function textOf(text: string): string {
  return shortened(plainText(text), MAX_TEXT);
}
