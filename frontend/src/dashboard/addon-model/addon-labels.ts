import type {
  AddonDto,
  AddonState,
  JobDto,
  ReleaseDto,
  ReleaseResourceDto,
} from '../../shared/api/api-types';
import { formatList, plural } from '../../shared/format/format';
import { wordFilter } from '../../shared/format/words';
import type { Question } from '../../shared/ui/confirm-dialog';
import { HEALTH_STATES } from '../resource-model/kind-labels';
import type { ShownState } from '../../shared/ui/state-styles';

export const ADDON_STATES: Readonly<Record<AddonState, { label: string; state: ShownState }>> = {
  not_installed: { label: $localize`Not installed`, state: 'pending' },
  installing: { label: $localize`Installing`, state: 'creating' },
  deployed: { label: $localize`Installed`, state: 'running' },
  upgrading: { label: $localize`Upgrading`, state: 'creating' },
  rolling_back: { label: $localize`Rolling back`, state: 'creating' },
  uninstalling: { label: $localize`Uninstalling`, state: 'creating' },
  failed: { label: $localize`Failed`, state: 'failed' },
  pending_repair: { label: $localize`Interrupted, repaired by the next change`, state: 'warning' },
};

/** `v3.7.11, chart 41.3.0`; one version if both are the same, or the chart does not name an app version. */
export function versionText({ version, app_version }: Pick<ReleaseDto, 'version' | 'app_version'>): string {
  if (app_version?.replace(/^v/, '') === version.replace(/^v/, '')) return app_version;
  return app_version === null
    ? $localize`chart ${version}:version:`
    : $localize`${app_version}:app:, chart ${version}:version:`;
}

export function missingFor(addon: AddonDto, all: readonly AddonDto[]): AddonDto[] {
  return addon.needs.flatMap((name) =>
    all.filter((other) => other.name === name && other.state === 'not_installed'),
  );
}

/** `3 of 8 ready`; empty if the resources were not counted. */
export function readyText({
  resources_ready: ready,
  resources_total: total,
}: Pick<ReleaseDto, 'resources_ready' | 'resources_total'>): string {
  return ready === null || total === null ? '' : $localize`${ready}:ready: of ${total}:total: ready`;
}

/** That of an installed release follows its worst resource. */
export function releaseState({ state, health }: Pick<ReleaseDto, 'state' | 'health'>): ShownState {
  return state === 'deployed' && (health === 'failed' || health === 'warning' || health === 'progressing')
    ? HEALTH_STATES[health]
    : ADDON_STATES[state].state;
}

export function isAddonJob({ kind }: Pick<JobDto, 'kind'>): boolean {
  return kind.startsWith('addon-');
}

/** Addons of a category (empty for all) whose title, name, purpose or category contains every word of the filter. */
export function filterAddons(addons: readonly AddonDto[], filter: string, of = ''): AddonDto[] {
  const fits = wordFilter(filter);
  return addons.filter(
    ({ title, name, purpose, category }) =>
      (of === '' || category === of) && fits(`${title} ${name} ${purpose} ${category}`),
  );
}

export function uninstallQuestion(
  { name, release, namespace }: Pick<ReleaseDto, 'name' | 'release' | 'namespace'>,
  resources: readonly Pick<ReleaseResourceDto, 'kind' | 'kept'>[],
  stay: readonly string[] = [],
): Question & Required<Pick<Question, 'option'>> {
  const crds = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const deleted = crds.filter(({ kept }) => !kept).length;
  return {
    title: $localize`Uninstall ${name}:addon:?`,
    text: [
      $localize`Helm deletes the resources of release ${release}:release: in namespace ${namespace}:namespace:. The namespace and the volumes claimed by its Pods are kept.`,
      deleted > 0
        ? plural(deleted, (n) => ({
            one: $localize`This deletes ${n}:count: CRD and every custom resource of this kind in the whole cluster.`,
            other: $localize`This deletes ${n}:count: CRDs and every custom resource of these kinds in the whole cluster.`,
          }))
        : crds.length > 0
          ? plural(crds.length, (n) => ({
              one: $localize`The chart keeps its ${n}:count: CRD and the custom resources of this kind.`,
              other: $localize`The chart keeps its ${n}:count: CRDs and their custom resources.`,
            }))
          : stay.length === 0
            ? $localize`Helm keeps CRDs from the crds folder of the chart, and their custom resources.`
            : '',
      stay.length > 0
        ? $localize`These CRDs stay, because helm does not remove CRDs: ${formatList(stay)}:names:.`
        : '',
    ].filter(Boolean),
    option: { label: $localize`Without hooks of the chart, if one of them fails`, checked: false },
    action: $localize`Uninstall ${name}:addon:`,
    danger: true,
  };
}

export const KIALI_NOTICE = $localize`Kiali opens without a sign-in. Slipway opens it through a local port, for browsers that follow its link. Anyone with access sees the whole mesh. Kiali is read-only unless its values allow changes.`;

export function isKiali({ chart, addon }: { chart: string; addon?: string | null }): boolean {
  return addon === 'kiali' || chart === 'kiali-server' || chart === 'kiali-operator';
}
