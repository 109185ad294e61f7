import { Component, computed, inject, input } from '@angular/core';
import type { PodSpec, PodStatus } from 'kubernetes-types/core/v1';
import type { ClusterKey } from '../../../shared/api/api';
import type { PodUsageDto, ResourceObjectDto } from '../../../shared/api/api-types';
import { StatsStore } from '../../../shared/live/stats-store';
import { UI } from '../../../shared/ui/ui';
import { objectPage } from '../../resource-model/resource-address';
import { Shells } from '../../shells/shells';
import { containersOf, type NamespaceReference } from './container-view';
import { volumeView } from './volume-view';

const PLURALS: Readonly<Record<NamespaceReference['kind'], string>> = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  PersistentVolumeClaim: 'persistentvolumeclaims',
};

/** Containers and volumes of a Pod. */
@Component({
  selector: 'sw-pod-details',
  imports: [UI],
  template: `
    <section class="stack">
      <h3 class="sm">
        <ng-container i18n>Containers</ng-container>&ngsp;<span class="muted">{{ containers().length }}</span>
      </h3>
      @for (container of containers(); track container.name) {
        <article class="container" [attr.aria-label]="container.name">
          <h4 class="inline sm">
            <sw-state [state]="container.glyph" [silent]="true" />
            <span class="mono anywhere">{{ container.name }}</span>
            @if (container.role) {
              <span class="tag plain">{{ container.role }}</span>
            }
            @if (container.glyph === 'running') {
              <button
                class="btn small end"
                swAriaLabel="Shell in container {{ container.name }}"
                i18n-swAriaLabel
                (click)="openShell(container.name)"
              >
                <sw-icon name="terminal" /><ng-container i18n>Shell</ng-container>
              </button>
            }
          </h4>
          <dl class="meta-list">
            <dt i18n>State</dt>
            <dd>
              <span [class.error-text]="container.glyph === 'failed'">{{ container.state.text }}</span>
              @if (container.state.time; as time) {
                &ngsp;<sw-ago class="muted" [time]="time" />
              }
              @if (container.state.message; as message) {
                <div class="soft xs">{{ message }}</div>
              }
            </dd>
            @if (container.last; as last) {
              <dt i18n>Last state</dt>
              <dd>
                {{ last.text }}
                @if (last.time; as time) {
                  &ngsp;<sw-ago class="muted" [time]="time" />
                }
                @if (last.message; as message) {
                  <div class="soft xs">{{ message }}</div>
                }
              </dd>
            }
            <dt i18n>Restarts</dt>
            <dd>{{ container.restarts }}</dd>
            <dt i18n>Image</dt>
            <dd class="mono xs">{{ container.image }}</dd>
            @if (container.command) {
              <dt i18n>Command</dt>
              <dd class="mono xs">{{ container.command }}</dd>
            }
            @if (container.ports) {
              <dt i18n>Ports</dt>
              <dd>{{ container.ports }}</dd>
            }
            @for (each of container.resources; track each.title) {
              <dt>{{ each.title }}</dt>
              <dd>{{ each.text }}</dd>
            }
            @for (each of container.probes; track each.title) {
              <dt>{{ each.title }}</dt>
              <dd class="mono xs">{{ each.text }}</dd>
            }
          </dl>
          @if (container.env.length > 0) {
            <details class="disclosure">
              <summary>
                <ng-container i18n>Environment</ng-container>&ngsp;<span class="muted">{{
                  container.env.length
                }}</span>
              </summary>
              <dl class="meta-list xs">
                @for (each of container.env; track $index) {
                  <dt class="mono anywhere">{{ each.name }}</dt>
                  <dd>
                    @if (each.from; as from) {
                      {{ each.value }} <span class="muted">{{ from.kind }}</span>&ngsp;<a
                        class="mono"
                        [swLink]="pageOf(from)"
                        >{{ from.name }}</a
                      >
                    } @else {
                      <span class="mono">{{ each.value }}</span>
                    }
                  </dd>
                }
              </dl>
            </details>
          }
          @if (container.mounts.length > 0) {
            <details class="disclosure">
              <summary>
                <ng-container i18n>Mounts</ng-container>&ngsp;<span class="muted">{{
                  container.mounts.length
                }}</span>
              </summary>
              <dl class="meta-list xs">
                @for (each of container.mounts; track each.path) {
                  <dt class="mono anywhere">{{ each.path }}</dt>
                  <dd>
                    <span class="mono">{{ each.volume }}</span>&ngsp;<span class="muted">{{
                      each.note
                    }}</span>
                  </dd>
                }
              </dl>
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
        <dl class="meta-list">
          @for (volume of volumes(); track volume.name) {
            <dt class="mono anywhere">{{ volume.name }}</dt>
            <dd>
              @if (volume.from; as from) {
                {{ from.kind }} <a class="mono" [swLink]="pageOf(from)">{{ from.name }}</a>
              } @else {
                {{ volume.type }} <span class="mono xs">{{ volume.detail }}</span>
              }
            </dd>
          }
        </dl>
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
  protected readonly isDemo = inject(StatsStore).isDemo;
  private readonly spec = computed(() => (this.object().spec ?? {}) as Partial<PodSpec>);
  protected readonly containers = computed(() =>
    containersOf(this.spec(), (this.object().status ?? {}) as PodStatus, this.usage()?.containers),
  );
  protected readonly volumes = computed(() => (this.spec().volumes ?? []).map(volumeView));

  protected openShell(container: string): void {
    const { namespace, name: pod } = this.object();
    if (namespace !== null) {
      this.shells.start({ key: this.key(), target: 'container', namespace, pod, container });
    }
  }

  protected pageOf({ kind, name }: NamespaceReference): string {
    const { namespace } = this.object();
    return objectPage(this.key(), { group: 'core', version: 'v1', plural: PLURALS[kind], namespace, name });
  }
}
