import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ForwardDto, ResourceObjectDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { rightsIn } from '../external/kind-rights';
import { nameOf } from '../resource-model/resource-address';
import { Forwarding } from './forwarding';
import { forwardObject, portsOf, type TargetPort } from './target-ports';

/** The ports of an object and their port-forwards. Empty for kinds without ports. */
@Component({
  selector: 'sw-object-ports',
  imports: [UI],
  template: `
    @if (target(); as target) {
      <section>
        <h3 class="sm">
          <ng-container i18n>Ports</ng-container>&ngsp;<span class="muted">{{ ports().length }}</span>
        </h3>
        <ul class="sm">
          @for (port of ports(); track port.number + port.protocol) {
            <li class="flow tight">
              <span class="mono">{{ port.number }}/{{ port.protocol }}</span>
              @if (port.name) {
                <span class="muted">{{ port.name }}</span>
              }
              @if (port.protocol !== 'TCP') {
                <span i18n class="muted end">Kubernetes forwards only TCP.</span>
              } @else {
                @for (forward of forwardsOf(port); track forward.id) {
                  <span class="mono">{{ forward.local_address }}</span>
                  <sw-copy-button
                    [text]="forward.local_address"
                    name="Copy {{ forward.local_address }}"
                    i18n-name
                  />
                  @if (forward.url) {
                    <button
                      data-writes
                      i18n
                      class="btn small end"
                      swAriaLabel="Open the page of port {{ port.number }} in a new window"
                      i18n-swAriaLabel
                      (click)="forwarding.open(key(), forward)"
                    >
                      Open
                    </button>
                  }
                } @empty {
                  <button
                    data-writes
                    i18n
                    class="btn small end"
                    [attr.data-denied]="rights.deniedAction('forward', object().type)"
                    swAriaLabel="Forward port {{ port.number }}"
                    i18n-swAriaLabel
                    (click)="start(port.number)"
                  >
                    Forward…
                  </button>
                }
              }
            </li>
          }
        </ul>
        @if (target.plural !== 'services') {
          <button
            data-writes
            i18n
            class="link sm"
            [attr.data-denied]="rights.deniedAction('forward', object().type)"
            (click)="start()"
          >
            Forward another port…
          </button>
        }
      </section>
    }
  `,
})
export class ObjectPorts {
  protected readonly forwarding = inject(Forwarding);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  protected readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.object().namespace] }));
  protected readonly target = computed(() => forwardObject(nameOf(this.object())));
  protected readonly ports = computed(() => portsOf(this.object()));
  /** Without them, each port offers to start one, which returns an existing one. */
  private readonly read = apiResource('/api/v1/clusters/{name}/forwards', () =>
    this.target() === null ? undefined : this.key(),
  );

  protected forwardsOf({ name, number }: TargetPort): ForwardDto[] {
    const target = this.target();
    return (this.read.value() ?? []).filter(
      ({ plural, namespace, object, port }) =>
        plural === target?.plural &&
        namespace === target.namespace &&
        object === target.object &&
        (port === String(number) || port === name),
    );
  }

  protected async start(port?: number): Promise<void> {
    const target = this.target();
    if (target && (await this.forwarding.start(this.key(), this.object(), target, port))) this.read.reload();
  }
}
