import type { Routes } from '@angular/router';
import { loadPart } from '../shared/loading/load-part';
import { pagesOf } from '../shared/loading/pages';
import { signedIn } from '../shared/session/signed-in';

const page = pagesOf($localize`Slipway log board`);

export const routes: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'logs' },
  page(
    'login',
    $localize`Sign in`,
    () => import('../shared/session/sign-in-page').then((file) => file.SignInPage),
    {
      data: {
        application: $localize`Log board`,
        purpose: $localize`Logs of all containers, pods and nodes on this machine.`,
        home: '/logs',
      },
    },
  ),
  {
    path: '',
    canActivateChild: [signedIn],
    loadComponent: () => loadPart(() => import('./shell/frame')).then((file) => file.Frame),
    children: [
      page('logs', $localize`Logs`, () => import('./logs/logs-page').then((file) => file.LogsPage)),
      page('saved-searches', $localize`Saved searches`, () =>
        import('./saved-searches/saved-searches-page').then((file) => file.SavedSearchesPage),
      ),
      page('alerts', $localize`Alerts`, () => import('./alerts/alerts-page').then((file) => file.AlertsPage)),
      page('storage', $localize`Storage`, () =>
        import('./storage/storage-page').then((file) => file.StoragePage),
      ),
      page('sessions', $localize`Sessions`, () =>
        import('../shared/session/sessions/sessions-page').then((file) => file.SessionsPage),
      ),
      page(
        '**',
        $localize`Not found`,
        () => import('../shared/ui/not-found-page').then((file) => file.NotFoundPage),
        {
          data: { home: '/logs', homeText: $localize`To the logs` },
        },
      ),
    ],
  },
];
