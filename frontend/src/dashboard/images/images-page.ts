import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api, clusterPage } from '../../shared/api/api';
import type { DiskUsageDto, NodeImageUsageDto, NodeVolumeUsageDto } from '../../shared/api/api-types';
import { formatBytes, nodeImageCount, nodeVolumeCount } from '../../shared/format/format';
import { JobsStore } from '../../shared/live/jobs-store';
import { apiResource } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { engineIcon } from '../../shared/ui/icon';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { Breadcrumbs } from '../cluster-context/breadcrumbs';
import { diskParts, sortedImages, sumOf, volumeGroups } from './disk-view';
import { JobScreen } from '../job-handle/job-screen';

/** Refresh interval while an engine is still measuring. */
const MEASURING_MS = 2000;

@Component({
  selector: 'sw-images-page',
  imports: [Breadcrumbs, RouterLink, UI],
  templateUrl: './images-page.html',
  styleUrl: './images-page.scss',
})
export class ImagesPage {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly jobs = inject(JobsStore);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  protected readonly crumbs = [
    { text: $localize`Diagnostics`, link: '/diagnostics' },
    { text: $localize`Images and disk` },
  ];
  protected readonly pageOf = clusterPage;
  protected readonly engineIcon = engineIcon;
  protected readonly sizeOf = formatBytes;
  /** Any finished job may have changed the disk usage. */
  private readonly ended = computed(
    () => this.jobs.jobs().filter(({ finished_at }) => finished_at !== null).length,
  );
  protected readonly read = apiResource('/api/v1/images/usage', undefined, {
    reloadOn: this.ended,
    refresh: { everyMs: MEASURING_MS, when: () => this.isUnsettled() },
  });
  protected readonly usage = this.read.value;
  protected readonly engines = computed(() =>
    this.usage()?.map((engine) => ({
      ...engine,
      images: sortedImages(engine.node_images),
      groups: volumeGroups(engine.volumes),
      parts: diskParts(engine),
    })),
  );
  protected readonly sumOf = sumOf;
  protected readonly problem = this.read.problem;

  constructor() {
    this.jobs.live.watch();
  }

  private isUnsettled(): boolean {
    return this.problem() !== null || this.usage()?.some(({ measuring }) => measuring) === true;
  }

  protected nameOf({ references, id }: NodeImageUsageDto): string {
    return references.join(', ') || id;
  }

  protected volumeSize({ size_bytes }: NodeVolumeUsageDto, { measuring }: DiskUsageDto): string {
    if (size_bytes !== null) return formatBytes(size_bytes);
    return measuring ? $localize`measuring…` : $localize`unknown`;
  }

  protected removableOf(engine: DiskUsageDto): {
    images: NodeImageUsageDto[];
    volumes: NodeVolumeUsageDto[];
  } {
    return {
      images: engine.node_images.filter(({ removable }) => removable),
      volumes: engine.volumes.filter(({ removable }) => removable),
    };
  }

  protected canPrune(engine: DiskUsageDto): boolean {
    const { images, volumes } = this.removableOf(engine);
    return images.length + volumes.length > 0;
  }

  protected async prune(engine: DiskUsageDto): Promise<void> {
    const { images, volumes } = this.removableOf(engine);
    const confirmed = await this.confirm.ask({
      title: $localize`Remove unused images and volumes from ${engine.runtime}:engine:?`,
      text: [
        $localize`This removes ${nodeImageCount(images.length)}:images: and ${nodeVolumeCount(volumes.length)}:volumes:, up to ${formatBytes(engine.freeable_bytes)}:size:. Slipway checks again that each is unused.`,
        $localize`Node images are downloaded again when needed. Data in the volumes is lost.`,
      ],
      losses: [
        ...images.map((image) => this.nameOf(image)),
        ...volumes.map(({ node }) => $localize`volume of deleted node ${node}:node:`),
      ],
      action: $localize`Remove`,
      danger: true,
    });
    if (!confirmed) return;
    await this.toaster.attempt($localize`Could not remove unused images and volumes.`, async () => {
      const { job_id: jobId } = await this.api.send(
        'POST /api/v1/images/prune',
        {},
        {
          runtime: engine.runtime,
          images: images.map(({ id }) => id),
          volumes: volumes.map(({ name }) => name),
        },
      );
      await this.screen.open(jobId);
    });
  }
}
