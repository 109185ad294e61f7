import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { specOf, statusOf, templateOf, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import {
  ClusterResources,
  describeObject,
  isCronJob,
  isEnded,
  isJob,
  isSuspended,
  readableKind,
  yaml,
} from '../../resources/index.js';
import { ChangeJournal, type Changed } from '../change/change-journal.js';
import { findTarget, presentReference, type ObjectAddress } from '../change/change-target.js';
import { warningsOf } from '../change/change-warnings.js';
import type { RunCronJobDto, SuspendedDto } from './batch.dto.js';

const JOBS = { group: 'batch', version: 'v1', plural: 'jobs' };
/** As `kubectl create job --from` sets it. */
const MANUAL = { 'cronjob.kubernetes.io/instantiate': 'manual' };
/** Names of Jobs have at most 63 characters: they are a label of their Pods. */
const MAX_PREFIX = 48;
/** Those of generated names in Kubernetes. */
// cspell:disable-next-line
const SUFFIX_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';

@Injectable()
export class BatchService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /** Creates a Job of a CronJob, as `kubectl create job --from` does. @throws DomainError `resource_refused` for other kinds */
  async run(address: ObjectAddress, dryRun: boolean): Promise<RunCronJobDto> {
    const { api, cluster, type, reference } = await findTarget(this.resources, address);
    if (!isCronJob(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} cannot be run. Only CronJobs can.`,
      );
    }
    const stored = await api.read(reference);
    const job = jobOf(stored);
    const { name } = job.metadata;
    const create = async (): Promise<Changed<RunCronJobDto>> => {
      const { object, warnings } = await api.apply({ ...reference, ...JOBS, name }, job, { dryRun });
      return {
        result: {
          ...presentReference(type, reference),
          job: name,
          message: dryRun ? `Would create the Job ${name}.` : `Created the Job ${name}.`,
          warnings: [...overlapWarnings(stored), ...warningsOf(reference), ...warnings],
          dry_run: dryRun,
        },
        message: `Ran ${what}: created the job ${name}.`,
        diff: await yaml.diffObjects(null, object),
      };
    };
    const what = describeObject(type, reference);
    if (dryRun) return (await create()).result;
    return await this.journal.during(
      { kind: 'cronjob-run', cluster, reference, failure: `could not run ${what}` },
      create,
    );
  }

  /** @throws DomainError `resource_refused` for other kinds, and for a Job that has ended */
  async suspend(address: ObjectAddress, suspend: boolean, dryRun: boolean): Promise<SuspendedDto> {
    const { api, cluster, type, reference } = await findTarget(this.resources, address);
    const verb = suspend ? 'suspend' : 'resume';
    if (!isCronJob(type) && !isJob(type)) {
      throw new DomainError(
        'resource_refused',
        `A ${readableKind(type.kind)} cannot be ${verb === 'resume' ? 'resumed' : 'suspended'} here. Only Jobs and CronJobs can.`,
      );
    }
    const stored = await api.read(reference);
    const what = describeObject(type, reference);
    if (isJob(type) && isEnded(stored)) {
      throw new DomainError('resource_refused', `Could not ${verb} ${what}. It has already ended.`);
    }
    const isSame = isSuspended(stored) === suspend;
    const change = async (): Promise<Changed<SuspendedDto>> => {
      const { object, warnings } = isSame
        ? { object: stored, warnings: [] }
        : await api.patch(reference, 'merge', { spec: { suspend } }, { dryRun });
      return {
        result: {
          ...presentReference(type, reference),
          suspended: suspend,
          message: isSame
            ? suspend
              ? 'Already suspended.'
              : 'Not suspended.'
            : messageOf(isJob(type), suspend),
          warnings: [...warningsOf(reference), ...warnings],
          dry_run: dryRun,
        },
        message: isSame ? null : `${suspend ? 'Suspended' : 'Resumed'} ${what}.`,
        diff: await yaml.diffObjects(stored, object),
      };
    };
    if (dryRun) return (await change()).result;
    return await this.journal.during(
      { kind: `job-${verb}`, cluster, reference, failure: `could not ${verb} ${what}` },
      change,
    );
  }
}

function messageOf(isOfJob: boolean, suspend: boolean): string {
  if (isOfJob) {
    return suspend ? 'Suspended. Its running pods are terminated.' : 'Resumed. Its pods are started.';
  }
  return suspend ? 'Suspended. Jobs that are running continue.' : 'Resumed. The next Job starts on schedule.';
}

function jobOf(cronJob: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata } = cronJob;
  const { name, namespace, uid = '' } = metadata;
  const { metadata: given = {}, spec } = templateOf(specOf(cronJob).jobTemplate);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name.slice(0, MAX_PREFIX).replace(/(?<![-.])[-.]+$/, '')}-manual-${suffix()}`,
      namespace,
      labels: { ...given.labels },
      annotations: { ...given.annotations, ...MANUAL },
      // Without blockOwnerDeletion, as with kubectl: that would need a permission on the finalizers of CronJobs.
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
    },
    spec,
  };
}

function suffix(): string {
  return Array.from({ length: 5 }, () => SUFFIX_CHARACTERS[randomInt(SUFFIX_CHARACTERS.length)]).join('');
}

/** The controller applies the concurrency policy only to Jobs that it starts itself. */
function overlapWarnings(cronJob: KubernetesObject): string[] {
  const { active = [] } = statusOf(cronJob);
  const { concurrencyPolicy = 'Allow' } = specOf(cronJob);
  return Array.isArray(active) && active.length > 0 && concurrencyPolicy !== 'Allow'
    ? [
        `A Job of it is running, and its concurrencyPolicy is ${concurrencyPolicy}. The new Job runs beside it.`,
      ]
    : [];
}
