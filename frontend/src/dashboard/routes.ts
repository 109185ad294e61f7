import { inject } from '@angular/core';
import {
  type ActivatedRouteSnapshot,
  type Route,
  type Routes,
  type UrlMatcher,
  UrlSegment,
} from '@angular/router';
import { pagesOf } from '../shared/loading/pages';
import { PAGE_SESSION } from '../shared/session/page-session';
import { signedIn } from '../shared/session/signed-in';
import { CLUSTER_TABS } from './cluster-context/cluster-tabs';
import { Frame } from './shell/frame';

const page = pagesOf('Slipway');

/** Asks pages with unsaved input before leaving them. */
const canDeactivate: Route['canDeactivate'] = [
  (component: { mayLeave?: () => Promise<boolean> | boolean }) => component.mayLeave?.() ?? true,
];

function nameOf(route: ActivatedRouteSnapshot): string {
  return route.paramMap.get('name') ?? '';
}

/** The tabs of the cluster page are one route, so that the page stays while they change. */
const clusterTab: UrlMatcher = (segments) => {
  const [root, name, tab = new UrlSegment('', {}), ...below] = segments;
  const isTab = CLUSTER_TABS.some(({ path }) => path === tab.path);
  return root?.path === 'cluster' && name && isTab && below.length === 0
    ? { consumed: segments, posParams: { name, tab } }
    : null;
};

export const routes: Routes = [
  page(
    'login',
    $localize`Sign in`,
    () => import('../shared/session/sign-in-page').then((file) => file.SignInPage),
    { data: { purpose: $localize`Local Kubernetes clusters.`, home: '/clusters' } },
  ),
  {
    path: '',
    component: Frame,
    canActivateChild: [signedIn],
    children: [
      { path: '', pathMatch: 'full', redirectTo: 'clusters' },
      page('clusters', $localize`Clusters`, () =>
        import('./clusters/clusters-page').then((file) => file.ClustersPage),
      ),
      page(
        '',
        (route) => {
          const tab = CLUSTER_TABS.find(({ path }) => path !== '' && path === route.paramMap.get('tab'));
          return tab ? $localize`${tab.title}:tab: of ${nameOf(route)}:cluster:` : nameOf(route);
        },
        () => import('./cluster/cluster-page').then((file) => file.ClusterPage),
        { path: undefined, matcher: clusterTab },
      ),
      page(
        'cluster/:name/config',
        (route) => $localize`Config of ${nameOf(route)}:cluster:`,
        () => import('./config/config-page').then((file) => file.ConfigPage),
        { canDeactivate },
      ),
      page(
        'cluster/:name/resources/:group/:version/:plural',
        (route) => $localize`${route.paramMap.get('plural') ?? ''}:kind: of ${nameOf(route)}:cluster:`,
        () => import('./resources/resource-page').then((file) => file.ResourcePage),
        { canDeactivate },
      ),
      page(
        'cluster/:name/addons',
        (route) => $localize`Addons of ${nameOf(route)}:cluster:`,
        () => import('./addons/addons-page').then((file) => file.AddonsPage),
      ),
      page(
        'cluster/:name/forwards',
        (route) => $localize`Port-forwards of ${nameOf(route)}:cluster:`,
        () => import('./forwards/forwards-page').then((file) => file.ForwardsPage),
      ),
      page(
        'cluster/:name/apply',
        (route) => $localize`Apply YAML to ${nameOf(route)}:cluster:`,
        () => import('./apply/apply-page').then((file) => file.ApplyPage),
        { canDeactivate },
      ),
      page(
        'cluster/:name/files/:namespace/:pod',
        (route) => $localize`Files of ${route.paramMap.get('pod') ?? ''}:pod:`,
        () => import('./files/files-page').then((file) => file.FilesPage),
        // The edited file is in the query.
        { canDeactivate, runGuardsAndResolvers: 'paramsOrQueryParamsChange' },
      ),
      page('journal', $localize`Journal`, () =>
        import('./journal/journal-page').then((file) => file.JournalPage),
      ),
      page('jobs', $localize`Jobs`, () => import('./jobs/jobs-page').then((file) => file.JobsPage)),
      page('diagnostics', $localize`Diagnostics`, () =>
        import('./diagnostics/diagnostics-page').then((file) => file.DiagnosticsPage),
      ),
      page('diagnostics/images', $localize`Images and disk`, () =>
        import('./images/images-page').then((file) => file.ImagesPage),
      ),
      page('documentation', $localize`Documentation`, () =>
        import('./documentation/documentation-page').then((file) => file.DocumentationPage),
      ),
      page('documentation/:page', $localize`Documentation`, () =>
        import('./documentation/documentation-page').then((file) => file.DocumentationPage),
      ),
      page(
        'sessions',
        // Without sign-in, the page shows only access tokens.
        () => (inject(PAGE_SESSION) === 'open' ? $localize`Access tokens` : $localize`Sessions`),
        () => import('../shared/session/sessions/sessions-page').then((file) => file.SessionsPage),
      ),
      page(
        '**',
        $localize`Not found`,
        () => import('../shared/ui/not-found-page').then((file) => file.NotFoundPage),
        { data: { home: '/clusters', homeText: $localize`Go to Clusters` } },
      ),
    ],
  },
];
