import { LocationStrategy } from '@angular/common';
import { HttpBackend, provideHttpClient, withInterceptors } from '@angular/common/http';
import { type ApplicationConfig, provideBrowserGlobalErrorListeners } from '@angular/core';
import type { ComponentType } from '@angular/cdk/portal';
import {
  provideRouter,
  type Routes,
  withComponentInputBinding,
  withInMemoryScrolling,
  withRouterConfig,
} from '@angular/router';
import { apiProblems } from './api/api-problem';
import { httpBackend } from './api/http-backend';
import { serverTime } from './browser/clock';
import { PALETTE_DIALOG } from './palette/palette';
import { bearer } from './session/bearer';
import { SHORTCUTS } from './shortcuts/shortcuts';
import type { ShortcutGroup } from './shortcuts/shortcuts-dialog';
import { PageLocation } from './ui/dialog-history';

/** The parts in which the applications differ. */
export interface ApplicationParts {
  routes: Routes;
  palette: () => Promise<ComponentType<unknown>>;
  shortcuts: () => Promise<readonly ShortcutGroup[]>;
}

export function applicationOf({ routes, palette, shortcuts }: ApplicationParts): ApplicationConfig {
  return {
    providers: [
      { provide: PALETTE_DIALOG, useValue: palette },
      { provide: SHORTCUTS, useValue: shortcuts },
      provideBrowserGlobalErrorListeners(),
      { provide: LocationStrategy, useClass: PageLocation },
      provideHttpClient(withInterceptors([bearer, apiProblems, serverTime])),
      { provide: HttpBackend, useFactory: httpBackend },
      provideRouter(
        routes,
        withComponentInputBinding(),
        withInMemoryScrolling({ scrollPositionRestoration: 'enabled', anchorScrolling: 'enabled' }),
        withRouterConfig({ onSameUrlNavigation: 'ignore' }),
      ),
    ],
  };
}
