import { Component, computed, input, output } from '@angular/core';
import { MatAutocompleteModule } from '@angular/material/autocomplete';
import type { NodeImageTagDto, VersionsDto } from '../../shared/api/api-types';
import { sentenceList } from '../../shared/format/format';

/** The node image tag: what is on this machine first, any other tag by typing it. */
@Component({
  selector: 'sw-tag-field',
  imports: [MatAutocompleteModule],
  template: `
    <div class="field" matAutocompleteOrigin #origin="matAutocompleteOrigin" [class.bad]="bad()">
      <input
        #field
        id="create-node_image_tag"
        class="mono"
        autocomplete="off"
        spellcheck="false"
        placeholder="v1.34.4"
        [matAutocomplete]="choices"
        [matAutocompleteConnectedTo]="origin"
        [value]="value()"
        [attr.aria-invalid]="bad()"
        aria-describedby="hint-node_image_tag"
        (input)="changed.emit(field.value)"
      />
    </div>
    <mat-autocomplete
      #choices
      hideSingleSelectionIndicator
      class="tag-choices"
      (optionSelected)="changed.emit($event.option.value)"
    >
      @for (tag of shown(); track tag.tag) {
        <mat-option [value]="tag.tag">
          <span class="mono">{{ short(tag.tag) }}</span> <small>{{ note(tag) }}</small>
        </mat-option>
      }
    </mat-autocomplete>
  `,
  styles: `
    small {
      margin-left: 10px;
      font-size: var(--fs-xs);
      color: var(--text-3);
    }
  `,
})
export class TagField {
  readonly value = input.required<string>();
  readonly versions = input<VersionsDto>();
  /** Where the cluster will be: an image in another engine is no help. */
  readonly runtime = input.required<string>();
  readonly bad = input(false);
  readonly changed = output<string>();

  protected readonly shown = computed(() => {
    const tags = this.versions()?.tags ?? [];
    const text = this.value().trim();
    // A tag that is complete was chosen: to narrow the list to it would hide the others.
    if (text === '' || tags.some(({ tag }) => tag === text)) return tags;
    return tags.filter(({ tag }) => tag.includes(text));
  });

  protected short(tag: string): string {
    return tag.split('@')[0] ?? tag;
  }

  protected note({ present_in: holders, origin }: NodeImageTagDto): string {
    const made = origin === 'kind' && this.runtime() !== 'demo' ? 'made for this kind' : '';
    const here = holders.includes(this.runtime())
      ? 'on this machine'
      : holders.length > 0
        ? `in ${sentenceList(holders)} only, has to be pulled`
        : 'has to be pulled';
    return [here, made].filter((part) => part !== '').join(', ');
  }
}
