import { FetchBackend, type HttpBackend, HttpXhrBackend } from '@angular/common/http';
import { inject } from '@angular/core';

/** XMLHttpRequest for uploads, because only it reports their progress; fetch for everything else. */
export function httpBackend(): HttpBackend {
  const [others, uploads] = [inject(FetchBackend), inject(HttpXhrBackend)];
  return { handle: (request) => (request.reportUploadProgress ? uploads : others).handle(request) };
}
