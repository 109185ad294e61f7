import { Component, computed, inject, input, linkedSignal, output, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import { apiResource } from '../../shared/loading/api-resource';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';
import { ConfigEditor } from '../editor/config-editor';
import { contentUrl, type FileOwner, fileParams } from './file-owner';

/** A text file of a container in the editor. */
@Component({
  selector: 'sw-text-file',
  imports: [ConfigEditor, UI],
  template: `
    <section class="panel" aria-labelledby="file-title">
      <div class="panel-head">
        <h2 id="file-title" class="mono anywhere">{{ path() | swRaw }}</h2>
        @if (isChanged()) {
          <span i18n class="tag note">Unsaved</span>
        }
        <span class="flow tight end">
          <a class="btn small" [href]="contentUrl(of(), path())" download i18n
            ><sw-icon name="download" />Download</a
          >
          <button
            i18n
            class="btn small primary"
            data-changes
            title="Ctrl S"
            i18n-title
            [disabled]="!isChanged() || saving()"
            (click)="save()"
          >
            {saving(), select, true {Saving} other {Save}}
          </button>
          <sw-close-button (closed)="closed.emit()" />
        </span>
      </div>
      @if (problem(); as text) {
        <sw-notice tone="failed"><b i18n>The file was not saved.</b> {{ text }}</sw-notice>
      }
      @if (read.problem()) {
        <sw-load-error heading="Could not open the file" i18n-heading [of]="read" />
      } @else if (isRead()) {
        <sw-config-editor
          class="text"
          data-changes
          [label]="path() | swRaw"
          [language]="isYaml() ? 'yaml' : 'text'"
          [readOnly]="saving()"
          [(text)]="text"
          (save)="save()"
        />
        <div class="panel-foot">
          <span i18n id="config-keys" class="key-hints end">
            <kbd>Ctrl S</kbd> to save. Press <kbd>Esc</kbd>, then <kbd>Tab</kbd>, to leave the editor.
          </span>
        </div>
      } @else {
        <sw-skeleton-rows label="Loading the file" i18n-label [height]="24" [count]="8" />
      }
    </section>
  `,
  styles: `
    .text {
      height: clamp(260px, calc(100dvh - 340px), 800px);
      border-top: 1px solid var(--line);
      background: var(--sunken);
    }
  `,
  host: { class: 'block' },
})
export class TextFile {
  protected readonly contentUrl = contentUrl;
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);

  readonly of = input.required<FileOwner>();
  readonly path = input.required<string>();
  readonly closed = output();

  readonly read = apiResource('/api/v1/clusters/{name}/pods/{namespace}/{pod}/files/text', () =>
    fileParams(this.of(), this.path()),
  );
  /** The file in the container, as far as known. */
  private readonly saved = linkedSignal(() => this.read.value());
  protected readonly text = linkedSignal(() => this.read.value()?.text ?? '');
  protected readonly isRead = computed(() => this.saved()?.path === this.path());
  protected readonly isChanged = computed(() => this.isRead() && this.text() !== this.saved()?.text);
  protected readonly isYaml = computed(() => /\.ya?ml$/.test(this.path()));
  protected readonly saving = signal(false);
  protected readonly problem = signal<string | null>(null);

  protected async save(): Promise<void> {
    const [saved, text] = [this.saved(), this.text()];
    if (!saved || !this.isChanged() || this.saving()) return;
    this.saving.set(true);
    this.problem.set(null);
    try {
      const { version } = await this.api.send(
        'PUT /api/v1/clusters/{name}/pods/{namespace}/{pod}/files/text',
        fileParams(this.of(), saved.path),
        { text, version: saved.version },
      );
      this.saved.set({ ...saved, text, version });
      this.toaster.done($localize`Saved ${saved.path}:file:.`);
    } catch (error) {
      this.problem.set(ApiProblem.of(error).message);
    } finally {
      this.saving.set(false);
    }
  }

  /** Asks before unsaved changes are lost. */
  async mayLeave(): Promise<boolean> {
    if (!this.isChanged()) return true;
    return await this.confirm.ask({
      title: $localize`Leave without saving?`,
      text: [$localize`Your changes of ${this.path()}:file: are not saved.`],
      action: $localize`Leave`,
      danger: true,
    });
  }
}
