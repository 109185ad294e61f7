import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { capitalized } from '../../../core/values/index.js';
import type { ResourceReference } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import { JournalService, type ChangedText } from '../../journal/index.js';
import { subjectOf } from '../../resources/index.js';

type ChangeKind =
  | 'config'
  | 'resource-edit'
  | 'resource-apply'
  | 'resource-delete'
  | 'resource-expose'
  | 'resource-scale'
  | 'resource-restart'
  | 'image-change'
  | 'cronjob-run'
  | 'job-suspend'
  | 'job-resume'
  | 'rollout-undo'
  | 'rollout-pause'
  | 'rollout-resume'
  | 'node-cordon'
  | 'node-uncordon'
  | 'pod-restart';

export interface JournaledChange {
  kind: ChangeKind;
  cluster: Pick<Cluster, 'name' | 'runtime'>;
  /** Null for changes of several objects. */
  reference: ResourceReference | null;
  /** Start of the message if the change fails: "could not edit config map shop/settings". */
  failure: string;
}

export interface Changed<TResult> {
  result: TResult;
  /** Text of the entry; null if nothing changed, which is not recorded. */
  message: string | null;
  failed?: boolean;
  /** Without the values of Secrets. */
  diff?: ChangedText;
}

/** Records each change in a cluster, including failed ones. Messages contain names, never values; diffs contain no values of Secrets. */
@Injectable()
export class ChangeJournal {
  constructor(private readonly journal: JournalService) {}

  async during<TResult>(change: JournaledChange, work: () => Promise<Changed<TResult>>): Promise<TResult> {
    const startedAt = performance.now();
    try {
      const { result, message, failed = false, diff } = await work();
      if (message !== null) this.record(change, failed ? 'failed' : 'succeeded', message, startedAt, diff);
      return result;
    } catch (error) {
      const reason = error instanceof DomainError ? error.message : 'internal error.';
      this.record(change, 'failed', `${change.failure}: ${reason}`, startedAt);
      throw error;
    }
  }

  private record(
    { kind, cluster, reference }: JournaledChange,
    outcome: 'succeeded' | 'failed',
    message: string,
    startedAt: number,
    diff?: ChangedText,
  ): void {
    this.journal.recordEventually({
      kind,
      cluster: cluster.name,
      runtime: cluster.runtime,
      subject: reference && subjectOf(reference),
      outcome,
      message: capitalized(message),
      grouped: true,
      diff,
      duration_ms: Math.round(performance.now() - startedAt),
    });
  }
}
