import {
  Component,
  computed,
  effect,
  inject,
  Injector,
  input,
  linkedSignal,
  output,
  runInInjectionContext,
  signal,
  untracked,
} from '@angular/core';
import { Api, type ClusterKey, isUp } from '../../../shared/api/api';
import type { ClusterDto, Overview, OverviewSummaryDto } from '../../../shared/api/api-types';
import { Clock } from '../../../shared/browser/clock';
import { LiveValue } from '../../../shared/live/live-value';
import { UI } from '../../../shared/ui/ui';
import { NamespaceFilter } from '../../resources/namespace-filter';
import { namespaceChoice } from '../../resources/namespace-choice';
import { FirstSteps } from '../first-steps';
import { NameFinder } from './name-finder';
import { applyOverview, hasOnlySystemWorkloads, partsOf } from './overview-blocks';
import { ResourceCard } from './resource-card';
import { ResourceCells } from './resource-cells';

const ROWS = 5;
const POLL_EVERY_MS = 5000;
const AGES_EVERY_MS = 5000;

@Component({
  selector: 'sw-resource-overview',
  imports: [FirstSteps, NameFinder, NamespaceFilter, ResourceCard, ResourceCells, UI],
  templateUrl: './resource-overview.html',
  styleUrl: './resource-overview.scss',
  host: { class: 'block' },
})
export class ResourceOverview {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  private readonly injector = inject(Injector);
  readonly key = input.required<ClusterKey>();
  readonly cluster = input.required<ClusterDto>();
  /** The user's own kubeconfig was changed. */
  readonly merged = output();
  readonly summarized = output<OverviewSummaryDto | undefined>();

  protected readonly live = signal<LiveValue<Overview> | undefined>(undefined);
  protected readonly namespaces = namespaceChoice(this.key);
  /** While the blocks of other namespaces load, the last ones stay. */
  protected readonly overview = linkedSignal<Overview | undefined, Overview | undefined>({
    source: () => this.live()?.value(),
    computation: (loaded, before) => {
      if (loaded || !this.isUp()) return loaded;
      const { name, runtime } = this.key();
      const last = before?.value;
      return last?.cluster === name && last.runtime === runtime ? last : undefined;
    },
  });
  protected readonly problem = computed(() => this.live()?.problem() ?? null);
  protected readonly parts = computed(() => {
    const overview = this.overview();
    return overview && partsOf(overview);
  });
  protected readonly isEmpty = computed(() => {
    const overview = this.overview();
    return (
      overview !== undefined && this.namespaces.chosen().length === 0 && hasOnlySystemWorkloads(overview)
    );
  });
  protected readonly now = computed(() => Math.floor(this.clock.now() / AGES_EVERY_MS) * AGES_EVERY_MS);
  protected readonly text = signal('');
  protected readonly query = computed(() => this.text().trim());

  protected readonly isUp = computed(() => isUp(this.cluster()));

  constructor() {
    effect((onCleanup) => {
      const key = this.key();
      const namespaces = this.namespaces.chosen();
      if (!this.isUp()) {
        untracked(() => this.live.set(undefined));
        return;
      }
      const live = untracked(() => runInInjectionContext(this.injector, () => this.follow(key, namespaces)));
      untracked(() => this.live.set(live));
      onCleanup(live.join());
    });
    effect(() => {
      const summary = this.overview()?.summary;
      untracked(() => this.summarized.emit(summary));
    });
  }

  protected readonly failedHeading = computed(() =>
    this.problem()?.code === 'resource_forbidden'
      ? $localize`No permission to read resources`
      : $localize`Could not load the resources`,
  );

  private follow(key: ClusterKey, namespaces: readonly string[]): LiveValue<Overview> {
    const rest = namespaces.length === 0 ? '' : `/${namespaces.join()}`;
    return new LiveValue<Overview>({
      topics: [`overview:${key.runtime}/${key.name}${rest}`],
      pollEveryMs: POLL_EVERY_MS,
      load: (signal) =>
        this.api.get(
          '/api/v1/clusters/{name}/overview',
          { ...key, limit: ROWS, namespace: namespaces.join() || undefined },
          signal,
        ),
      apply: applyOverview,
    });
  }
}
