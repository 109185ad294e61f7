import { Component, effect, inject, input, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, RevealedValueDto } from '../../shared/api/api-types';
import { Toaster } from '../../shared/ui/toaster';
import { UI } from '../../shared/ui/ui';

/** Keys of a Secret. Values stay on the server until one is revealed, which the journal records. */
@Component({
  selector: 'sw-object-secrets',
  imports: [UI],
  template: `
    <h3 i18n class="sm" id="secret-keys">
      Values <span class="muted xs">Hidden. The journal records each reveal.</span>
    </h3>
    <ul class="row-list" aria-labelledby="secret-keys">
      @for (entry of object().hidden_keys; track entry) {
        <li>
          <span class="mono cut" [title]="entry | swRaw">{{ entry | swRaw }}</span>
          @if (revealed().get(entry); as shown) {
            <sw-copy-button [text]="shown.value" name="Copy the value of {{ entry }}" i18n-name />
            <button
              swIconButton="eye-off"
              label="Hide the value of {{ entry }}"
              i18n-label
              title="Hide"
              i18n-title
              (click)="hide(entry)"
            ></button>
            <pre tabindex="0" role="group" swAriaLabel="Value of {{ entry }}" i18n-swAriaLabel>{{
              shown.value
            }}</pre>
            @if (shown.encoding === 'base64') {
              <small i18n class="muted">Binary, shown as base64</small>
            }
          } @else {
            <span class="muted" aria-hidden="true">••••••••</span>
            <button
              i18n
              class="btn small"
              data-changes
              swAriaLabel="Reveal the value of {{ entry }}"
              i18n-swAriaLabel
              [disabled]="revealing() === entry"
              (click)="reveal(entry)"
            >
              <sw-icon name="eye" />Reveal
            </button>
          }
        </li>
      } @empty {
        <li i18n class="muted">No values</li>
      }
    </ul>
  `,
  styles: `
    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto auto;
      padding-inline: 0;
    }
    pre,
    small {
      grid-column: 1 / -1;
    }
    pre {
      max-height: 220px;
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  `,
})
export class ObjectSecrets {
  private readonly api = inject(Api);
  private readonly toaster = inject(Toaster);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  protected readonly revealed = signal<ReadonlyMap<string, RevealedValueDto>>(new Map());
  protected readonly revealing = signal<string | null>(null);

  constructor() {
    // A new version may have other values.
    effect(() => {
      this.object();
      untracked(() => this.revealed.set(new Map()));
    });
  }

  protected async reveal(entry: string): Promise<void> {
    const object = this.object();
    this.revealing.set(entry);
    await this.toaster.attempt($localize`Could not reveal ${entry}:key:.`, async () => {
      const value = await this.api.send(
        'POST /api/v1/clusters/{name}/resources/core/v1/secrets/{object}/reveal',
        { ...this.key(), object: object.name, namespace: object.namespace ?? undefined },
        { key: entry },
      );
      if (object === this.object()) this.revealed.update((shown) => new Map(shown).set(entry, value));
    });
    this.revealing.set(null);
  }

  protected hide(entry: string): void {
    this.revealed.update((shown) => {
      const rest = new Map(shown);
      rest.delete(entry);
      return rest;
    });
  }
}
