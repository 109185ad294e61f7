import { afterRenderEffect, Component, computed, ElementRef, inject, input, viewChild } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { ConfigDifference } from '../config/config-difference';
import { ConfigEditor } from '../config/config-editor';
import type { DraftView, ObjectDraft } from './object-draft';

/** The YAML of an object: to edit, to see what saving would change, and to save. */
@Component({
  selector: 'sw-object-yaml',
  imports: [ConfigDifference, ConfigEditor, Icon, Notice, Placeholder],
  template: `
    @if (draft().problem(); as problem) {
      @if (!draft().theirs()) {
        <sw-notice tone="failed" icon="warning"><b>Not saved.</b> {{ problem.message }}</sw-notice>
      }
    }
    @if (draft().theirs(); as theirs) {
      <sw-notice tone="warning" icon="warning">
        <b>It changed in the cluster since you began.</b> Nothing that you typed is lost. Your text can follow
        on what is there now: you then see what of theirs it would undo, before it is saved.
        <button action type="button" class="link" (click)="draft().compare()">Compare</button>
        <button action type="button" class="link" (click)="draft().keepMine()">Keep mine</button>
        <button action type="button" class="link" (click)="draft().discard()">Take theirs</button>
      </sw-notice>
    }
    <div #place class="place" tabindex="-1">
      <sw-config-editor
        [hidden]="draft().view() !== 'edit'"
        [label]="'YAML of ' + draft().base()?.name"
        [readOnly]="!editable()"
        [(text)]="draft().text"
        (save)="check()"
      />
      @if (draft().view() === 'theirs') {
        <sw-config-difference
          label="How your text differs from what is in the cluster"
          [before]="draft().theirs()?.yaml ?? ''"
          [after]="draft().text()"
        />
      }
      @if (draft().view() === 'review') {
        @if (draft().review(); as review) {
          @if (review.outcome === 'unchanged') {
            <sw-placeholder heading="Nothing would change"
              >The cluster would keep it just as it is.</sw-placeholder
            >
          } @else {
            <sw-config-difference
              label="What saving changes"
              [before]="review.before"
              [after]="review.after"
            />
          }
        }
      }
    </div>
    @for (warning of draft().view() === 'review' ? draft().review()?.warnings : []; track $index) {
      <sw-notice tone="warning" icon="warning">{{ warning }}</sw-notice>
    }
    <div class="panel-foot">
      <span id="config-keys" class="keys">
        @if (!editable()) {
          It can only be read.
        } @else if (draft().view() === 'review') {
          What the cluster itself says that saving would do
        } @else {
          <span class="typed"
            ><kbd>Ctrl S</kbd> shows what would change, <kbd>Esc</kbd> then <kbd>Tab</kbd> leads out</span
          >
        }
      </span>
      <span class="acts">
        @if (draft().view() === 'edit') {
          @if (draft().dirty()) {
            <button type="button" class="btn small" [disabled]="draft().busy()" (click)="draft().discard()">
              Discard
            </button>
          }
          @if (editable()) {
            <button
              type="button"
              class="btn small primary"
              [disabled]="!draft().dirty() || draft().busy() || draft().theirs() !== undefined"
              (click)="check()"
            >
              {{ draft().busy() ? 'Asking the cluster' : 'Review changes' }}
            </button>
          }
        } @else {
          <button type="button" class="btn small" (click)="draft().edit()">Back to the text</button>
          @if (draft().view() === 'review' && draft().review()?.outcome === 'configured') {
            <button
              type="button"
              class="btn small primary"
              [disabled]="draft().busy()"
              (click)="draft().save()"
            >
              <sw-icon name="check" />{{ draft().busy() ? 'Saving' : 'Save' }}
            </button>
          }
        }
      </span>
    </div>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      flex: 1;
      min-height: 0;
    }
    sw-notice {
      margin: 8px 12px;
    }
    .place {
      outline: none;
      display: flex;
      flex-direction: column;
      flex: 1;
      min-height: 160px;
    }
    sw-config-editor,
    sw-config-difference {
      flex: 1;
      overflow: hidden;
    }
    [hidden] {
      display: none;
    }
    .panel-foot {
      flex-wrap: wrap;
      min-height: 48px;
    }
    .keys {
      font-size: var(--fs-xs);
    }
    /* A screen that is touched has none of these keys. */
    @media (pointer: coarse) {
      .typed {
        display: none;
      }
    }
    .acts {
      display: flex;
      gap: var(--s-2);
      margin-left: auto;
    }
  `,
})
export class ObjectYaml {
  readonly draft = input.required<ObjectDraft>();
  protected readonly editable = computed(() => this.draft().base()?.type.verbs.includes('update') ?? false);
  private readonly place = viewChild.required<ElementRef<HTMLElement>>('place');
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
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

  /** The editor is hidden and buttons go where the view changes, and the focus would go with them, out of the panel. */
  private keepFocus(): void {
    const { activeElement, body } = document;
    if (activeElement === body || this.host.contains(activeElement)) {
      this.place().nativeElement.focus({ preventScroll: true });
    }
  }
}
