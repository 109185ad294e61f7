import { Injectable } from '@nestjs/common';
import type { SourceIdentity } from '../../drivers/log-store/index.js';

/** A workload, or another object, that does not work, as the dashboard lists it. */
export interface KnownProblem {
  runtime: string;
  cluster: string;
  namespace: string | null;
  kind: string;
  name: string;
  since: string;
  message: string;
  next_step: string;
  container: string | null;
  /** The object with the cause. */
  found_in: { kind: string; namespace: string | null; name: string };
}

/** Empty if the dashboard runs in another process. */
export interface SharedProblems {
  list?: () => readonly KnownProblem[];
}

/** The problems that the dashboard knows, for the log board. */
@Injectable()
export class KnownProblems {
  shared: SharedProblems = {};

  get areKnown(): boolean {
    return this.shared.list !== undefined;
  }

  /** The problem of a source: of its Pod or node, or else of its workload. Undefined without one. */
  of({ kind, runtime, cluster, namespace, workload, name }: SourceIdentity): KnownProblem | undefined {
    const own = kind === 'pod' ? 'Pod' : 'Node';
    const near = this.shared
      .list?.()
      .filter((each) => each.runtime === runtime && each.cluster === cluster && each.namespace === namespace);
    const isOwn = (each: { kind: string; name: string }): boolean => each.kind === own && each.name === name;
    return (
      near?.find((each) => isOwn(each.found_in) || isOwn(each)) ??
      near?.find((each) => `${each.kind}/${each.name}` === workload)
    );
  }
}
