import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { JournalService, JournalStore, type JournalEntry } from '../../journal/index.js';
import type { LastChangeDto } from './cluster.dto.js';
import { ClusterWatcher } from './cluster-watcher.js';

/** Kinds of entries about a cluster that change nothing in it. */
const READS = [
  'file-download',
  'file-list',
  'file-read',
  'forward-close',
  'forward-open',
  'kubeconfig-added',
  'kubeconfig-download',
  'kubeconfig-removed',
  'kubeconfig-renewed',
  'log-export',
  'node-logs',
  'secret-reveal',
  'shell-close',
  'shell-open',
];

/** The first sentence of most entries. The journal has the rest. */
const MAX_MESSAGE = 300;

/** The newest change of each cluster, from the journal. In memory, since the list of clusters is read every 2 s. */
@Injectable()
export class LastChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly known = new Map<string, LastChangeDto | null>();
  private subscription: Subscription | undefined;

  constructor(
    private readonly journal: JournalService,
    private readonly store: JournalStore,
    private readonly watcher: ClusterWatcher,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.journal.changes.subscribe((entry) => this.note(entry));
  }

  onApplicationShutdown(): void {
    this.subscription?.unsubscribe();
  }

  of(cluster: string, runtime: string): LastChangeDto | null {
    const key = `${runtime}/${cluster}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const entry = this.store.newestOf(cluster, runtime, READS);
    const change = entry ? presented(entry) : null;
    this.known.set(key, change);
    return change;
  }

  private note(entry: JournalEntry): void {
    const { cluster, runtime, kind } = entry;
    if (cluster === null || runtime === null || READS.includes(kind)) return;
    this.known.set(`${runtime}/${cluster}`, presented(entry));
    this.watcher.touch();
  }
}

function presented({ time, kind, message }: JournalEntry): LastChangeDto {
  return { time, kind, message: message.slice(0, MAX_MESSAGE) };
}
