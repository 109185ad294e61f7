import { inject } from '@angular/core';
import type { Routes } from '@angular/router';
import { loadPart } from '../shared/loading/load-part';
import { PAGE_SESSION } from '../shared/session/page-session';
import { signedIn } from '../shared/session/signed-in';
import { Frame } from './shell/frame';

/** Addresses of the pages. Titles are what tabs and history show. */
export const routes: Routes = [
  {
    path: 'login',
    title: 'Sign in · Slipway',
    data: { purpose: 'The clusters of this machine.', home: '/clusters' },
    loadComponent: () =>
      loadPart(() => import('../shared/session/sign-in-page')).then((file) => file.SignInPage),
  },
  {
    path: '',
    component: Frame,
    canActivateChild: [signedIn],
    children: [
      { path: '', pathMatch: 'full', redirectTo: 'clusters' },
      {
        path: 'clusters',
        title: 'Clusters · Slipway',
        loadComponent: () =>
          loadPart(() => import('./clusters/clusters-page')).then((file) => file.ClustersPage),
      },
      {
        path: 'cluster/:name',
        title: (route) => `${route.paramMap.get('name') ?? 'Cluster'} · Slipway`,
        loadComponent: () =>
          loadPart(() => import('./cluster/cluster-page')).then((file) => file.ClusterPage),
      },
      {
        path: 'cluster/:name/config',
        title: (route) => `Config of ${route.paramMap.get('name') ?? 'a cluster'} · Slipway`,
        loadComponent: () => loadPart(() => import('./config/config-page')).then((file) => file.ConfigPage),
        canDeactivate: [(page: { mayLeave?: () => Promise<boolean> | boolean }) => page.mayLeave?.() ?? true],
      },
      {
        path: 'cluster/:name/resources/:group/:version/:plural',
        title: (route) =>
          `${route.paramMap.get('plural') ?? 'Resources'} of ${route.paramMap.get('name') ?? 'a cluster'} · Slipway`,
        loadComponent: () =>
          loadPart(() => import('./resources/resource-page')).then((file) => file.ResourcePage),
        canDeactivate: [(page: { mayLeave?: () => Promise<boolean> | boolean }) => page.mayLeave?.() ?? true],
      },
      {
        path: 'cluster/:name/addons',
        title: (route) => `Addons of ${route.paramMap.get('name') ?? 'a cluster'} · Slipway`,
        loadComponent: () => loadPart(() => import('./addons/addons-page')).then((file) => file.AddonsPage),
      },
      {
        path: 'cluster/:name/apply',
        title: (route) => `Apply to ${route.paramMap.get('name') ?? 'a cluster'} · Slipway`,
        loadComponent: () => loadPart(() => import('./apply/apply-page')).then((file) => file.ApplyPage),
        canDeactivate: [(page: { mayLeave?: () => Promise<boolean> | boolean }) => page.mayLeave?.() ?? true],
      },
      {
        path: 'journal',
        title: 'Journal · Slipway',
        loadComponent: () =>
          loadPart(() => import('./journal/journal-page')).then((file) => file.JournalPage),
      },
      {
        path: 'jobs',
        title: 'Jobs · Slipway',
        loadComponent: () => loadPart(() => import('./jobs/jobs-page')).then((file) => file.JobsPage),
      },
      {
        path: 'diagnostics',
        title: 'Diagnostics · Slipway',
        loadComponent: () =>
          loadPart(() => import('./diagnostics/diagnostics-page')).then((file) => file.DiagnosticsPage),
      },
      {
        path: 'diagnostics/images',
        title: 'Images and disk · Slipway',
        loadComponent: () => loadPart(() => import('./images/images-page')).then((file) => file.ImagesPage),
      },
      {
        path: 'documentation',
        title: 'Documentation · Slipway',
        loadComponent: () =>
          loadPart(() => import('./documentation/documentation-page')).then((file) => file.DocumentationPage),
      },
      {
        path: 'sessions',
        // Without sign-in, the page has the access tokens alone.
        title: () => `${inject(PAGE_SESSION) === 'open' ? 'Access tokens' : 'Sessions'} · Slipway`,
        loadComponent: () =>
          loadPart(() => import('../shared/session/sessions/sessions-page')).then(
            (file) => file.SessionsPage,
          ),
      },
      {
        path: '**',
        title: 'Not found · Slipway',
        data: { home: '/clusters', homeText: 'To the clusters' },
        loadComponent: () =>
          loadPart(() => import('../shared/ui/not-found-page')).then((file) => file.NotFoundPage),
      },
    ],
  },
];
