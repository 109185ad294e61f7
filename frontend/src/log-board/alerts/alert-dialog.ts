import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, DOCUMENT, inject, signal } from '@angular/core';
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
import type { AlertToEdit } from './edit-alert';

/** Controls of the form, by the field of the request whose complaint each shows. */
const CONTROLS: Readonly<Record<string, string>> = {
  name: 'alert-name',
  'query.text': 'alert-text',
  'query.without': 'alert-without',
  'query.field': 'alert-field',
  'query.without_field': 'alert-without-field',
  'sources.runtime': 'alert-runtime',
  'sources.cluster': 'alert-cluster',
  'sources.namespace': 'alert-namespace',
  'sources.workload': 'alert-workload',
  'sources.name': 'alert-source',
  threshold: 'alert-threshold',
  window_seconds: 'alert-window',
  quiet_seconds: 'alert-quiet',
  'webhook.url': 'alert-url',
  'webhook.secret': 'alert-secret',
};

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
  /** What the server refused, by control. */
  protected readonly complaints = signal<Readonly<Record<string, string>>>({});
  /** What has no control. */
  protected readonly problem = signal<string | null>(null);
  protected readonly levels = DRAFT_LEVELS;
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
    const complaints: Record<string, string> = {};
    const others: string[] = [];
    for (const { field, problem: words } of problem.fields) {
      const control = CONTROLS[field];
      if (control) complaints[control] = asSentence(words);
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
      const control = this.document.getElementById(first);
      control?.closest('details')?.setAttribute('open', '');
      control?.focus();
    });
  }
}

function isNarrowed({ runtime, cluster, namespace, workload, source }: AlertDraft): boolean {
  return [runtime, cluster, namespace, workload, source].some((part) => part !== '');
}
