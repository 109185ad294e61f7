import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterDto } from '../../shared/api/api-types';
import { rawText } from '../../shared/format/raw-text';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';

/** Shows the program with which a context signs in, and allows exactly this one. Closes with the cluster. */
@Component({
  selector: 'sw-consent-dialog',
  imports: [UI],
  template: `
    <form swDialog novalidate [error]="error()" (submit)="allow($event)">
      <h2 i18n id="dialog-title" class="fill anywhere">Allow the plugin of {{ data.name }}?</h2>
      <p i18n class="soft">
        The context signs in with a program. Slipway runs it as your user, without a shell, whenever it needs
        a credential. Allow it only if you trust the kubeconfig.
      </p>
      @if (plugin(); as plugin) {
        <dl class="meta-list sm">
          @for (fact of facts(); track fact.title) {
            <dt class="muted">{{ fact.title }}</dt>
            <dd>
              @for (value of fact.values; track $index) {
                <code class="block anywhere">{{ value }}</code>
              } @empty {
                <span i18n class="muted">None</span>
              }
            </dd>
          }
        </dl>
        <p i18n class="soft sm">
          If the kubeconfig or the program changes, Slipway does not run it before you allow it again.
        </p>
      } @else if (details.problem()) {
        <sw-load-error heading="Could not load the plugin" i18n-heading [of]="details" />
      } @else if (details.value()) {
        <sw-notice i18n tone="warning"
          >The program was not found. Install it, or correct the kubeconfig, then try again.
          <button action class="link" (click)="details.reload()">Try again</button>
        </sw-notice>
      } @else {
        <sw-skeleton-rows label="Loading the plugin" i18n-label [count]="3" [height]="28" />
      }
      <button data-writes action i18n [swSubmit]="!plugin() || sending()">Allow and connect</button>
    </form>
  `,
  styles: `
    code {
      white-space: pre-wrap;
    }
  `,
})
export class ConsentDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<ClusterDto>>(DialogRef);
  protected readonly data = inject<{ name: string }>(DIALOG_DATA);
  protected readonly details = apiResource('/api/v1/external-clusters/{name}', () => this.data);
  protected readonly plugin = computed(() => this.details.value()?.plugin ?? null);
  protected readonly facts = computed(() => {
    const { command = '', path = '', args = [], env = [] } = this.plugin() ?? {};
    return [
      { title: $localize`Command`, values: [rawText(command)] },
      { title: $localize`Program`, values: [rawText(path)] },
      { title: $localize`Arguments`, values: args.map(rawText) },
      { title: $localize`Variables`, values: env.map(({ name, value }) => rawText(`${name}=${value}`)) },
    ];
  });
  protected readonly sending = signal(false);
  protected readonly error = signal<string | null>(null);

  protected async allow(event: Event): Promise<void> {
    event.preventDefault();
    const plugin = this.plugin();
    if (!plugin || this.sending()) return;
    this.sending.set(true);
    this.error.set(null);
    const { fingerprint } = plugin;
    try {
      this.dialog.close(
        await this.api.send('POST /api/v1/external-clusters/{name}/consent', this.data, { fingerprint }),
      );
    } catch (error) {
      this.error.set(ApiProblem.of(error).message);
      this.details.reload();
    } finally {
      this.sending.set(false);
    }
  }
}
