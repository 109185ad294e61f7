import {
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  untracked,
  viewChild,
} from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { PodContainerDto } from '../../shared/api/api-types';
import { readRows } from '../../shared/lines/copy-rows';
import { LineList } from '../../shared/lines/line-list';
import type { SourceStyle } from '../../shared/lines/line-style';
import type { LogLine } from '../../shared/lines/log-line';
import { ViewOptions } from '../../shared/lines/view-options';
import { apiResource } from '../../shared/loading/api-resource';
import { saveFile } from '../../shared/ui/save-file';
import { UI } from '../../shared/ui/ui';
import { PodLogLine } from './pod-log-line';
import { PodLogReader } from './pod-log-reader';

const ROLES = { init: $localize`init`, sidecar: $localize`sidecar`, main: '', ephemeral: $localize`debug` };

/** Logs of a Pod in the object panel, read from the cluster and followed. */
@Component({
  selector: 'sw-pod-logs',
  imports: [LineList, PodLogLine, UI],
  providers: [PodLogReader],
  host: { class: 'flex-column fill', '(keydown.escape)': 'escape($event)' },
  template: `
    @if (containers(); as all) {
      <div class="pad flow line-below sm">
        <label class="field container">
          <span i18n class="sr-only">Container</span>
          <select #choice (change)="chosen.set(choice.value)">
            @for (each of all; track each.name) {
              <option [value]="each.name" [selected]="each.name === chosen()">{{ labelOf(each) }}</option>
            }
          </select>
        </label>
        @if (container()?.restarts) {
          <label i18n class="check">
            <input #before type="checkbox" [checked]="previous()" (change)="previous.set(before.checked)" />
            Previous instance
          </label>
        }
        <button
          i18n
          class="btn small"
          [attr.aria-pressed]="options.wrap()"
          (click)="options.wrap.set(!options.wrap())"
        >
          Wrap
        </button>
        <button i18n class="btn small" [attr.aria-disabled]="isEmpty() || null" (click)="download()">
          <sw-icon name="download" />Download
        </button>
        @if (run.state() === 'open') {
          <span class="inline muted xs"
            ><sw-state state="running" [silent]="true" /><ng-container i18n>Following</ng-container></span
          >
        }
      </div>
      @if (run.state() === 'failed' && isEmpty()) {
        <sw-load-error
          heading="Could not load the log"
          i18n-heading
          [message]="run.problem()?.message"
          (retry)="open()"
        />
      } @else if (run.state() === 'opening') {
        <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
      } @else if (isEmpty()) {
        <sw-placeholder i18n heading="No log lines" i18n-heading>
          {run.state(), select, ended {The container has terminated.} other {New lines appear here.}}
        </sw-placeholder>
      } @else {
        @if (run.leftOut(); as count) {
          <p i18n class="panel-note">{{ count }} older lines were omitted because of their size.</p>
        }
        <sw-line-list
          class="fill"
          [rows]="run.rows()"
          label="Log of {{ chosen() }}"
          i18n-label
          [sourceStyle]="sourceStyle"
          [wrap]="options.wrap()"
          [time]="options.time()"
          [size]="options.size()"
          [mixed]="false"
          [growing]="run.state() === 'open'"
          (opened)="opened.set($event)"
        />
        @if (opened(); as line) {
          <sw-pod-log-line
            [line]="line"
            [whole]="run.whole(line)"
            [isUtc]="options.time() === 'utc'"
            (closed)="close()"
          />
        }
        @if (ending(); as text) {
          <p class="panel-note" role="status">
            {{ text }}
            <button i18n class="link" (click)="open()">Reload</button>
          </p>
        }
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the containers" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
    }
  `,
  styles: `
    .container {
      flex: 1 1 10rem;
    }
    .panel-note {
      padding-block: 6px;
    }
  `,
})
export class PodLogs {
  protected readonly run = inject(PodLogReader);
  protected readonly options = inject(ViewOptions);
  readonly key = input.required<ClusterKey>();
  readonly namespace = input.required<string>();
  readonly pod = input.required<string>();

  protected readonly read = apiResource('/api/v1/clusters/{name}/pods/{namespace}/{pod}/containers', () => ({
    ...this.key(),
    namespace: this.namespace(),
    pod: this.pod(),
  }));
  protected readonly containers = computed(() => this.read.current()?.containers);
  protected readonly chosen = linkedSignal<readonly PodContainerDto[] | undefined, string | undefined>({
    source: this.containers,
    computation: (all, before) =>
      all?.find(({ name }) => name === before?.value)?.name ??
      (all?.find(({ role }) => role === 'main') ?? all?.[0])?.name,
  });
  protected readonly container = computed(() =>
    this.containers()?.find(({ name }) => name === this.chosen()),
  );
  protected readonly previous = linkedSignal({ source: this.chosen, computation: () => false });
  protected readonly opened = linkedSignal<unknown, LogLine | null>({
    source: this.run.rows,
    computation: () => null,
  });
  private readonly list = viewChild(LineList);
  protected readonly isEmpty = computed(() => {
    const rows = this.run.rows();
    rows.version();
    return rows.end === rows.first;
  });
  /** Why no more lines arrive; null while following. */
  protected readonly ending = computed(() => {
    if (this.run.state() === 'failed') return this.run.problem()?.message ?? null;
    if (this.run.state() !== 'ended') return null;
    return this.previous()
      ? $localize`This instance has terminated.`
      : $localize`The container has terminated.`;
  });
  protected readonly sourceStyle = (): SourceStyle => ({ name: this.pod(), title: this.pod(), hue: 1 });

  constructor() {
    effect(() => {
      this.chosen();
      this.previous();
      untracked(() => this.open());
    });
  }

  protected labelOf({ name, role, waiting }: PodContainerDto): string {
    const details = [ROLES[role], waiting].filter(Boolean);
    return details.length === 0 ? name : `${name} (${details.join(', ')})`;
  }

  protected close(): void {
    this.opened.set(null);
    this.list()?.focus();
  }

  /** The lines in memory, with their times. */
  protected download(): void {
    const rows = this.run.rows();
    if (this.isEmpty()) return;
    const { text } = readRows(rows, rows.first, rows.end - 1, null, Infinity);
    saveFile(`${text}\n`, `${this.pod()}-${this.chosen() ?? ''}.log`, 'text/plain');
  }

  /** Closes the open line; the next Esc closes the panel. */
  protected escape(event: Event): void {
    if (!this.opened()) return;
    event.stopPropagation();
    this.close();
  }

  protected open(): void {
    const container = this.chosen();
    if (container === undefined) {
      this.run.stop();
      return;
    }
    const [key, namespace, pod] = [this.key(), this.namespace(), this.pod()];
    void this.run.read({ key, namespace, pod, container, previous: this.previous() });
  }
}
