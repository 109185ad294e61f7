import { Component, computed, input, output } from '@angular/core';
import type { NodeImageTagDto, VersionsDto } from '../../shared/api/api-types';
import { groupTags, noteOf, registryNote } from './tag-groups';

/** The node image tag: what is on this machine first, then what was made for kind, and any other by typing it. */
@Component({
  selector: 'sw-tag-field',
  template: `
    <div class="field" [class.bad]="bad()">
      <input
        #field
        id="create-node_image_tag"
        class="mono"
        list="node-image-tags"
        autocomplete="off"
        spellcheck="false"
        placeholder="v1.34.4"
        aria-label="Node image tag"
        i18n-aria-label
        [value]="value()"
        [attr.aria-invalid]="bad()"
        aria-describedby="hint-node_image_tag"
        (input)="changed.emit(field.value)"
      />
    </div>
    <datalist id="node-image-tags">
      @for (group of groups(); track group.title) {
        @for (tag of group.tags; track tag.tag) {
          <option [value]="tag.tag">{{ note(tag) }}</option>
        }
      }
    </datalist>
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

  protected readonly groups = computed(() => {
    const versions = this.versions();
    return versions ? groupTags(versions, this.value(), this.runtime()) : [];
  });
  protected readonly registry = computed(() => {
    const versions = this.versions();
    return versions ? registryNote(versions) : '';
  });

  protected short(tag: string): string {
    return tag.split('@')[0] ?? tag;
  }

  protected note(tag: NodeImageTagDto): string {
    return noteOf(tag, this.runtime());
  }
}
