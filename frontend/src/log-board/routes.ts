import type { Routes } from '@angular/router';
import { loadPart } from '../shared/loading/load-part';
import { pagesOf } from '../shared/loading/pages';
import { signedIn } from '../shared/session/signed-in';

const page = pagesOf('Slipway log board');

export const routes: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'logs' },
  page('login', 'Sign in', () => import('../shared/session/sign-in-page').then((file) => file.SignInPage), {
    data: {
      application: 'Log board',
      purpose: 'Logs of all containers, pods and nodes on this machine.',
      home: '/logs',
    },
  }),
  {
    path: '',
    canActivateChild: [signedIn],
    loadComponent: () => loadPart(() => import('./shell/frame')).then((file) => file.Frame),
    children: [
      page('logs', 'Logs', () => import('./logs/logs-page').then((file) => file.LogsPage)),
      page('saved-searches', 'Saved searches', () =>
        import('./saved-searches/saved-searches-page').then((file) => file.SavedSearchesPage),
      ),
      page('alerts', 'Alerts', () => import('./alerts/alerts-page').then((file) => file.AlertsPage)),
      page('storage', 'Storage', () => import('./storage/storage-page').then((file) => file.StoragePage)),
      page('sessions', 'Sessions', () =>
        import('../shared/session/sessions/sessions-page').then((file) => file.SessionsPage),
      ),
      page('**', 'Not found', () => import('../shared/ui/not-found-page').then((file) => file.NotFoundPage), {
        data: { home: '/logs', homeText: 'To the logs' },
      }),
    ],
  },
];
