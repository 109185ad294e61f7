import { Component, computed, inject, input, output } from '@angular/core';
import type { ReleaseDetailsDto } from '../../shared/api/api-types';
import { ProblemsStore } from '../../shared/live/problems-store';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { isKiali, KIALI_NOTICE, readyText } from '../addon-model/addon-labels';
import { type ReleaseName, releaseParams } from '../addon-model/release-name';
import { HEALTH_LABELS, HEALTH_STATES } from '../resource-model/kind-labels';
import { problemId, problemPage } from '../resource-model/problem-labels';
import { objectPage } from '../resource-model/resource-address';
import { ClusterAddons } from './cluster-addons';

@Component({
  selector: 'sw-release-details',
  imports: [UI],
  templateUrl: './release-details.html',
  styleUrl: './release-details.scss',
})
export class ReleaseDetails {
  private readonly store = inject(ProblemsStore);
  protected readonly addons = inject(ClusterAddons);
  readonly name = input.required<ReleaseName>();
  readonly closed = output();
  protected readonly problems = computed(() => {
    const [key, { release, namespace }] = [this.addons.key(), this.name()];
    const found = (key && this.store.of(key)) ?? [];
    return found.filter((problem) => problem.release === `${namespace}/${release}`);
  });
  protected readonly read = apiResource(
    '/api/v1/clusters/{name}/addons/releases/{release}',
    () => {
      const key = this.addons.key();
      return key && releaseParams(key, this.name());
    },
    // The installed addons reload when a job ends; so do the details.
    { reloadOn: () => [this.addons.installed(), this.problems()] },
  );
  protected readonly details = this.read.current;
  protected readonly kiali = computed(() => {
    const details = this.details();
    return details !== null && isKiali(details);
  });
  protected readonly openKiali = KIALI_NOTICE;
  protected readonly readyOf = readyText;
  protected readonly states = HEALTH_STATES;
  protected readonly id = problemId;
  protected readonly page = problemPage;

  constructor() {
    this.store.live.watch();
  }

  protected detailOf(resource: ReleaseDetailsDto['resources'][number]): string {
    if (!resource.present) return $localize`Missing`;
    return resource.detail ?? HEALTH_LABELS[resource.health];
  }

  protected pageOf({ plural, ...resource }: ReleaseDetailsDto['resources'][number]): string | null {
    const key = this.addons.key();
    return key && plural !== null ? objectPage(key, { ...resource, plural }) : null;
  }

  /** Helm cannot roll back to a revision that failed or was interrupted. */
  protected canRollBackTo({ status }: ReleaseDetailsDto['history'][number]): boolean {
    return status === 'superseded' || status === 'deployed';
  }
}
