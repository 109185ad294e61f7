import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot } from '@angular/forms/signals';
import type { AlertDto } from '../../shared/api/api-types';
import { CloseButton } from '../../shared/ui/close-button';
import { Field } from '../../shared/ui/field/field';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { Notice } from '../../shared/ui/notice';
import {
  type AlertDraft,
  type AlertToEdit,
  DRAFT_LEVELS,
  type DraftLevel,
  draftOf,
  EMPTY_DRAFT,
  requestOf,
} from './alert-draft';
import { AlertsApi } from './alerts-api';
import { formChoice, WEBHOOK_FORMS } from './webhook-forms';

/** Form fields by the API's names, where they differ. */
const FIELDS: Readonly<Record<string, keyof AlertDraft>> = {
  'query.text': 'text',
  'query.without': 'without',
  'query.field': 'field',
  'query.without_field': 'withoutField',
  'sources.runtime': 'runtime',
  'sources.cluster': 'cluster',
  'sources.namespace': 'namespace',
  'sources.workload': 'workload',
  'sources.name': 'source',
  window_seconds: 'window',
  quiet_seconds: 'quiet',
  'webhook.url': 'url',
  'webhook.secret': 'secret',
};

const SOURCES = [
  { key: 'runtime', label: $localize`Engine`, placeholder: 'docker' },
  { key: 'cluster', label: $localize`Cluster`, placeholder: 'payments-dev' },
  { key: 'namespace', label: $localize`Namespace`, placeholder: 'payments' },
  { key: 'workload', label: $localize`Workload`, placeholder: 'Deployment/payments-api' },
  { key: 'source', label: $localize`Container, pod or node`, placeholder: 'payments-api-*' },
] as const;

const FIGURES = [
  { key: 'threshold', label: $localize`Lines`, hint: $localize`Minimum` },
  { key: 'window', label: $localize`Within (seconds)`, hint: '' },
  { key: 'quiet', label: $localize`Cooldown (seconds)`, hint: $localize`Before it fires again` },
] as const;

/** Creates or edits an alert. */
@Component({
  selector: 'sw-alert-dialog',
  imports: [CloseButton, Field, FormField, FormRoot, Notice],
  templateUrl: './alert-dialog.html',
})
export class AlertDialog {
  private readonly edited = inject<AlertToEdit>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<AlertDto>>(DialogRef);
  private readonly api = inject(AlertsApi);
  protected readonly draft = signal<AlertDraft>(
    this.edited.alert ? draftOf(this.edited.alert) : (this.edited.draft ?? EMPTY_DRAFT),
  );
  protected readonly form = form(this.draft, {
    submission: apiSubmission((draft) => this.save(draft), FIELDS),
  });
  protected readonly error = computed(() => formError(this.form));
  protected readonly levels = DRAFT_LEVELS;
  protected readonly sources = SOURCES;
  protected readonly figures = FIGURES;
  protected readonly formats = WEBHOOK_FORMS;
  protected readonly format = computed(() => formChoice(this.draft().form));
  /** Whether the optional sections have values at first. */
  protected readonly narrowed = SOURCES.some(({ key }) => this.draft()[key] !== '');
  protected readonly excludes = (['without', 'field', 'withoutField'] as const).some(
    (key) => this.draft()[key] !== '',
  );
  protected readonly title = this.edited.alert
    ? $localize`Edit ${this.edited.alert.name}:name:`
    : $localize`Create alert`;
  protected readonly action = this.edited.alert ? $localize`Save` : $localize`Create`;
  protected readonly busyAction = $localize`Saving …`;
  protected readonly secretNote = this.draft().hasSecret
    ? $localize`leave empty to keep the present one`
    : $localize`signs each request`;

  protected setLevel(level: DraftLevel, isSelected: boolean): void {
    this.draft.update((draft) => ({
      ...draft,
      level: DRAFT_LEVELS.filter((one) => (one === level ? isSelected : draft.level.includes(one))),
    }));
  }

  protected close(): void {
    this.dialog.close();
  }

  private async save(draft: AlertDraft): Promise<void> {
    const { alert } = this.edited;
    const request = requestOf(draft);
    this.dialog.close(alert ? await this.api.update(alert.id, request) : await this.api.create(request));
  }
}
