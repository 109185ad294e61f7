import {
  afterNextRender,
  Component,
  computed,
  type ElementRef,
  inject,
  Injector,
  input,
  viewChild,
} from '@angular/core';
import { type FieldTree, FormField } from '@angular/forms/signals';
import type { CreateModel } from './create-model';
import { hasIngress, withIngress } from './ingress-preset';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-advanced-fields',
  imports: [FormField, UI],
  templateUrl: './advanced-fields.html',
  styleUrl: './advanced-fields.scss',
})
export class AdvancedFields {
  private readonly injector = inject(Injector);
  private readonly addPortButton = viewChild.required<ElementRef<HTMLElement>>('addPortButton');
  private readonly addMountButton = viewChild.required<ElementRef<HTMLElement>>('addMountButton');
  readonly form = input.required<FieldTree<CreateModel>>();
  protected readonly protocols = ['TCP', 'UDP', 'SCTP'] as const;

  protected readonly hasIngress = computed(() => hasIngress(this.form()().value()));

  protected addPort(): void {
    const { port_mappings: ports } = this.form();
    ports().value.update((rows) => [
      ...rows,
      { listen_address: '127.0.0.1', host_port: null, container_port: null, protocol: 'TCP' },
    ]);
    this.focusNext(() => ports[ports.length - 1]?.host_port().focusBoundControl());
  }

  protected addIngress(): void {
    const form = this.form();
    const { port_mappings, addons } = withIngress(form().value());
    form.port_mappings().value.set(port_mappings);
    form.addons().value.set(addons);
  }

  protected removePort(index: number): void {
    this.form()
      .port_mappings()
      .value.update((rows) => rows.filter((_, at) => at !== index));
    this.addPortButton().nativeElement.focus();
  }

  protected addMount(): void {
    const { mounts } = this.form();
    mounts().value.update((rows) => [...rows, { host_path: '', container_path: '', read_only: false }]);
    this.focusNext(() => mounts[mounts.length - 1]?.host_path().focusBoundControl());
  }

  protected removeMount(index: number): void {
    this.form()
      .mounts()
      .value.update((rows) => rows.filter((_, at) => at !== index));
    this.addMountButton().nativeElement.focus();
  }

  private focusNext(focus: () => void): void {
    afterNextRender(focus, { injector: this.injector });
  }
}
