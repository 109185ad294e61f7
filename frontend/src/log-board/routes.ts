import type { Routes } from '@angular/router';
import { loadPart } from '../shared/loading/load-part';
import { signedIn } from '../shared/session/signed-in';

export const routes: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'logs' },
  {
    path: 'login',
    title: 'Sign in · Slipway log board',
    data: {
      application: 'Log board',
      purpose: 'Logs of all containers, pods and nodes on this machine.',
      home: '/logs',
    },
    loadComponent: () =>
      loadPart(() => import('../shared/session/sign-in-page')).then((file) => file.SignInPage),
  },
  {
    path: '',
    canActivateChild: [signedIn],
    loadComponent: () => loadPart(() => import('./shell/frame')).then((file) => file.Frame),
    children: [
      {
        path: 'logs',
        title: 'Logs · Slipway log board',
        loadComponent: () => loadPart(() => import('./logs/logs-page')).then((file) => file.LogsPage),
      },
      {
        path: 'saved-searches',
        title: 'Saved searches · Slipway log board',
        loadComponent: () =>
          loadPart(() => import('./saved-searches/saved-searches-page')).then(
            (file) => file.SavedSearchesPage,
          ),
      },
      {
        path: 'alerts',
        title: 'Alerts · Slipway log board',
        loadComponent: () => loadPart(() => import('./alerts/alerts-page')).then((file) => file.AlertsPage),
      },
      {
        path: 'storage',
        title: 'Storage · Slipway log board',
        loadComponent: () =>
          loadPart(() => import('./storage/storage-page')).then((file) => file.StoragePage),
      },
      {
        path: 'sessions',
        title: 'Sessions · Slipway log board',
        loadComponent: () =>
          loadPart(() => import('../shared/session/sessions/sessions-page')).then(
            (file) => file.SessionsPage,
          ),
      },
      {
        path: '**',
        title: 'Not found · Slipway log board',
        data: { home: '/logs', homeText: 'To the logs' },
        loadComponent: () =>
          loadPart(() => import('../shared/ui/not-found-page')).then((file) => file.NotFoundPage),
      },
    ],
  },
];
