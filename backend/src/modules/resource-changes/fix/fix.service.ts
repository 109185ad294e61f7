import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { DomainError, invalidField, invalidInput } from '../../../core/errors/index.js';
import { pathOf } from '../../../core/security/index.js';
import { groupVersion, nullIfGone, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { DiagnosisService, type FixPlan, type OfferedFix } from '../../diagnosis/index.js';
import { ClusterImagesService } from '../../images/index.js';
import {
  ClusterResources,
  describeObject,
  hasRollout,
  isCronJob,
  isPaused,
  presentGroup,
  readableKind,
  yaml,
} from '../../resources/index.js';
import { ChangeJournal, type Changed } from '../change/change-journal.js';
import {
  findTarget,
  presentReference,
  type ChangeTarget,
  type ObjectAddress,
} from '../change/change-target.js';
import { rolloutWarnings, warningsOf } from '../change/change-warnings.js';
import { replaceChecked } from '../change/checked-replacement.js';
import { RemovalService } from '../change/removal.service.js';
import { ImageService } from '../image/image.service.js';
import { RolloutService } from '../rollout/rollout.service.js';
import type { FixedDto, FixRequestDto } from './fix.dto.js';

const RETRIED_AT = 'slipway/retried-at';

type Done = Omit<FixedDto, 'fix' | 'dry_run'>;
type Plan<TDo extends FixPlan['do']> = Extract<FixPlan, { do: TDo }>;

/** Applies the fixes that a diagnosis offers, by the services that make such changes without a cause. */
@Injectable()
export class FixService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly diagnoses: DiagnosisService,
    private readonly images: ClusterImagesService,
    private readonly imageChanges: ImageService,
    private readonly removals: RemovalService,
    private readonly rollouts: RolloutService,
    private readonly journal: ChangeJournal,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @throws DomainError `resource_conflict` if the diagnosis does not offer the fix, `invalid_input` for a wrong parameter,
   * or as the change that the fix makes
   */
  async apply(
    address: ObjectAddress,
    { fix: code, container, parameters = {}, dry_run: dryRun = false }: FixRequestDto,
  ): Promise<FixedDto> {
    const { cluster: name, runtime, namespace, ...path } = address;
    const offered = await this.diagnoses.fixes({ name, runtime }, path, namespace);
    const fix = chosenOf(
      offered.filter((each) => each.code === code),
      container,
      offered,
    );
    const plan = fix.plan(valuesOf(fix, parameters));
    return { fix: code, ...(await this.carryOut(plan, { name, runtime }, dryRun)), dry_run: dryRun };
  }

  private async carryOut(
    plan: FixPlan,
    cluster: { name: string; runtime: string | undefined },
    dryRun: boolean,
  ): Promise<Done> {
    if (plan.do === 'load-image') return await this.load(plan, cluster, dryRun);
    const address = await this.addressOf(plan.object, cluster);
    switch (plan.do) {
      case 'replace':
      case 'create': {
        const done =
          plan.do === 'replace'
            ? await this.replace(plan, address, dryRun)
            : await this.create(plan, address, dryRun);
        if (plan.retry && !dryRun) await this.retry(plan.retry, cluster);
        return done;
      }
      case 'remove':
        return await this.remove(plan, address, dryRun);
      case 'change-image': {
        const { container, image } = plan;
        const request = { images: [{ container, image }], accept_missing: true };
        return resultOf(await this.imageChanges.change(address, request, dryRun));
      }
      case 'roll-back':
        return resultOf(await this.rollouts.undo(address, plan.revision, dryRun));
    }
  }

  private async replace(
    { object, change, done }: Plan<'replace'>,
    address: ObjectAddress,
    dryRun: boolean,
  ): Promise<Done> {
    const target = await findTarget(this.resources, address);
    const { cluster, reference, type } = target;
    const what = describeObject(type, reference);
    const work = async (): Promise<Changed<Done>> => {
      const stored = await target.api.read(reference);
      if (stored.metadata.uid !== object.metadata.uid) {
        throw new DomainError('resource_conflict', `Could not fix ${what}. It was created again meanwhile.`);
      }
      const replaced = await replaceChecked(target, stored, change, dryRun);
      const changed = replaced.outcome === 'configured';
      const message = changed ? `${done}${effectOf(target)}` : 'It already has this value.';
      const warnings = [...workloadWarnings(target, stored), ...replaced.warnings];
      return {
        result: resultOf({ ...replaced, message, warnings }),
        message: changed ? `Fixed ${what}: ${done}` : null,
        diff: replaced,
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      { kind: 'resource-edit', cluster, reference, failure: `could not fix ${what}` },
      work,
    );
  }

  private async create({ object }: Plan<'create'>, address: ObjectAddress, dryRun: boolean): Promise<Done> {
    const { api, cluster, reference, type } = await findTarget(this.resources, address);
    const what = describeObject(type, reference);
    if (await api.read(reference).catch(nullIfGone)) {
      throw new DomainError('resource_conflict', `Could not create ${what}. It already exists.`);
    }
    const work = async (): Promise<Changed<Done>> => {
      const { object: written, warnings } = await api.apply(reference, object, { dryRun });
      const { after } = await yaml.diffObjects(null, written);
      return {
        result: {
          ...{ outcome: 'created', object: presentReference(type, reference), before: null, after },
          ...{ message: `Created ${what}.`, warnings: [...warningsOf(reference), ...warnings], job: null },
        },
        message: `Created ${what}.`,
        diff: { before: null, after },
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      { kind: 'resource-apply', cluster, reference, failure: `could not create ${what}` },
      work,
    );
  }

  /** Lets the controller of an object try again: it does so after each change of the object. */
  private async retry(
    object: KubernetesObject,
    cluster: { name: string; runtime: string | undefined },
  ): Promise<void> {
    const annotations = { [RETRIED_AT]: new Date().toISOString() };
    try {
      const { api, reference } = await findTarget(this.resources, await this.addressOf(object, cluster));
      await api.patch(reference, 'merge', { metadata: { annotations } });
    } catch (error) {
      // The fix is done, and the controller tries again later anyway.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  private async remove({ object }: Plan<'remove'>, address: ObjectAddress, dryRun: boolean): Promise<Done> {
    // The kubelet does not confirm the end of a stuck Pod, so the API server must not wait for it.
    const request = { propagation: 'background', gracePeriodSeconds: 0, dryRun } as const;
    const { message, warnings, ...reference } = await this.removals.remove(address, request);
    const { before } = await yaml.diffObjects(object, object);
    return {
      ...{ outcome: 'deleted', object: reference, before, after: null },
      ...{ message, warnings, job: null },
    };
  }

  private async load(
    { image }: Plan<'load-image'>,
    { name, runtime }: { name: string; runtime: string | undefined },
    dryRun: boolean,
  ): Promise<Done> {
    const nothing = { object: null, before: null, after: null, warnings: [] };
    if (dryRun) {
      const message = `Loads ${image} of the container engine into the nodes of ${name} that lack it.`;
      return { ...nothing, outcome: 'started', message, job: null };
    }
    const { id, cluster } = await this.images.load(name, runtime, { images: [image] });
    const base = pathOf(this.configuration.values.publicUrl);
    const job = { job_id: id, cluster, status_url: `${base}/api/v1/jobs/${id}` };
    return { ...nothing, outcome: 'started', message: `Loading ${image} into the nodes of ${name}.`, job };
  }

  private async addressOf(
    { apiVersion, kind, metadata }: KubernetesObject,
    { name, runtime }: { name: string; runtime: string | undefined },
  ): Promise<ObjectAddress> {
    const { group, version } = groupVersion(apiVersion);
    const { api } = await this.resources.open(name, runtime);
    const type = await api.typeOfKind(group, kind);
    if (!type) {
      throw new DomainError('resource_refused', `The cluster does not serve ${readableKind(kind)}s.`);
    }
    return {
      ...{ cluster: name, runtime, group: presentGroup(group), version, plural: type.plural },
      ...{ namespace: metadata.namespace, object: metadata.name },
    };
  }
}

/** @param all those of other codes too, for the message */
function chosenOf(
  found: readonly OfferedFix[],
  container: string | undefined,
  all: readonly OfferedFix[],
): OfferedFix {
  const fitting = found.filter((each) => container === undefined || each.container === container);
  const [first] = fitting;
  if (!first) {
    const codes = [...new Set(all.map(({ code }) => code))].join(', ');
    throw new DomainError(
      'resource_conflict',
      `The state has changed: this fix is no longer possible. ${codes === '' ? 'Nothing can be fixed now.' : `Possible: ${codes}.`}`,
    );
  }
  if (fitting.some(({ changes }) => changes !== first.changes)) {
    const names = fitting.map((each) => each.container).join(', ');
    throw invalidField('container', `is required: several containers have this fix. Choose one of ${names}`);
  }
  return first;
}

/** @throws DomainError `invalid_input` */
function valuesOf(
  { parameters }: OfferedFix,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const unknown = Object.keys(given).filter((name) => !parameters.some((each) => each.name === name));
  const names = parameters.map(({ name }) => name).join(', ') || 'none';
  const values = parameters.map(
    (parameter) => [parameter, given[parameter.name] ?? parameter.default] as const,
  );
  const problems = values.flatMap(([{ name, choices, only_choices, check }, value]) => {
    const problem =
      typeof value !== 'string' || value.length > MAX_VALUE
        ? `must be a text of at most ${MAX_VALUE} characters`
        : only_choices && !choices.includes(value)
          ? `must be one of ${choices.join(', ')}`
          : check?.(value);
    return problem === undefined ? [] : [{ field: `parameters.${name}`, problem }];
  });
  problems.push(
    ...unknown.map((name) => ({
      field: `parameters.${name.slice(0, 100)}`,
      problem: `is unknown. Known: ${names}`,
    })),
  );
  if (problems.length > 0) throw invalidInput(problems);
  return Object.fromEntries(
    values.map(([{ name }, value]) => [name, typeof value === 'string' ? value : '']),
  );
}

/** Of a value of a ConfigMap, say. A request has at most 256 kB. */
const MAX_VALUE = 100_000;

/** As a sentence with a leading space. */
function effectOf({ type }: ChangeTarget): string {
  if (isCronJob(type)) return ' The next Job uses it.';
  return hasRollout(type) ? ' A rollout replaces the Pods.' : '';
}

function workloadWarnings({ type }: ChangeTarget, stored: KubernetesObject): string[] {
  const owner = stored.metadata.ownerReferences?.find(({ controller }) => controller);
  return [
    ...(owner ? [`It belongs to ${owner.kind} ${owner.name}, which may revert the change.`] : []),
    ...(isPaused(stored) ? ['Its rollout is paused. The change waits until it is resumed.'] : []),
    ...(hasRollout(type) ? rolloutWarnings(stored) : []),
  ];
}

function resultOf({
  outcome,
  before,
  after,
  message,
  warnings,
  ...reference
}: Pick<FixedDto, 'message' | 'warnings'> & {
  outcome: 'configured' | 'unchanged';
  before: string;
  after: string;
} & NonNullable<FixedDto['object']>): Done {
  const { group, version, plural, kind, namespace, name } = reference;
  return {
    ...{ outcome, before, after, message, warnings, job: null },
    object: { group, version, plural, kind, namespace, name },
  };
}
