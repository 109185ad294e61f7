import { HttpEventType } from '@angular/common/http';
import { inject, Injectable, signal } from '@angular/core';
import { lastValueFrom, tap } from 'rxjs';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import { fileCount } from '../../shared/format/format';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { type FileOwner, fileParams } from './file-owner';
import { childOf } from './file-paths';

export interface Upload {
  name: string;
  percent: number;
}

/** Uploads files one after the other. Provided by the page. */
@Injectable()
export class FileUploads {
  private readonly api = inject(Api);
  private readonly confirm = inject(Confirm);
  private readonly toaster = inject(Toaster);
  private readonly current = signal<Upload | null>(null);
  readonly running = this.current.asReadonly();

  /** Asks before it replaces a file. @returns whether any file was uploaded */
  async send(of: FileOwner, directory: string, files: readonly File[]): Promise<boolean> {
    let sent = 0;
    for (const file of files) {
      try {
        if (await this.sendOne(of, directory, file)) sent += 1;
      } catch (error) {
        this.toaster.failed($localize`Could not upload ${file.name}:file:.`, ApiProblem.of(error).message);
      }
    }
    this.current.set(null);
    if (sent > 0) this.toaster.done($localize`Uploaded ${fileCount(sent)}:files:.`);
    return sent > 0;
  }

  private async sendOne(of: FileOwner, directory: string, file: File): Promise<boolean> {
    try {
      await this.transfer(of, directory, file, false);
      return true;
    } catch (error) {
      if (ApiProblem.of(error).code !== 'file_exists') throw error;
    }
    const replaces = await this.confirm.ask({
      title: $localize`Replace ${file.name}:file:?`,
      text: [$localize`${directory}:directory: already has a file of this name. Its content is lost.`],
      action: $localize`Replace`,
      danger: true,
    });
    if (replaces) await this.transfer(of, directory, file, true);
    return replaces;
  }

  private async transfer(of: FileOwner, directory: string, file: File, replace: boolean): Promise<void> {
    this.current.set({ name: file.name, percent: 0 });
    const events = this.api.upload(
      'PUT /api/v1/clusters/{name}/pods/{namespace}/{pod}/files/content',
      { ...fileParams(of, childOf(directory, file.name)), replace },
      file.slice(0, file.size, 'application/octet-stream'),
    );
    await lastValueFrom(
      events.pipe(
        tap((event) => {
          if (event.type !== HttpEventType.UploadProgress) return;
          const { loaded, total = file.size } = event;
          this.current.set({
            name: file.name,
            percent: total > 0 ? Math.floor((loaded / total) * 100) : 100,
          });
        }),
      ),
    );
  }
}
