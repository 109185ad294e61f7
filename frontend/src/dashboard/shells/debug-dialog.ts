import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { form, FormField, FormRoot, pattern, required } from '@angular/forms/signals';
import { readStored, store } from '../../shared/browser/browser-storage';
import { apiResource } from '../../shared/loading/api-resource';
import { Field } from '../../shared/ui/field/field';
import type { DebugQuestion } from './debug-question';
import { PlainButton } from '../../shared/ui/plain-button';
import { Raw } from '../../shared/ui/raw';

const IMAGE_KEY = 'slipway.debug-image';
const DEFAULT_IMAGE = 'busybox:1.37';

/** Chooses the image of a debug container. Closes with the image. */
@Component({
  selector: 'sw-debug-dialog',
  imports: [Field, FormField, FormRoot, PlainButton, Raw],
  template: `
    <form class="alert-dialog" [formRoot]="form">
      <h2 i18n id="dialog-title" class="anywhere">Debug {{ question.pod | swRaw }}</h2>
      <p i18n class="soft">
        Adds an ephemeral container to the Pod and opens a shell in it. It shares the network of the Pod and,
        if the container runs, its processes. Kubernetes keeps it in the list of containers until the Pod is
        deleted; its programs end with the shell.
      </p>
      <sw-field
        class="gap-top"
        label="Image"
        i18n-label
        hint="An image with a shell. Nodes pull it if they do not have it."
        i18n-hint
        [error]="form.image().errors()[0]?.message ?? ''"
      >
        <input
          data-first
          class="mono"
          list="debug-images"
          spellcheck="false"
          autocomplete="off"
          [formField]="form.image"
        />
      </sw-field>
      <datalist id="debug-images">
        @for (image of images(); track image) {
          <option [value]="image"></option>
        }
      </datalist>
      <div class="acts">
        <button i18n class="btn" (click)="dialog.close()">Cancel</button>
        <button data-writes i18n type="submit" class="btn primary" [disabled]="!form().valid()">
          Start shell
        </button>
      </div>
    </form>
  `,
})
export class DebugDialog {
  protected readonly dialog = inject<DialogRef<string>>(DialogRef);
  protected readonly question = inject<DebugQuestion>(DIALOG_DATA);
  private readonly loaded = apiResource('/api/v1/clusters/{name}/images', () => this.question.key);
  /** Those of Kubernetes have no shell. */
  protected readonly images = computed(() =>
    (this.loaded.value()?.images ?? [])
      .filter((image) => !image.part_of_kubernetes)
      .flatMap(({ references }) => references.filter((reference) => !reference.includes('@'))),
  );
  protected readonly form = form(
    signal({ image: lastImage() }),
    ({ image }) => {
      required(image, { message: $localize`An image is required.` });
      pattern(image, /^[\w./:-]{1,400}$/, {
        message: $localize`Must be an image with a tag, such as ${DEFAULT_IMAGE}:image:.`,
      });
    },
    {
      submission: {
        action: (field) => {
          const { image } = field().value();
          store(IMAGE_KEY, image);
          this.dialog.close(image);
          return Promise.resolve(undefined);
        },
      },
    },
  );
}

function lastImage(): string {
  const stored = readStored(IMAGE_KEY);
  return typeof stored === 'string' ? stored : DEFAULT_IMAGE;
}
