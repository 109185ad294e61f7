import {
  Component,
  computed,
  effect,
  inject,
  Injector,
  input,
  output,
  runInInjectionContext,
  signal,
  untracked,
} from '@angular/core';
import type { ClusterKey } from '../../../shared/api/api';
import type { ClusterDto, Overview, OverviewSummaryDto } from '../../../shared/api/api-types';
import { Clock } from '../../../shared/live/clock';
import { LiveValue } from '../../../shared/live/live-value';
import { UI } from '../../../shared/ui/ui';
import { ResourcesApi } from '../../resources/resources-api';
import { OutdatedNote } from '../../shell/outdated-note';
import { NameFinder } from './name-finder';
import { applyOverview, hasOnlySystemWorkloads, partsOf } from './overview-blocks';
import { ResourceCard } from './resource-card';
import { ResourceCells } from './resource-cells';

const ROWS = 5;
const POLL_EVERY_MS = 5000;
const AGES_EVERY_MS = 5000;

@Component({
  selector: 'sw-resource-overview',
  imports: [NameFinder, OutdatedNote, ResourceCard, ResourceCells, UI],
  templateUrl: './resource-overview.html',
  styleUrl: './resource-overview.scss',
})
export class ResourceOverview {
  private readonly api = inject(ResourcesApi);
  private readonly clock = inject(Clock);
  private readonly injector = inject(Injector);
  readonly key = input.required<ClusterKey>();
  readonly cluster = input.required<ClusterDto>();
  /** Whether to offer the first steps if the cluster has no workloads. */
  readonly offersSteps = input(false);
  readonly stepsWanted = output();
  readonly summarized = output<OverviewSummaryDto | undefined>();

  protected readonly live = signal<LiveValue<Overview> | undefined>(undefined);
  protected readonly overview = computed(() => this.live()?.value());
  protected readonly problem = computed(() => this.live()?.problem() ?? null);
  protected readonly parts = computed(() => {
    const overview = this.overview();
    return overview && partsOf(overview);
  });
  protected readonly isEmpty = computed(() => {
    const overview = this.overview();
    return overview !== undefined && hasOnlySystemWorkloads(overview);
  });
  protected readonly now = computed(() => Math.floor(this.clock.now() / AGES_EVERY_MS) * AGES_EVERY_MS);
  protected readonly text = signal('');
  protected readonly query = computed(() => this.text().trim());

  /** Whether the API server may respond. */
  protected readonly isUp = computed(() => ['running', 'degraded'].includes(this.cluster().state));

  constructor() {
    effect((onCleanup) => {
      const key = this.key();
      if (!this.isUp()) {
        untracked(() => this.live.set(undefined));
        return;
      }
      const live = untracked(() => runInInjectionContext(this.injector, () => this.follow(key)));
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

  private follow(key: ClusterKey): LiveValue<Overview> {
    return new LiveValue<Overview>({
      topics: [`overview:${key.runtime}/${key.name}`],
      pollEveryMs: POLL_EVERY_MS,
      load: () => this.api.overview(key, ROWS),
      apply: applyOverview,
    });
  }
}
