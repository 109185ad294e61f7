import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, inject, signal } from '@angular/core';
import { Api, type ClusterKey, clusterPage } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ChangedImagesDto, ResourceObjectDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from '../editor/config-diff';
import { nameOf, OBJECT, objectParams } from '../resource-model/resource-address';
import { templateContainers } from './pod-template';

export interface ImageQuestion {
  key: ClusterKey;
  object: ResourceObjectDto;
}

/** Chooses images for the containers of a workload. Closes with the result once they are changed. */
@Component({
  selector: 'sw-image-dialog',
  imports: [ConfigDiff, UI],
  template: `
    <form swDialog [error]="problem()?.message" novalidate (submit)="submit($event)">
      <h2 i18n id="dialog-title" class="fill anywhere">Change image of {{ question.object.name | swRaw }}</h2>
      @for (container of containers; track container.name; let first = $first) {
        <sw-field
          [label]="container.name | swRaw"
          [note]="container.isInit ? initNote : ''"
          hint="Currently {{ container.image | swRaw }}"
          i18n-hint
        >
          <input
            swVerbatim
            #image
            class="mono"
            list="node-images"
            maxlength="480"
            [attr.data-first]="first ? '' : null"
            [value]="container.image"
            (focus)="image.select()"
            (input)="type(container.name, image.value)"
          />
        </sw-field>
      }
      <datalist id="node-images">
        @for (image of nodeImages(); track image) {
          <option [value]="image"></option>
        }
      </datalist>
      @if (review(); as review) {
        @if (review.outcome === 'unchanged') {
          <sw-notice i18n>The dry run changes nothing.</sw-notice>
        } @else {
          <sw-config-diff label="Changes" i18n-label [before]="review.before" [after]="review.after" />
        }
        @for (warning of review.warnings; track warning) {
          <sw-notice tone="warning">{{ warning }}</sw-notice>
        }
        @if (review.missing.length > 0) {
          <p i18n class="soft sm">
            <a class="link" [swLink]="imagesPage" (followed)="dialog.close()">Load images</a> of the engine
            into the nodes, in the section Images of the cluster.
          </p>
        }
      }
      <span foot i18n class="fill soft sm" role="status">
        @if (review()) {
          Result of a server-side dry run
        }
      </span>
      <button
        action
        [class.danger]="isRisky()"
        [swSubmit]="busy() || changes().length === 0 || review()?.outcome === 'unchanged'"
      >
        {{ actionText() }}
      </button>
    </form>
  `,
})
export class ImageDialog {
  private readonly api = inject(Api);
  protected readonly dialog = inject<DialogRef<ChangedImagesDto>>(DialogRef);
  protected readonly question = inject<ImageQuestion>(DIALOG_DATA);
  protected readonly containers = templateContainers(this.question.object);
  protected readonly initNote = $localize`init container`;
  protected readonly imagesPage = `${clusterPage(this.question.key)}#images`;
  private readonly typed = signal<ReadonlyMap<string, string>>(new Map());
  protected readonly changes = computed(() =>
    this.containers.flatMap(({ name: container, image: current }) => {
      const image = this.typed().get(container)?.trim() ?? current;
      return image === current || image === '' ? [] : [{ container, image }];
    }),
  );
  /** Suggestions only: without them, the image is typed. */
  private readonly found = apiResource('/api/v1/clusters/{name}/images', () => this.question.key);
  protected readonly nodeImages = computed(() =>
    (this.found.value()?.images ?? [])
      .filter((image) => !image.part_of_kubernetes)
      .flatMap(({ references }) => references.map(shortReference)),
  );
  /** Result of the dry run for what is entered. */
  protected readonly review = signal<ChangedImagesDto | null>(null);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly busy = signal(false);
  protected readonly isRisky = computed(() => (this.review()?.missing.length ?? 0) > 0);
  protected readonly actionText = computed(() => {
    if (this.busy()) return this.review() ? $localize`Changing` : $localize`Checking`;
    if (!this.review()) return $localize`Review changes`;
    return this.isRisky() ? $localize`Change anyway` : $localize`Change image`;
  });

  protected type(container: string, image: string): void {
    this.typed.update((typed) => new Map(typed).set(container, image));
    this.review.set(null);
    this.problem.set(null);
  }

  protected async submit(event: Event): Promise<void> {
    event.preventDefault();
    const review = this.review();
    if (this.busy() || this.changes().length === 0 || review?.outcome === 'unchanged') return;
    const images = this.changes();
    this.busy.set(true);
    this.problem.set(null);
    try {
      const result = await this.api.send(
        `POST ${OBJECT}/image`,
        { ...objectParams(this.question.key, nameOf(this.question.object)), dry_run: review === null },
        { images, accept_missing: review !== null },
      );
      if (review) this.dialog.close(result);
      else if (images === this.changes()) this.review.set(result);
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
    } finally {
      this.busy.set(false);
    }
  }
}

/** As people write it in a manifest. */
function shortReference(reference: string): string {
  return reference.replace(/^docker\.io\/(library\/)?/, '');
}
