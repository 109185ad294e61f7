import { afterRenderEffect, Component, computed, ElementRef, inject, input, viewChild } from '@angular/core';
import { ConfigDiff } from '../editor/config-diff';
import { ConfigEditor } from '../editor/config-editor';
import { ProblemList } from '../editor/problem-list';
import { rightsIn } from '../external/kind-rights';
import { KindSchemas } from './kind-schemas';
import type { DraftView, ObjectDraft } from './object-draft';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-object-yaml',
  imports: [ConfigDiff, ConfigEditor, ProblemList, UI],
  template: `
    @if (draft().problem(); as problem) {
      @if (!draft().theirs()) {
        <sw-notice tone="failed"><b i18n>Could not save.</b> {{ problem.message }}</sw-notice>
      }
    }
    @if (draft().theirs(); as theirs) {
      <sw-notice i18n tone="warning">
        <b>The object changed in the cluster.</b> Your changes are kept. Keep yours to review what they would
        overwrite, or discard them.
        <button action class="link" (click)="draft().view.set('theirs')">Compare</button>
        <button action class="link" [disabled]="draft().busy()" (click)="draft().keepMine()">
          Keep mine
        </button>
        <button action class="link" (click)="draft().discard()">Use theirs</button>
      </sw-notice>
    }
    <div #place class="place fill flex-column" tabindex="-1">
      <sw-config-editor
        [hidden]="draft().view() !== 'edit'"
        label="YAML of {{ draft().base()?.name | swRaw }}"
        i18n-label
        [readOnly]="!editable()"
        [schemas]="editable() ? schemas : undefined"
        [checked]="true"
        [(text)]="draft().text"
        (save)="check()"
      />
      @if (draft().view() === 'theirs') {
        <sw-config-diff
          label="Diff of the cluster’s version and yours"
          i18n-label
          [before]="draft().theirs()?.yaml ?? ''"
          [after]="draft().text()"
        />
      }
      @if (draft().view() === 'review') {
        @if (draft().review(); as review) {
          @if (review.outcome === 'unchanged') {
            <sw-placeholder i18n heading="No changes" i18n-heading
              >The dry run changes nothing.</sw-placeholder
            >
          } @else {
            <sw-config-diff label="Changes" i18n-label [before]="review.before" [after]="review.after" />
          }
        }
      }
    </div>
    @for (warning of draft().view() === 'review' ? draft().review()?.warnings : []; track $index) {
      <sw-notice tone="warning">{{ warning }}</sw-notice>
    }
    <div class="panel-foot">
      <span i18n id="config-keys" class="xs">
        @if (!editable()) {
          Read-only
        } @else if (draft().view() === 'review') {
          Result of a server-side dry run
        } @else {
          <span class="key-hints"
            ><kbd>Ctrl Space</kbd> completes, <kbd>F8</kbd> finds the next problem, <kbd>Ctrl S</kbd> reviews.
            Press <kbd>Esc</kbd>, then <kbd>Tab</kbd>, to leave the editor.</span
          >
        }
      </span>
      <span class="flow tight end">
        @if (draft().view() === 'edit') {
          @if (draft().dirty()) {
            <button i18n class="btn small" [disabled]="draft().busy()" (click)="draft().discard()">
              Discard
            </button>
          }
          @if (editable()) {
            <button
              i18n
              class="btn small primary"
              data-changes
              [attr.data-denied]="denied()"
              [disabled]="!draft().dirty() || draft().busy() || draft().theirs() !== undefined"
              (click)="check()"
            >
              {draft().busy(), select, true {Checking} other {Review changes}}
            </button>
          }
        } @else {
          <button i18n class="btn small" (click)="draft().view.set('edit')">Back to editor</button>
          @if (draft().view() === 'review' && draft().review()?.outcome === 'configured') {
            <button
              i18n
              class="btn small primary"
              data-changes
              [attr.data-denied]="denied()"
              [disabled]="draft().busy() || draft().theirs() !== undefined"
              (click)="draft().save()"
            >
              <sw-icon name="check" />{draft().busy(), select, true {Saving} other {Save}}
            </button>
          }
        }
      </span>
    </div>
    @if (draft().view() === 'edit') {
      @if (schemas.problem(); as reason) {
        <p class="panel-foot hint">{{ reason }}</p>
      }
      <sw-problem-list [problems]="editor()?.found() ?? []" (chosen)="editor()?.goTo($event)" />
    }
  `,
  styles: `
    .place {
      outline: none;
      min-height: 160px;
    }
    sw-notice {
      margin: 8px 12px;
    }
    sw-config-editor,
    sw-config-diff {
      flex: 1;
      overflow: hidden;
    }
  `,
  host: {
    class: 'fill flex-column',
    'data-changes': '',
    '[attr.data-denied]': 'denied()',
    '(keydown.control.s)': 'press($event)',
    '(keydown.meta.s)': 'press($event)',
  },
})
export class ObjectYaml {
  readonly draft = input.required<ObjectDraft>();
  protected readonly editable = computed(() => this.draft().base()?.type.verbs.includes('update') ?? false);
  private readonly rights = rightsIn(() => ({
    key: this.draft().key,
    namespaces: [this.draft().base()?.namespace ?? null],
  }));
  protected readonly denied = computed(() => this.rights.denied(this.draft().base()?.type, ['update']));
  private readonly place = viewChild.required<ElementRef<HTMLElement>>('place');
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly editor = viewChild(ConfigEditor);
  protected readonly schemas = new KindSchemas(computed(() => this.draft().key));
  private lastView: DraftView = 'edit';

  constructor() {
    afterRenderEffect(() => {
      const view = this.draft().view();
      if (view !== this.lastView) this.keepFocus();
      this.lastView = view;
    });
  }

  protected check(): void {
    const draft = this.draft();
    if (draft.dirty() && draft.theirs() === undefined) void draft.check();
  }

  /** Beside the editor too, which has no focus after a change of the view. */
  protected press(event: Event): void {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (this.draft().view() === 'edit') this.check();
  }

  /** Switching the view hides the focused element: keeps the focus in the panel. */
  private keepFocus(): void {
    const { activeElement, body } = document;
    if (activeElement === body || this.host.contains(activeElement)) {
      this.place().nativeElement.focus({ preventScroll: true });
    }
  }
}
