import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { ResourceReference } from '../../../drivers/kubernetes/index.js';
import type { Cluster } from '../../clusters/index.js';
import { JournalService } from '../../journal/index.js';
import { subjectOf } from './object-names.js';

/** Kinds of entries about changes inside of clusters. */
export type ChangeKind =
  | 'resource-edit'
  | 'resource-apply'
  | 'resource-delete'
  | 'resource-scale'
  | 'resource-restart'
  | 'node-cordon'
  | 'node-uncordon'
  | 'pod-restart';

export interface JournaledChange {
  kind: ChangeKind;
  cluster: Pick<Cluster, 'name' | 'runtime'>;
  /** Null where it is about many objects. */
  reference: ResourceReference | null;
  /** Begins the sentence of a failure: "config map shop/settings was not edited". */
  failure: string;
}

export interface Changed<TResult> {
  result: TResult;
  /** What the entry says; null where nothing was changed after all, which is no entry. */
  message: string | null;
  /** Whether a part of it failed. */
  failed?: boolean;
}

/** One entry for each change, also for one that failed. Messages name objects and never their values. */
@Injectable()
export class ChangeJournal {
  constructor(private readonly journal: JournalService) {}

  async during<TResult>(change: JournaledChange, work: () => Promise<Changed<TResult>>): Promise<TResult> {
    const begun = performance.now();
    try {
      const { result, message, failed = false } = await work();
      if (message !== null) this.record(change, failed ? 'failed' : 'succeeded', message, begun);
      return result;
    } catch (error) {
      const reason = error instanceof DomainError ? error.message : 'something went wrong inside Slipway.';
      this.record(change, 'failed', `${change.failure}: ${reason}`, begun);
      throw error;
    }
  }

  private record(
    { kind, cluster, reference }: JournaledChange,
    outcome: 'succeeded' | 'failed',
    message: string,
    begun: number,
  ): void {
    this.journal.record({
      kind,
      cluster: cluster.name,
      runtime: cluster.runtime,
      subject: reference && subjectOf(reference),
      outcome,
      message: message.charAt(0).toUpperCase() + message.slice(1),
      job_id: null,
      duration_ms: Math.round(performance.now() - begun),
    });
  }
}
