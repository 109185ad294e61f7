import { bootstrapApplication } from '@angular/platform-browser';
import { Component, provideBrowserGlobalErrorListeners, signal } from '@angular/core';
import { httpResource, provideHttpClient } from '@angular/common/http';
import type { ClusterDto } from '../../../backend/src/modules/clusters/cluster.dto.js';

@Component({ selector: 'sw-root', template: `{{ names() }} {{ x.value()?.[0]?.name }}` })
class Root {
  protected readonly names = signal('hello');
  protected readonly x = httpResource<ClusterDto[]>(() => '/api/v1/clusters');
}

bootstrapApplication(Root, { providers: [provideBrowserGlobalErrorListeners(), provideHttpClient()] }).catch(
  () => undefined,
);
