import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, DOCUMENT, inject, signal } from '@angular/core';
import { ApiProblem } from '../../shared/api/api-problem';
import type { AlertDto } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import {
  type AlertDraft,
  draftOf,
  draftOfSearch,
  DRAFT_LEVELS,
  type DraftLevel,
  requestOf,
} from './alert-draft';
import { AlertField } from './alert-field';
import { AlertsApi } from './alerts-api';
import { formChoice, WEBHOOK_FORMS } from './webhook-forms';

/** What the form begins with: an alert that is there, or a draft of a new one. */
export interface AlertToEdit {
  alert: AlertDto | null;
  draft?: AlertDraft;
}

/** What is typed. A control has its name, with `alert-` before it. */
type Typed = { [Key in keyof AlertDraft]: AlertDraft[Key] extends string ? Key : never }[keyof AlertDraft];

/** By the field of the request, whose complaint each shows. */
const TYPED: Readonly<Record<string, Typed>> = {
  name: 'name',
  'query.text': 'text',
  'query.without': 'without',
  'query.field': 'field',
  'query.without_field': 'withoutField',
  'sources.runtime': 'runtime',
  'sources.cluster': 'cluster',
  'sources.namespace': 'namespace',
  'sources.workload': 'workload',
  'sources.name': 'source',
  threshold: 'threshold',
  window_seconds: 'window',
  quiet_seconds: 'quiet',
  'webhook.url': 'url',
  'webhook.secret': 'secret',
};

const PARTS = [
  { key: 'field', label: 'Fields', note: 'name:value, one a line', placeholder: 'status:504' },
  {
    key: 'withoutField',
    label: 'Without fields',
    note: 'name:value, one a line',
    placeholder: 'method:OPTIONS',
  },
  { key: 'without', label: 'Without texts', note: 'one text a line', placeholder: '' },
] as const;

const ORIGINS = [
  { key: 'runtime', label: 'Engine', placeholder: 'docker' },
  { key: 'cluster', label: 'Cluster', placeholder: 'payments-dev' },
  { key: 'namespace', label: 'Namespace', placeholder: 'payments' },
  { key: 'workload', label: 'Workload', placeholder: 'Deployment/payments-api' },
  { key: 'source', label: 'Container, pod or node', placeholder: 'payments-api-*' },
] as const;

const FIGURES = [
  { key: 'threshold', label: 'Lines', hint: 'at least so many' },
  { key: 'window', label: 'Within seconds', hint: 'the window' },
  { key: 'quiet', label: 'Then quiet for seconds', hint: 'before it fires again' },
] as const;

/** The form of an alert: a new one, or one that is there. */
@Component({
  selector: 'sw-alert-dialog',
  imports: [AlertField, Icon, Notice],
  templateUrl: './alert-dialog.html',
  styleUrl: './alert-dialog.scss',
})
export class AlertDialog {
  protected readonly edited = inject<AlertToEdit>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<AlertDto>>(DialogRef);
  private readonly api = inject(AlertsApi);
  private readonly document = inject(DOCUMENT);
  protected readonly draft = signal<AlertDraft>(
    this.edited.alert
      ? draftOf(this.edited.alert)
      : (this.edited.draft ?? draftOfSearch(new URLSearchParams())),
  );
  protected readonly sending = signal(false);
  /** What the server refused. */
  protected readonly complaints = signal<Readonly<Partial<Record<Typed, string>>>>({});
  /** What has no control. */
  protected readonly problem = signal<string | null>(null);
  protected readonly levels = DRAFT_LEVELS;
  protected readonly parts = PARTS;
  protected readonly origins = ORIGINS;
  protected readonly figures = FIGURES;
  protected readonly forms = WEBHOOK_FORMS;
  protected readonly form = computed(() => formChoice(this.draft().form));
  /** Whether it began with only some sources. */
  protected readonly narrowed = isNarrowed(this.draft());
  protected readonly title = this.edited.alert ? `Edit ${this.edited.alert.name}` : 'New alert';

  protected set<TKey extends keyof AlertDraft>(key: TKey, value: AlertDraft[TKey]): void {
    this.draft.update((draft) => ({ ...draft, [key]: value }));
  }

  protected setLevel(level: DraftLevel, wanted: boolean): void {
    const { level: before } = this.draft();
    this.set(
      'level',
      DRAFT_LEVELS.filter((one) => (one === level ? wanted : before.includes(one))),
    );
  }

  protected setForm(given: string): void {
    const choice = WEBHOOK_FORMS.find(({ form }) => form === given);
    if (choice) this.set('form', choice.form);
  }

  protected close(): void {
    this.dialog.close();
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending()) return;
    this.sending.set(true);
    const request = requestOf(this.draft());
    const { alert } = this.edited;
    try {
      this.dialog.close(alert ? await this.api.update(alert.id, request) : await this.api.create(request));
    } catch (thrown) {
      this.tell(ApiProblem.of(thrown));
      this.sending.set(false);
    }
  }

  private tell(problem: ApiProblem): void {
    const complaints: Partial<Record<Typed, string>> = {};
    const others: string[] = [];
    for (const { field, problem: words } of problem.fields) {
      const typed = TYPED[field];
      if (typed) complaints[typed] = asSentence(words);
      else others.push(`${field} ${words}`);
    }
    this.complaints.set(complaints);
    const [first] = Object.keys(complaints);
    this.problem.set(
      first !== undefined && others.length === 0 ? null : others.join('; ') || problem.message,
    );
    if (first === undefined) return;
    // Once it is enabled again.
    setTimeout(() => {
      const control = this.document.getElementById(`alert-${first}`);
      control?.closest('details')?.setAttribute('open', '');
      control?.focus();
    });
  }
}

function isNarrowed(draft: AlertDraft): boolean {
  return ORIGINS.some(({ key }) => draft[key] !== '');
}
