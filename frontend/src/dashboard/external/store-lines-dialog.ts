import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, pattern, required } from '@angular/forms/signals';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { HistoryEstimateDto, HistoryScopeDto } from '../../shared/api/api-types';
import { sameJson } from '../../shared/format/same-json';
import { ClustersStore } from '../../shared/live/clusters-store';
import { apiResource } from '../../shared/loading/api-resource';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { NAMESPACE } from '../resource-model/namespaces';
import { typeParams } from '../resource-model/resource-address';
import { estimateSentences, isExternal, offeredNamespaces, requestedHistory } from './external-labels';

const NAMESPACES = { group: 'core', version: 'v1', plural: 'namespaces' };
const MOST = 1000;
const ONE = '/api/v1/external-clusters/{name}';

export interface StoreLinesOptions {
  /** Of the external cluster. */
  name: string;
  /** Offered first; may be empty. */
  namespace: string;
}

/** Chooses Pods whose log lines are stored, after an estimate of what they write. Closes with the scope. */
@Component({
  selector: 'sw-store-lines-dialog',
  imports: [FormField, FormRoot, UI],
  template: `
    <form swDialog [error]="error()" [formRoot]="form">
      <h2 i18n id="dialog-title" class="fill anywhere">Store log lines of {{ data.name }}</h2>
      <p i18n class="soft sm">
        Slipway follows the Pods that you choose and stores their lines on this machine, also of Pods that are
        deleted later.
      </p>
      <sw-field label="Namespace" i18n-label>
        <input swVerbatim data-first list="history-namespaces" [formField]="form.namespace" />
        <datalist id="history-namespaces">
          @for (name of namespaces(); track name) {
            <option [value]="name"></option>
          }
        </datalist>
      </sw-field>
      <sw-field
        label="Label selector"
        i18n-label
        [optional]="true"
        hint="As in kubectl get -l, such as app=web. By default all Pods of the namespace."
        i18n-hint
      >
        <input swVerbatim [formField]="form.selector" />
      </sw-field>
      <div role="status" class="sm">
        @if (form().submitting() && !estimate()) {
          <p i18n class="soft">Reading the last minute of the logs …</p>
        }
        @for (sentence of estimate() ?? []; track sentence) {
          <p>{{ sentence }}</p>
        }
      </div>
      <button data-writes action i18n [swSubmit]="form().submitting()">
        {estimate() !== null, select, true {Store lines} other {Estimate}}
      </button>
    </form>
  `,
})
export class StoreLinesDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<HistoryScopeDto>>(DialogRef);
  protected readonly data = inject<StoreLinesOptions>(DIALOG_DATA);
  private readonly clusters = inject(ClustersStore);
  private readonly key = { name: this.data.name, runtime: 'kubeconfig' };
  private readonly cluster = computed(() => {
    const cluster = this.clusters.find(this.key.name, this.key.runtime);
    return isExternal(cluster) ? cluster : undefined;
  });
  private readonly listed = apiResource(
    '/api/v1/clusters/{name}/resources/{group}/{version}/{plural}',
    () => ({ ...typeParams(this.key, NAMESPACES), limit: MOST }),
  );
  protected readonly namespaces = computed(
    () =>
      this.listed.value()?.rows.map(({ name }) => name) ??
      offeredNamespaces(this.cluster(), this.listed.problem() !== null),
  );
  private readonly model = signal({ namespace: this.data.namespace, selector: '' });
  protected readonly form = form(
    this.model,
    (path) => {
      required(path.namespace, { message: $localize`Is required.` });
      pattern(path.namespace, NAMESPACE, { message: $localize`Must be a namespace, such as shop.` });
    },
    { submission: apiSubmission(() => this.attempt()) },
  );
  private readonly failure = signal('');
  protected readonly error = computed(() => this.failure() || formError(this.form));
  private readonly scope = computed((): HistoryScopeDto => {
    const { namespace, selector } = this.model();
    return { namespace, selector: selector.trim() || null };
  });
  private readonly estimated = signal<{ scope: HistoryScopeDto; estimate: HistoryEstimateDto } | null>(null);
  /** Of the Pods in the form; null before it, and after a change. */
  protected readonly estimate = computed(() => {
    const estimated = this.estimated();
    return estimated && sameJson(estimated.scope, this.scope())
      ? estimateSentences(estimated.estimate)
      : null;
  });

  /** A failure is no error of the form, which could not be sent again before a change. */
  private async attempt(): Promise<void> {
    this.failure.set('');
    try {
      await this.send();
    } catch (thrown) {
      const problem = ApiProblem.of(thrown);
      if (problem.fields.length > 0) throw thrown;
      this.failure.set(problem.message);
    }
  }

  /** Estimates first, then stores. */
  private async send(): Promise<void> {
    const { name } = this.data;
    const scope = this.scope();
    const [requested = { namespace: scope.namespace }] = requestedHistory([scope]);
    if (this.estimate() === null) {
      const estimate = await this.api.get(`${ONE}/history-estimate`, { name, ...requested });
      this.estimated.set({ scope, estimate });
      return;
    }
    const others = this.cluster()?.external.history.filter((one) => !sameJson(one, scope)) ?? [];
    await this.api.send(`PATCH ${ONE}`, { name }, { history: [...requestedHistory(others), requested] });
    this.dialog.close(scope);
  }
}
