import {
  anything,
  list,
  number,
  parseJson,
  prose,
  record,
  required,
  text,
  word,
  type Read,
} from '../../../core/parsing/index.js';
import { plainText } from '../../../core/logging/index.js';
import { isRecord } from '../../../core/values/index.js';
import { stringify as writeYaml } from '../../../core/yaml/index.js';
import { CHART_VERSION } from '../describe-chart.js';
import {
  RELEASE_STATUSES,
  type Release,
  type ReleaseContents,
  type ReleaseRevision,
} from '../package-manager.js';

const revision = { updated: word, status: word, chart: word, app_version: word };
const listedReleases = list(record(revision, { name: word, namespace: word, revision: word }));
const listedRevisions = list(record({ ...revision, description: prose() }, { revision: number }));
const releaseStatus = record({
  config: anything,
  info: record({ notes: prose(1_000_000) }),
  manifest: text(Infinity),
});
const listedCharts = list(record({ app_version: word, description: prose() }, { name: word, version: word }));

/** Reads `helm list`. @throws Error for other output, as the functions below */
export function releasesIn(stdout: string): Release[] {
  return required(listedReleases, parseJson(stdout), 'the list of releases')
    .filter(({ status }) => status !== 'uninstalled' && status !== 'superseded')
    .map((listed) => ({
      release: listed.name,
      namespace: listed.namespace,
      ...revisionOf({ ...listed, revision: Number(listed.revision) }),
    }));
}

/** Reads `helm history`. */
export function revisionsIn(stdout: string): ReleaseRevision[] {
  return required(listedRevisions, parseJson(stdout), 'the history')
    .map((listed) => ({ ...revisionOf(listed), description: listed.description ?? '' }))
    .sort((one, other) => other.revision - one.revision);
}

/** Reads `helm status`. */
export function contentsIn(stdout: string): Omit<ReleaseContents, 'computedValues'> {
  const { config, info, manifest = '' } = required(releaseStatus, parseJson(stdout), 'the status');
  const hasValues = isRecord(config) && Object.keys(config).length > 0;
  return {
    values: hasValues ? writeYaml(config, { lineWidth: 0 }) : '',
    notes: plainText(info?.notes ?? '').trim(),
    manifest,
  };
}

/** Reads `helm search repo`. */
export function chartsIn(stdout: string): Read<typeof listedCharts> {
  return required(listedCharts, parseJson(stdout), 'the list of charts');
}

function revisionOf(listed: Read<typeof listedRevisions>[number]): Omit<ReleaseRevision, 'description'> {
  const { chart = '', status } = listed;
  const [name, version] = nameAndVersion(chart);
  return {
    revision: listed.revision,
    status: RELEASE_STATUSES.find((known) => known === status) ?? 'unknown',
    chart: name,
    version,
    appVersion: listed.app_version || null,
    updatedAt: timeOf(listed.updated ?? ''),
  };
}

/** helm joins both with a hyphen, which names and versions may contain, too: `k8s-at-home-0.6`, `istio-1.2.3-rc.1`. */
function nameAndVersion(chart: string): [name: string, version: string] {
  const full = /-v?\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+]|$)/.exec(chart);
  const [beforeBuild = ''] = chart.split('+', 1);
  const at = full?.index ?? beforeBuild.search(/-v?\d[^-]{0,60}(?:-[^-\d][^-]{0,60}){0,3}$/);
  const version = chart.slice(at + 1);
  return at > 0 && CHART_VERSION.test(version) ? [chart.slice(0, at), version] : [chart, ''];
}

function timeOf(time: string): string {
  return new Date(Date.parse(time) || 0).toISOString();
}
