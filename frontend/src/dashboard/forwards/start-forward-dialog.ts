import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, max, min, required } from '@angular/forms/signals';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ForwardDto } from '../../shared/api/api-types';
import { formatList } from '../../shared/format/format';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { describePort, type ForwardObject, suggestedLocalPort, type TargetPort } from './target-ports';

export interface ForwardQuestion {
  key: ClusterKey;
  target: ForwardObject;
  ports: readonly TargetPort[];
  port: number | undefined;
}

const MAX_PORT = 65_535;

/** The ports of a new port-forward. Closes with it once it is started. */
@Component({
  selector: 'sw-start-forward-dialog',
  imports: [FormField, FormRoot, UI],
  template: `
    <form class="alert-dialog" [formRoot]="form">
      <h2 i18n id="dialog-title" class="anywhere">Forward a port of {{ question.target.object | swRaw }}</h2>
      <sw-field class="gap-top" label="Port" i18n-label [hint]="portHint | swRaw">
        <input
          data-first
          type="number"
          inputmode="numeric"
          list="forward-ports"
          [formField]="form.port"
          (change)="suggest()"
        />
      </sw-field>
      <datalist id="forward-ports">
        @for (port of ports; track port.number) {
          <option [value]="port.number">{{ port.name }}</option>
        }
      </datalist>
      <sw-field
        class="gap-top"
        label="Local port"
        i18n-label
        [optional]="true"
        hint="On 127.0.0.1. Leave empty for any free port."
        i18n-hint
      >
        <input type="number" inputmode="numeric" [formField]="form.local_port" />
      </sw-field>
      <sw-field class="gap-top" label="Protocol" i18n-label>
        <select [formField]="form.protocol">
          <option i18n value="">Detect</option>
          <option value="tcp">TCP</option>
          <option value="http">HTTP</option>
          <option value="https">HTTPS</option>
        </select>
        <span i18n hint>HTTP and HTTPS get a page that other websites cannot reach.</span>
      </sw-field>
      <sw-field
        class="gap-top"
        label="More hosts"
        i18n-label
        [optional]="true"
        hint="Host names that HTTP requests may use, such as that of an Ingress. Separate them by spaces."
        i18n-hint
      >
        <input autocapitalize="none" spellcheck="false" [formField]="form.hosts" />
      </sw-field>
      @if (error(); as text) {
        <sw-notice class="gap-top" tone="failed">{{ text }}</sw-notice>
      }
      <div class="acts">
        <button i18n class="btn" (click)="dialog.close()">Cancel</button>
        <button
          data-writes
          i18n
          type="submit"
          data-reads
          class="btn primary"
          [disabled]="form().submitting()"
        >
          Start
        </button>
      </div>
    </form>
  `,
})
export class StartForwardDialog {
  private readonly api = inject(Api);
  protected readonly dialog = inject<DialogRef<ForwardDto>>(DialogRef);
  protected readonly question = inject<ForwardQuestion>(DIALOG_DATA);
  protected readonly ports = this.question.ports.filter(({ protocol }) => protocol === 'TCP');
  protected readonly portHint =
    this.ports.length > 0
      ? $localize`Declared: ${formatList(this.ports.map(describePort))}:ports:.`
      : $localize`A TCP port that a container listens on.`;
  private readonly values = signal(this.initial());
  protected readonly form = form(
    this.values,
    ({ port, local_port: localPort }) => {
      const message = $localize`Must be a port from 1 to ${MAX_PORT}:max:.`;
      required(port, { message });
      for (const field of [port, localPort]) {
        min(field, 1, { message });
        max(field, MAX_PORT, { message });
      }
    },
    {
      submission: apiSubmission(async ({ port, local_port: localPort, protocol, hosts }) => {
        const names = hosts
          .toLowerCase()
          .split(/[\s,]+/)
          .filter((name) => name !== '');
        this.dialog.close(
          await this.api.send('POST /api/v1/clusters/{name}/forwards', this.question.key, {
            ...this.question.target,
            port: String(port),
            ...(localPort !== null && { local_port: localPort }),
            ...(protocol !== '' && { protocol: protocol as ForwardDto['protocol'] }),
            ...(names.length > 0 && { hosts: names }),
          }),
        );
      }),
    },
  );
  protected readonly error = (): string => formError(this.form);

  /** The local port follows the port until it is edited. */
  protected suggest(): void {
    const { port } = this.values();
    if (port === null || this.form.local_port().dirty()) return;
    this.values.update((values) => ({ ...values, local_port: suggestedLocalPort(port) }));
  }

  private initial(): { port: number | null; local_port: number | null; protocol: string; hosts: string } {
    const port = this.question.port ?? this.ports[0]?.number ?? null;
    return { port, local_port: port === null ? null : suggestedLocalPort(port), protocol: '', hosts: '' };
  }
}
