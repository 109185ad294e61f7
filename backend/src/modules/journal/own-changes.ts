import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { NodeEvent } from '../../drivers/runtime/index.js';

/** Tolerance for the clock of an engine in a virtual machine: events this soon after a job still belong to the job. */
const CLOCK_SKEW_MS = 500;

/** The jobs of Slipway. The module of jobs implements it, since jobs write to the journal and not the other way round. */
export abstract class OwnJobs {
  /**
   * When a job last worked on a cluster, in milliseconds since the epoch; Infinity while one does, undefined if no
   * recorded job did.
   */
  abstract lastWorkedOn(cluster: string, runtime: string): number | undefined;
}

/** Tells changes by jobs of Slipway from changes outside it. */
@Injectable()
export class OwnChanges {
  /** The engine of each job that ends. */
  readonly ended = new Subject<string>();
  private jobs: OwnJobs | undefined;

  register(jobs: OwnJobs): void {
    this.jobs = jobs;
  }

  /** Compares the time of the event, not its arrival: events can be late, and a node can be killed right after a job. */
  caused(runtime: string, { cluster, time }: NodeEvent): boolean {
    const last = this.jobs?.lastWorkedOn(cluster, runtime);
    return last !== undefined && Date.parse(time) - last < CLOCK_SKEW_MS;
  }

  /** Whether a job works on a cluster, or did since a time in milliseconds since the epoch. */
  workedSince(time: number, cluster: string, runtime: string): boolean {
    return (this.jobs?.lastWorkedOn(cluster, runtime) ?? -Infinity) >= time;
  }
}
