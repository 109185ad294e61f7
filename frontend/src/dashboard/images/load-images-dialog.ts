import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { HttpEventType } from '@angular/common/http';
import { Component, computed, DestroyRef, inject, signal } from '@angular/core';
import type { Subscription } from 'rxjs';
import { Api, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { EngineImageDto } from '../../shared/api/api-types';
import { formatBytes, plural } from '../../shared/format/format';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { UsageBar } from '../../shared/ui/usage-bar';

/** One name of an image: what a pod says, and so what one chooses. */
export interface ImageChoice {
  reference: string;
  size: number;
  architecture: string | null;
  warnings: string[];
}

/** Chooses images of the engine, or an archive, and begins to load them into the nodes. */
@Component({
  selector: 'sw-load-images-dialog',
  imports: [Icon, Notice, Placeholder, SkeletonRows, UsageBar],
  templateUrl: './load-images-dialog.html',
  styleUrl: './load-images-dialog.scss',
})
export class LoadImagesDialog {
  protected readonly key = inject<ClusterKey>(DIALOG_DATA);
  private readonly dialog = inject<DialogRef<number>>(DialogRef);
  private readonly api = inject(Api);
  private upload: Subscription | undefined;

  protected readonly choices = signal<ImageChoice[] | undefined>(undefined);
  protected readonly search = signal('');
  protected readonly chosen = signal<ReadonlySet<string>>(new Set());
  protected readonly archive = signal<File | null>(null);
  protected readonly over = signal(false);
  protected readonly sending = signal(false);
  /** Share of the archive that was sent, 0 to 100; null while none is. */
  protected readonly sent = signal<number | null>(null);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly listProblem = signal<ApiProblem | null>(null);

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
      ? 'Nothing is chosen yet.'
      : `${plural(this.chosen().size, 'image')}, ${formatBytes(bytes)}`;
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.upload?.unsubscribe());
    void this.read();
  }

  protected async read(): Promise<void> {
    this.listProblem.set(null);
    try {
      this.choices.set(choicesOf(await this.api.images(this.key.runtime)));
    } catch (error) {
      this.listProblem.set(ApiProblem.of(error));
    }
  }

  protected toggle(reference: string): void {
    const chosen = new Set(this.chosen());
    if (!chosen.delete(reference)) chosen.add(reference);
    this.chosen.set(chosen);
    this.archive.set(null);
    this.problem.set(null);
  }

  protected take(files: FileList | null | undefined): void {
    this.over.set(false);
    const file = files?.[0];
    if (!file) return;
    this.archive.set(file);
    this.chosen.set(new Set());
    this.problem.set(null);
  }

  protected drop(event: DragEvent): void {
    event.preventDefault();
    this.take(event.dataTransfer?.files);
  }

  protected drag(event: DragEvent, over: boolean): void {
    event.preventDefault();
    this.over.set(over);
  }

  protected close(): void {
    this.dialog.close();
  }

  protected async begin(event: Event): Promise<void> {
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
      const { job_id: jobId } = await this.api.loadImages(this.key, [...this.chosen()]);
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

  protected sizeOf({ size }: ImageChoice): string {
    return formatBytes(size);
  }

  private send(archive: File): void {
    this.sent.set(0);
    this.upload = this.api.uploadArchive(this.key, archive).subscribe({
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

/** Names that can be loaded: node images are none that a pod would use, and one without a name cannot be said. */
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
