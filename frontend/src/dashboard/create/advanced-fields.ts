import { afterNextRender, Component, inject, Injector, input, output } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import type { CreateDraft, MountDraft, PortDraft } from './create-draft';
import { type EntryProblem, MAX_CONTROL_PLANES } from './create-rules';
import { FieldProblem } from './field-problem';
import { RowField } from './row-field';
import { Stepper } from './stepper';

/** Ports, mounts and control planes: what most clusters do without. */
@Component({
  selector: 'sw-advanced-fields',
  imports: [FieldProblem, Icon, RowField, Stepper],
  templateUrl: './advanced-fields.html',
  styleUrl: './advanced-fields.scss',
})
export class AdvancedFields {
  private readonly injector = inject(Injector);
  readonly draft = input.required<CreateDraft>();
  readonly complaints = input.required<readonly EntryProblem[]>();
  readonly changed = output<Partial<CreateDraft>>();
  protected readonly maxControlPlanes = MAX_CONTROL_PLANES;
  protected readonly protocols = ['TCP', 'UDP', 'SCTP'] as const;

  protected complaint(field: string): EntryProblem | undefined {
    return this.complaints().find((entry) => entry.field === field);
  }

  /** The complaints of one row, in its own line. */
  protected ofRow(field: string): EntryProblem | undefined {
    return this.complaints().find((entry) => entry.field.startsWith(field));
  }

  protected addPort(): void {
    const port: PortDraft = { listenAddress: '127.0.0.1', hostPort: '', containerPort: '', protocol: 'TCP' };
    this.changed.emit({ ports: [...this.draft().ports, port] });
    this.focusSoon(`create-port_mappings[${this.draft().ports.length}].host_port`);
  }

  protected changePort(index: number, part: Partial<PortDraft>): void {
    this.changed.emit({
      ports: this.draft().ports.map((port, at) => (at === index ? { ...port, ...part } : port)),
    });
  }

  protected removePort(index: number): void {
    this.changed.emit({ ports: this.draft().ports.filter((_, at) => at !== index) });
    this.focusSoon('create-add-port');
  }

  protected addMount(): void {
    const mount: MountDraft = { hostPath: '', containerPath: '', readOnly: false };
    this.changed.emit({ mounts: [...this.draft().mounts, mount] });
    this.focusSoon(`create-mounts[${this.draft().mounts.length}].host_path`);
  }

  protected changeMount(index: number, part: Partial<MountDraft>): void {
    this.changed.emit({
      mounts: this.draft().mounts.map((mount, at) => (at === index ? { ...mount, ...part } : mount)),
    });
  }

  protected removeMount(index: number): void {
    this.changed.emit({ mounts: this.draft().mounts.filter((_, at) => at !== index) });
    this.focusSoon('create-add-mount');
  }

  /** A new row is there after the next rendering; a row that left takes the focus with it. */
  private focusSoon(id: string): void {
    afterNextRender(() => document.getElementById(id)?.focus(), { injector: this.injector });
  }
}
