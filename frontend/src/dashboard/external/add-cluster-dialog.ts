import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { applyWhen, form, FormField, FormRoot, maxLength, required } from '@angular/forms/signals';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterColor, ClusterDto, ContextDto } from '../../shared/api/api-types';
import { rawText } from '../../shared/format/raw-text';
import { ColorMark } from '../../shared/ui/color-mark';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { UI } from '../../shared/ui/ui';
import { clusterName } from '../create/create-model';
import { addSentences, COLORS, type ExternalCluster } from './external-labels';

export interface AddClusterOptions {
  /** null for a kubeconfig that the user pastes or uploads. */
  context: ContextDto | null;
  /** Set to edit its color and note instead. */
  cluster?: ExternalCluster;
}

/** Limits of the API. */
const MAX_NOTE = 500;
const MAX_KUBECONFIG = 400_000;

interface Model {
  kubeconfig: string;
  context: string;
  name: string;
  color: ClusterColor;
  note: string;
}

/** The form for an external cluster. Contacts nothing before it is sent. Closes with the cluster. */
@Component({
  selector: 'sw-add-cluster-dialog',
  imports: [ColorMark, FormField, FormRoot, UI],
  templateUrl: './add-cluster-dialog.html',
})
export class AddClusterDialog {
  private readonly api = inject(Api);
  private readonly dialog = inject<DialogRef<ClusterDto>>(DialogRef);
  protected readonly options = inject<AddClusterOptions>(DIALOG_DATA);
  protected readonly isNew = !this.options.cluster;
  protected readonly isPasted = this.isNew && !this.options.context;
  protected readonly title = this.options.cluster
    ? $localize`Edit ${this.options.cluster.name}:cluster:`
    : this.options.context
      ? $localize`Add ${rawText(this.options.context.context)}:context:`
      : $localize`Add a kubeconfig`;
  protected readonly sentences = this.options.cluster ? [] : addSentences(this.options.context);
  protected readonly colors = COLORS;
  /** Contexts of the pasted kubeconfig, once the server asks which one. */
  protected readonly contexts = signal<readonly string[]>([]);
  protected readonly contextProblem = signal('');
  protected readonly fileProblem = signal('');
  private readonly model = signal<Model>({
    kubeconfig: '',
    context: this.options.context?.context ?? '',
    name: '',
    color: this.options.cluster?.external.color ?? 'gray',
    note: this.options.cluster?.external.note ?? '',
  });
  protected readonly form = form(
    this.model,
    (path) => {
      applyWhen(
        path.name,
        ({ value }) => value() !== '',
        (name) => {
          clusterName(name);
        },
      );
      maxLength(path.note, MAX_NOTE, { message: $localize`Must have at most ${MAX_NOTE}:max: characters.` });
      if (this.isPasted) required(path.kubeconfig, { message: $localize`Paste or choose a kubeconfig.` });
    },
    { submission: apiSubmission((model) => this.send(model)) },
  );
  protected readonly error = computed(() => formError(this.form));

  /** Reads a file in the browser. */
  protected async read(files: FileList | null): Promise<void> {
    const file = files?.[0];
    if (!file) return;
    const isLarge = file.size > MAX_KUBECONFIG;
    this.fileProblem.set(isLarge ? $localize`${file.name}:file: is too large for a kubeconfig.` : '');
    if (isLarge) return;
    this.form.kubeconfig().value.set(await file.text());
    this.contexts.set([]);
    this.form.context().value.set('');
  }

  private async send({ kubeconfig, context, name, color, note }: Model): Promise<void> {
    const { cluster, context: listed } = this.options;
    if (cluster) {
      const key = { name: cluster.name };
      this.dialog.close(await this.api.send('PATCH /api/v1/external-clusters/{name}', key, { color, note }));
      return;
    }
    const source = listed ? { context: listed.context, file: listed.file } : { kubeconfig };
    try {
      this.dialog.close(
        await this.api.send(
          'POST /api/v1/external-clusters',
          {},
          {
            ...source,
            ...(context !== '' && { context }),
            ...(name !== '' && { name }),
            color,
            note,
          },
        ),
      );
    } catch (error) {
      if (!this.offer(ApiProblem.of(error))) throw error;
    }
  }

  /** @returns whether the user can now choose the context that the kubeconfig does not name */
  private offer({ code, details, message }: ApiProblem): boolean {
    const { contexts = [] } = (details ?? {}) as { contexts?: string[] };
    const [first] = contexts;
    if (code !== 'context_not_found' || first === undefined) return false;
    this.contexts.set(contexts);
    this.contextProblem.set(message);
    this.form.context().value.set(first);
    return true;
  }
}
