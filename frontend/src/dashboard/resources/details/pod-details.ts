import { Component, computed, inject, input } from '@angular/core';
import type { PodSpec, PodStatus } from 'kubernetes-types/core/v1';
import type { ClusterKey } from '../../../shared/api/api';
import type { PodUsageDto, ResourceObjectDto } from '../../../shared/api/api-types';
import { StatsStore } from '../../../shared/live/stats-store';
import { UI } from '../../../shared/ui/ui';
import { rightsIn } from '../../external/kind-rights';
import { objectPage } from '../../resource-model/resource-address';
import { Shells } from '../../shells/shells';
import { containersOf, type NamespaceReference } from './container-view';
import { DetailRows } from './detail-rows';
import { volumeRow } from './volume-view';

const PLURALS: Readonly<Record<NamespaceReference['kind'], string>> = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  PersistentVolumeClaim: 'persistentvolumeclaims',
};

/** Containers and volumes of a Pod. */
@Component({
  selector: 'sw-pod-details',
  imports: [DetailRows, UI],
  template: `
    <section class="stack">
      <h3 class="sm">
        <ng-container i18n>Containers</ng-container>&ngsp;<span class="muted">{{ containers().length }}</span>
      </h3>
      @for (container of containers(); track container.name) {
        <article class="container" [attr.aria-label]="container.name | swRaw">
          <h4 class="inline sm">
            <sw-state [state]="container.glyph" [silent]="true" />
            <span class="mono anywhere">{{ container.name | swRaw }}</span>
            @if (container.role) {
              <span class="tag plain">{{ container.role }}</span>
            }
            @if (container.glyph === 'running') {
              <button
                class="btn small end"
                data-changes
                [attr.data-denied]="rights.deniedAction('shell', object().type)"
                swAriaLabel="Shell in container {{ container.name }}"
                i18n-swAriaLabel
                (click)="openShell(container.name)"
              >
                <sw-icon name="terminal" /><ng-container i18n>Shell</ng-container>
              </button>
            }
          </h4>
          <dl [swDetailRows]="container.rows"></dl>
          @for (list of container.lists; track list.title) {
            <details class="disclosure">
              <summary>
                {{ list.title }} <span class="muted">{{ list.rows.length }}</span>
              </summary>
              <dl class="xs" titles="mono anywhere" [swDetailRows]="list.rows"></dl>
            </details>
          }
        </article>
      }
      @if (isDemo()) {
        <p i18n class="muted sm">Debug containers need a real cluster.</p>
      }
    </section>
    @if (volumes().length > 0) {
      <section>
        <h3 class="sm">
          <ng-container i18n>Volumes</ng-container>&ngsp;<span class="muted">{{ volumes().length }}</span>
        </h3>
        <dl titles="mono anywhere" [swDetailRows]="volumes()"></dl>
      </section>
    }
  `,
  styles: `
    :host {
      gap: var(--s-5);
    }
    .container {
      display: grid;
      gap: 6px;
      padding: 10px 12px;
      border: 1px solid var(--line);
      border-radius: var(--r-lg);
    }
  `,
  host: { class: 'stack' },
})
export class PodDetails {
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  /** Null if it is unknown. */
  readonly usage = input<PodUsageDto | null>(null);
  private readonly shells = inject(Shells);
  protected readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.object().namespace] }));
  protected readonly isDemo = inject(StatsStore).isDemo;
  private readonly spec = computed(() => (this.object().spec ?? {}) as Partial<PodSpec>);
  protected readonly containers = computed(() =>
    containersOf(
      this.spec(),
      (this.object().status ?? {}) as PodStatus,
      (reference) => this.pageOf(reference),
      this.usage()?.containers,
    ),
  );
  protected readonly volumes = computed(() =>
    (this.spec().volumes ?? []).map((volume) => volumeRow(volume, (reference) => this.pageOf(reference))),
  );

  protected openShell(container: string): void {
    const { namespace, name: pod } = this.object();
    if (namespace !== null) {
      this.shells.start({ key: this.key(), target: 'container', namespace, pod, container });
    }
  }

  private pageOf({ kind, name }: NamespaceReference): string {
    const { namespace } = this.object();
    return objectPage(this.key(), { group: 'core', version: 'v1', plural: PLURALS[kind], namespace, name });
  }
}
