import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, validate } from '@angular/forms/signals';
import { Api } from '../../shared/api/api';
import type { AlertDto, LogSourceDto } from '../../shared/api/api-types';
import { apiSubmission, formError } from '../../shared/ui/field/submission';
import { Clock } from '../../shared/browser/clock';
import { sameJson } from '../../shared/format/same-json';
import { ApiResource, apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import {
  type AlertDraft,
  conditionOf,
  draftOf,
  EMPTY_DRAFT,
  proposedName,
  requestOf,
  secondsOf,
} from './alert-draft';
import { LEVEL_CHOICES, type LevelChoice } from '../search-model/log-query';
import { previewText } from './alert-preview';
import { WEBHOOK_FORMS } from './webhook-forms';

/** So that typing does not search with each key. */
const PREVIEW_PAUSE_MS = 600;

const SOURCES = [
  { key: 'runtime', label: $localize`Engine`, placeholder: 'docker' },
  { key: 'cluster', label: $localize`Cluster`, placeholder: 'payments-dev' },
  { key: 'namespace', label: $localize`Namespace`, placeholder: 'payments' },
  { key: 'workload', label: $localize`Workload`, placeholder: 'Deployment/payments-api' },
  { key: 'name', label: $localize`Container, pod or node`, placeholder: 'payments-api-*' },
] as const;

const FIGURES = [
  { key: 'threshold', label: $localize`Lines`, hint: $localize`Minimum` },
  { key: 'window_seconds', label: $localize`Within`, hint: $localize`Such as 30s, 5m or 1h` },
  { key: 'quiet_seconds', label: $localize`Cooldown`, hint: $localize`Before it fires again` },
] as const;

type SourceField = (typeof SOURCES)[number]['key'];

function valuesOf(sources: readonly LogSourceDto[]): Record<SourceField, string[]> {
  const values = (key: SourceField): string[] =>
    [...new Set(sources.map((source) => source[key] ?? ''))].filter((value) => value !== '').sort();
  return {
    runtime: values('runtime'),
    cluster: values('cluster'),
    namespace: values('namespace'),
    workload: values('workload'),
    name: values('name'),
  };
}

/** @param data an alert to edit, the draft of a new one, or null */
function startOf(data: AlertDto | AlertDraft | null): AlertDraft {
  if (!data) return EMPTY_DRAFT;
  return 'id' in data ? draftOf(data) : data;
}

@Component({
  selector: 'sw-alert-dialog',
  imports: [UI, FormField, FormRoot],
  templateUrl: './alert-dialog.html',
})
export class AlertDialog {
  private readonly data = inject<AlertDto | AlertDraft | null>(DIALOG_DATA);
  /** Null for a new alert. */
  private readonly edited = this.data && 'id' in this.data ? this.data : null;
  protected readonly dialog = inject<DialogRef<AlertDto>>(DialogRef);
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  protected readonly draft = signal(startOf(this.data));
  protected readonly form = form(
    this.draft,
    (path) => {
      for (const duration of [path.window_seconds, path.quiet_seconds]) {
        validate(duration, ({ value }) =>
          Number.isNaN(secondsOf(value()))
            ? { kind: 'duration', message: $localize`Enter a duration such as 30s, 5m or 1h.` }
            : null,
        );
      }
    },
    { submission: apiSubmission((draft) => this.save(draft)) },
  );
  protected readonly error = computed(() => formError(this.form));
  protected readonly levels = LEVEL_CHOICES;
  protected readonly sources = SOURCES;
  private readonly present = apiResource('/api/sources');
  /** Values of the present sources, to choose from. */
  protected readonly known = computed(() => valuesOf(this.present.value() ?? []));
  protected readonly proposed = computed(() => proposedName(this.draft()));
  private readonly history = new ApiResource(
    (condition: ReturnType<typeof conditionOf>, signal) =>
      this.api.send('POST /api/alerts/preview', {}, condition, signal),
    computed(() => conditionOf(this.draft()), { equal: sameJson }),
    { delayMs: PREVIEW_PAUSE_MS },
  );
  protected readonly preview = computed(() => {
    const problem = this.history.problem();
    if (problem) {
      // Below the field, the form says what is wrong.
      return problem.code === 'invalid_input'
        ? ''
        : $localize`Could not check the history: ${problem.message}`;
    }
    const found = this.history.current();
    return found ? previewText(found, this.clock.now()) : $localize`Checking the history …`;
  });
  protected readonly figures = FIGURES;
  protected readonly formats = Object.entries(WEBHOOK_FORMS);
  protected readonly format = computed(() => WEBHOOK_FORMS[this.draft().webhook.form]);
  /** Whether the optional sections have values at first. */
  protected readonly narrowed = SOURCES.some(({ key }) => this.draft().sources[key] !== '');
  protected readonly excludes = (['without', 'field', 'without_field'] as const).some(
    (key) => this.draft().query[key] !== '',
  );
  protected readonly title = this.edited
    ? $localize`Edit ${this.edited.name}:name:`
    : $localize`Create alert`;
  protected readonly action = this.edited ? $localize`Save` : $localize`Create`;
  protected readonly busyAction = $localize`Saving …`;
  protected readonly secretNote = this.draft().hasSecret
    ? $localize`leave empty to keep the current one`
    : $localize`signs each request`;

  protected setLevel(level: LevelChoice, isSelected: boolean): void {
    this.form.query
      .level()
      .value.update((levels) =>
        LEVEL_CHOICES.filter((one) => (one === level ? isSelected : levels.includes(one))),
      );
  }

  private async save(draft: AlertDraft): Promise<void> {
    const { edited } = this;
    const request = requestOf(draft);
    this.dialog.close(
      edited
        ? await this.api.send('PUT /api/alerts/{id}', { id: edited.id }, request)
        : await this.api.send('POST /api/alerts', {}, request),
    );
  }
}
