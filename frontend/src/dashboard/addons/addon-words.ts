import type {
  AddonDto,
  AddonState,
  JobDto,
  ReleaseDto,
  ReleaseResourceDto,
} from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import type { Question } from '../../shared/ui/confirm';
import type { ShownState } from '../../shared/ui/state-words';

export const ADDON_LOOKS: Readonly<Record<AddonState, { word: string; state: ShownState }>> = {
  not_installed: { word: 'Not installed', state: 'pending' },
  installing: { word: 'Installing', state: 'creating' },
  deployed: { word: 'Installed', state: 'running' },
  upgrading: { word: 'Upgrading', state: 'creating' },
  rolling_back: { word: 'Rolling back', state: 'creating' },
  uninstalling: { word: 'Uninstalling', state: 'creating' },
  failed: { word: 'Failed', state: 'failed' },
  pending_repair: { word: 'Was cut short, the next change repairs it', state: 'warning' },
};

/** `v3.7.11`, or the chart's own version where it does not say what it installs. */
export function versionText({ version, app_version }: Pick<ReleaseDto, 'version' | 'app_version'>): string {
  return app_version === null ? `chart ${version}` : `${app_version}, chart ${version}`;
}

/** Titles of what an entry needs and the cluster has not. */
export function missingFor(addon: AddonDto, all: readonly AddonDto[]): AddonDto[] {
  return addon.needs.flatMap((name) =>
    all.filter((other) => other.name === name && other.state === 'not_installed'),
  );
}

/** Counts of the last look, until there are new ones. */
export function withCounts(releases: readonly ReleaseDto[], before: readonly ReleaseDto[]): ReleaseDto[] {
  return releases.map((release) => {
    const known = before.find(
      (other) => other.release === release.release && other.namespace === release.namespace,
    );
    return known
      ? { ...release, resources_ready: known.resources_ready, resources_total: known.resources_total }
      : release;
  });
}

/** `3 of 8 ready`, or nothing where it was not counted. */
export function readyText({
  resources_ready: ready,
  resources_total: total,
}: Pick<ReleaseDto, 'resources_ready' | 'resources_total'>): string {
  return ready === null || total === null ? '' : `${ready} of ${total} ready`;
}

/** Whether a job is one that changes addons. */
export function isOfAddons({ kind }: Pick<JobDto, 'kind'>): boolean {
  return kind.startsWith('addon-');
}

/** Entries that hold every word that is typed, in name, purpose or kind. */
export function matching(addons: readonly AddonDto[], text: string): AddonDto[] {
  const words = text.toLowerCase().split(/\s+/);
  return addons.filter((addon) => {
    const all = `${addon.title} ${addon.name} ${addon.purpose} ${addon.category}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export function questionBeforeUninstall(
  { name, release, namespace }: Pick<ReleaseDto, 'name' | 'release' | 'namespace'>,
  resources: readonly Pick<ReleaseResourceDto, 'kind' | 'kept'>[],
): Question {
  const definitions = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const lost = definitions.filter(({ kept }) => !kept).length;
  return {
    title: `Uninstall ${name}?`,
    text: [
      `helm removes what the release ${release} made in ${namespace}. The namespace stays, and so do volumes that its pods claimed.`,
      lost > 0
        ? `Its templates hold ${plural(lost, 'definition')} of kinds that are not kept: with them goes every object of those kinds in the whole cluster.`
        : definitions.length > 0
          ? `Its definitions of kinds (${definitions.length}) stay, with their objects: its chart asks for that.`
          : 'Definitions of kinds that a chart brings in its crds folder stay, with their objects.',
    ],
    action: `Uninstall ${name}`,
    danger: true,
  };
}

/** Kiali has no sign-in here: what that means stands wherever it is installed or opened. */
export const KIALI_IS_OPEN =
  'Kiali opens without a sign-in. Slipway opens it through a port of its own machine, for browsers that follow its link. They see all of the mesh. It only shows, and changes nothing, unless its values say otherwise.';

export function isKiali({ chart, addon }: { chart: string; addon?: string | null }): boolean {
  return addon === 'kiali' || chart === 'kiali-server' || chart === 'kiali-operator';
}
