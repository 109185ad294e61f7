import { HttpClient, type HttpEvent, HttpXhrBackend } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import { firstValueFrom as once, type Observable } from 'rxjs';
import { podUrl, type ClusterKey } from '../../shared/api/api';
import type { FileListDto, FileWrittenDto, TextFileDto } from '../../shared/api/api-types';

/** A container whose files are shown. */
export interface FileOwner {
  key: ClusterKey;
  namespace: string;
  pod: string;
  container: string;
}

/** Typed calls of the API. Each rejects with an `ApiProblem`. Paths are absolute in the container. */
@Service()
export class FilesApi {
  private readonly http = inject(HttpClient);
  /** XMLHttpRequest instead of fetch: only it reports upload progress. */
  private readonly uploads = new HttpClient(inject(HttpXhrBackend));

  list(of: FileOwner, path: string): Promise<FileListDto> {
    return once(this.http.get<FileListDto>(urlOf(of, path)));
  }

  readText(of: FileOwner, path: string): Promise<TextFileDto> {
    return once(this.http.get<TextFileDto>(urlOf(of, path, '/text')));
  }

  /** @param version of the text that was edited */
  writeText(of: FileOwner, { path, text, version }: TextFileDto): Promise<FileWrittenDto> {
    return once(this.http.put<FileWrittenDto>(urlOf(of, path, '/text'), { text, version }));
  }

  /** URL from which the browser saves a file, or a directory as a tar archive. */
  contentUrl(of: FileOwner, path: string): string {
    return urlOf(of, path, '/content');
  }

  upload(of: FileOwner, path: string, file: File, replace: boolean): Observable<HttpEvent<FileWrittenDto>> {
    return this.uploads.put<FileWrittenDto>(urlOf(of, path, '/content'), file, {
      headers: { 'content-type': 'application/octet-stream' },
      params: { replace },
      observe: 'events',
      reportUploadProgress: true,
    });
  }
}

function urlOf({ key, namespace, pod, container }: FileOwner, path: string, part = ''): string {
  const query = new URLSearchParams({ container, path }).toString();
  return `${podUrl(key, namespace, pod, `/files${part}`)}&${query}`;
}
