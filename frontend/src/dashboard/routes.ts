import { inject } from '@angular/core';
import type { ActivatedRouteSnapshot, Route, Routes } from '@angular/router';
import { loadPart } from '../shared/loading/load-part';
import { PAGE_SESSION } from '../shared/session/page-session';
import { signedIn } from '../shared/session/signed-in';
import { Frame } from './shell/frame';

const SUFFIX = ' · Slipway';

/** Asks pages with unsaved input before leaving them. */
const canDeactivate: Route['canDeactivate'] = [
  (page: { mayLeave?: () => Promise<boolean> | boolean }) => page.mayLeave?.() ?? true,
];

function nameOf(route: ActivatedRouteSnapshot): string {
  return route.paramMap.get('name') ?? '';
}

export const routes: Routes = [
  {
    path: 'login',
    title: $localize`Sign in` + SUFFIX,
    data: { purpose: $localize`Local Kubernetes clusters.`, home: '/clusters' },
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
        title: $localize`Clusters` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./clusters/clusters-page')).then((file) => file.ClustersPage),
      },
      {
        path: 'cluster/:name',
        title: (route) => nameOf(route) + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./cluster/cluster-page')).then((file) => file.ClusterPage),
      },
      {
        path: 'cluster/:name/config',
        title: (route) => $localize`Config of ${nameOf(route)}:cluster:` + SUFFIX,
        loadComponent: () => loadPart(() => import('./config/config-page')).then((file) => file.ConfigPage),
        canDeactivate,
      },
      {
        path: 'cluster/:name/resources/:group/:version/:plural',
        title: (route) =>
          $localize`${route.paramMap.get('plural') ?? ''}:kind: of ${nameOf(route)}:cluster:` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./resources/resource-page')).then((file) => file.ResourcePage),
        canDeactivate,
      },
      {
        path: 'cluster/:name/addons',
        title: (route) => $localize`Addons of ${nameOf(route)}:cluster:` + SUFFIX,
        loadComponent: () => loadPart(() => import('./addons/addons-page')).then((file) => file.AddonsPage),
      },
      {
        path: 'cluster/:name/apply',
        title: (route) => $localize`Apply YAML to ${nameOf(route)}:cluster:` + SUFFIX,
        loadComponent: () => loadPart(() => import('./apply/apply-page')).then((file) => file.ApplyPage),
        canDeactivate,
      },
      {
        path: 'journal',
        title: $localize`Journal` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./journal/journal-page')).then((file) => file.JournalPage),
      },
      {
        path: 'jobs',
        title: $localize`Jobs` + SUFFIX,
        loadComponent: () => loadPart(() => import('./jobs/jobs-page')).then((file) => file.JobsPage),
      },
      {
        path: 'diagnostics',
        title: $localize`Diagnostics` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./diagnostics/diagnostics-page')).then((file) => file.DiagnosticsPage),
      },
      {
        path: 'diagnostics/images',
        title: $localize`Images and disk` + SUFFIX,
        loadComponent: () => loadPart(() => import('./images/images-page')).then((file) => file.ImagesPage),
      },
      {
        path: 'documentation',
        title: $localize`Documentation` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./documentation/documentation-page')).then((file) => file.DocumentationPage),
      },
      {
        path: 'documentation/:page',
        title: $localize`Documentation` + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('./documentation/documentation-page')).then((file) => file.DocumentationPage),
      },
      {
        path: 'sessions',
        // Without sign-in, the page shows only access tokens.
        title: () =>
          (inject(PAGE_SESSION) === 'open' ? $localize`Access tokens` : $localize`Sessions`) + SUFFIX,
        loadComponent: () =>
          loadPart(() => import('../shared/session/sessions/sessions-page')).then(
            (file) => file.SessionsPage,
          ),
      },
      {
        path: '**',
        title: $localize`Not found` + SUFFIX,
        data: { home: '/clusters', homeText: $localize`Go to Clusters` },
        loadComponent: () =>
          loadPart(() => import('../shared/ui/not-found-page')).then((file) => file.NotFoundPage),
      },
    ],
  },
];
