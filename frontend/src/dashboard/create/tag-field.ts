import { Combobox, ComboboxPopup, ComboboxWidget } from '@angular/aria/combobox';
import { Listbox, Option } from '@angular/aria/listbox';
import { CdkConnectedOverlay, CdkOverlayOrigin } from '@angular/cdk/overlay';
import { Component, computed, type ElementRef, input, model, output, signal, viewChild } from '@angular/core';
import type { FormValueControl } from '@angular/forms/signals';
import type { VersionsDto } from '../../shared/api/api-types';
import { groupTags, noteOf, registryNote } from './tag-groups';

@Component({
  selector: 'sw-tag-field',
  imports: [CdkConnectedOverlay, CdkOverlayOrigin, Combobox, ComboboxPopup, ComboboxWidget, Listbox, Option],
  template: `
    <input
      #input
      #origin="cdkOverlayOrigin"
      #combobox="ngCombobox"
      ngCombobox
      cdkOverlayOrigin
      id="create-node_image_tag"
      class="mono"
      autocomplete="off"
      spellcheck="false"
      placeholder="v1.34.4"
      [value]="value()"
      (valueChange)="value.set($event)"
      [(expanded)]="expanded"
      (click)="open()"
      (blur)="touch.emit()"
    />
    <ng-template ngComboboxPopup [combobox]="combobox">
      <ng-template
        cdkConnectedOverlay
        [cdkConnectedOverlayOrigin]="origin"
        [cdkConnectedOverlayOpen]="groups().length > 0 || registry() !== ''"
        [cdkConnectedOverlayDisableClose]="true"
      >
        <div class="menu" [style.width.px]="width()">
          <div
            #listbox="ngListbox"
            ngComboboxWidget
            ngListbox
            focusMode="activedescendant"
            selectionMode="explicit"
            aria-label="Suggestions"
            i18n-aria-label
            [tabindex]="-1"
            [value]="selected()"
            (valueChange)="choose($event[0])"
            [activeDescendant]="listbox.activeDescendant()"
          >
            @for (group of groups(); track group.title) {
              <div role="group" [attr.aria-label]="group.title">
                <div class="group" aria-hidden="true">{{ group.title }}</div>
                @for (tag of group.tags; track tag.tag) {
                  <div
                    ngOption
                    class="option sm"
                    [class.never]="tag.fits === 'never'"
                    [value]="tag.tag"
                    [label]="tag.tag"
                  >
                    <span class="mono">{{ tag.tag.split('@')[0] }}</span>
                    <span class="muted xs">{{ noteOf(tag, runtime()) }}</span>
                  </div>
                }
              </div>
            }
          </div>
          @if (registry(); as text) {
            <p class="group" role="status">{{ text }}</p>
          }
        </div>
      </ng-template>
    </ng-template>
  `,
  host: { '(window:resize)': 'measure()' },
  styles: `
    :host {
      flex: 1;
      height: 100%;
    }
    .menu {
      max-height: 320px;
      overflow: auto;
    }
    [ngListbox] {
      outline: 0;
    }
    .option {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      gap: 0 8px;
      padding: 6px 8px;
      border-radius: var(--r-sm);
      cursor: pointer;
    }
    .never .mono {
      color: var(--soft);
    }
    p {
      white-space: normal;
    }
    .option[data-active='true'],
    .option:hover {
      background: var(--hover);
    }
    .option[aria-selected='true'] {
      background: var(--selected);
    }
  `,
})
export class TagField implements FormValueControl<string> {
  private readonly input = viewChild.required<ElementRef<HTMLInputElement>>('input');
  readonly value = model('');
  readonly touch = output();
  readonly versions = input<VersionsDto>();
  /** Engine of the cluster: images in other engines must be pulled. */
  readonly runtime = input.required<string>();

  protected readonly expanded = signal(false);
  protected readonly noteOf = noteOf;
  protected readonly groups = computed(() => {
    const versions = this.versions();
    return versions ? groupTags(versions, this.value(), this.runtime()) : [];
  });
  /** The listbox drops values without an option, and reports that as a change. */
  protected readonly selected = computed(() =>
    this.groups().some(({ tags }) => tags.some(({ tag }) => tag === this.value())) ? [this.value()] : [],
  );
  protected readonly registry = computed(() => {
    const versions = this.versions();
    return versions ? registryNote(versions) : '';
  });

  /** Of the menu, which is no wider than its field. */
  protected readonly width = signal(0);

  protected open(): void {
    this.measure();
    this.expanded.set(true);
  }

  protected measure(): void {
    this.width.set(this.input().nativeElement.offsetWidth);
  }

  focus(): void {
    this.input().nativeElement.focus();
  }

  protected choose(tag: string | undefined): void {
    if (tag !== undefined) this.value.set(tag);
    this.expanded.set(false);
    this.focus();
  }
}
