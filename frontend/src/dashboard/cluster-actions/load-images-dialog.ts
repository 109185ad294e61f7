import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { HttpEventType } from '@angular/common/http';
import { Component, computed, DestroyRef, inject, signal } from '@angular/core';
import type { Subscription } from 'rxjs';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { EngineImageDto } from '../../shared/api/api-types';
import { formatBytes, imageCount } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { toggled } from '../../shared/grid/toggled';

interface ImageChoice {
  reference: string;
  size: number;
  architecture: string | null;
  warnings: string[];
}

@Component({
  selector: 'sw-load-images-dialog',
  imports: [UI],
  templateUrl: './load-images-dialog.html',
  styleUrl: './load-images-dialog.scss',
})
export class LoadImagesDialog {
  protected readonly key = inject<ClusterKey>(DIALOG_DATA);
  protected readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly api = inject(Api);
  private upload: Subscription | undefined;

  protected readonly list = apiResource('/api/v1/images', () => ({ runtime: this.key.runtime }));
  protected readonly choices = computed(() => {
    const list = this.list.value();
    return list && choicesOf(list);
  });
  protected readonly bytes = formatBytes;
  protected readonly search = signal('');
  protected readonly chosen = signal<ReadonlySet<string>>(new Set());
  protected readonly archive = signal<File | null>(null);
  protected readonly sending = signal(false);
  /** Upload progress of the archive, 0 to 100; null if none is being sent. */
  protected readonly sent = signal<number | null>(null);
  protected readonly problem = signal<ApiProblem | null>(null);

  protected readonly shown = computed(() => {
    const text = this.search().trim().toLowerCase();
    return (this.choices() ?? []).filter(({ reference }) => reference.toLowerCase().includes(text));
  });
  private readonly picked = computed(() =>
    (this.choices() ?? []).filter(({ reference }) => this.chosen().has(reference)),
  );
  protected readonly warnings = computed(() => this.picked().flatMap(({ warnings }) => warnings));
  protected readonly ready = computed(() => this.archive() !== null || this.chosen().size > 0);
  protected readonly summary = computed(() => {
    const archive = this.archive();
    if (archive) return `${archive.name}, ${formatBytes(archive.size)}`;
    const bytes = this.picked().reduce((sum, { size }) => sum + size, 0);
    return this.chosen().size === 0
      ? $localize`No images selected`
      : `${imageCount(this.chosen().size)}, ${formatBytes(bytes)}`;
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.upload?.unsubscribe());
  }

  protected toggle(reference: string): void {
    this.chosen.update((chosen) => toggled(chosen, reference));
    this.archive.set(null);
    this.problem.set(null);
  }

  protected take(files: FileList | null): void {
    const file = files?.[0];
    if (!file) return;
    this.archive.set(file);
    this.chosen.set(new Set());
    this.problem.set(null);
  }

  protected async load(event: Event): Promise<void> {
    event.preventDefault();
    if (this.sending() || !this.ready()) return;
    this.sending.set(true);
    this.problem.set(null);
    const archive = this.archive();
    if (archive) {
      this.send(archive);
      return;
    }
    try {
      const { job_id: jobId } = await this.api.send('POST /api/v1/clusters/{name}/images/load', this.key, {
        images: [...this.chosen()],
      });
      this.dialog.close(jobId);
    } catch (error) {
      this.fail(error);
    }
  }

  protected stop(): void {
    this.upload?.unsubscribe();
    this.sending.set(false);
    this.sent.set(null);
  }

  private send(archive: File): void {
    this.sent.set(0);
    this.upload = this.api
      .upload(
        'POST /api/v1/clusters/{name}/images/upload',
        this.key,
        archive.slice(0, archive.size, 'application/x-tar'),
      )
      .subscribe({
        next: (event) => {
          if (event.type === HttpEventType.UploadProgress) {
            this.sent.set((event.loaded / Math.max(archive.size, 1)) * 100);
          } else if (event.type === HttpEventType.Response && event.body) {
            this.dialog.close(event.body.job_id);
          }
        },
        error: (error: unknown) => this.fail(error),
      });
  }

  private fail(error: unknown): void {
    this.sending.set(false);
    this.sent.set(null);
    this.problem.set(ApiProblem.of(error));
  }
}

/** References that can be loaded. Pods use no node images, and images without a reference cannot be named. */
function choicesOf(images: readonly EngineImageDto[]): ImageChoice[] {
  return images
    .filter((image) => !image.is_node_image)
    .flatMap(({ references, size_bytes, architecture, warnings }) =>
      references.map((reference) => ({
        reference,
        size: size_bytes,
        architecture,
        warnings: warnings.filter((warning) => warning.startsWith(`${reference}:`)),
      })),
    );
}
