import { jsonValue, list, type Reader } from '../../backend/src/core/parsing/index.js';
import { entryOf } from '../../backend/src/drivers/log-store/victorialogs/line-format.js';
import { fieldsOf } from '../../backend/src/core/lines/index.js';
import {
  chartsIn,
  contentsIn,
  releasesIn,
  revisionsIn,
} from '../../backend/src/drivers/package-manager/helm/helm-responses.js';
import { toClusterContainer } from '../../backend/src/drivers/runtime/engine/cluster-objects.js';
import { toNodeEvent } from '../../backend/src/drivers/runtime/engine/engine-events.js';
import * as engine from '../../backend/src/drivers/runtime/engine/engine-responses.js';
import { toNodeContainer } from '../../backend/src/drivers/runtime/engine/node-container.js';
import { toNodeSample } from '../../backend/src/drivers/runtime/engine/node-sample.js';
import { toNodeSettings } from '../../backend/src/drivers/runtime/engine/node-settings.js';
import { PullTracker } from '../../backend/src/drivers/runtime/engine/pull-tracker.js';
import { JournalLines } from '../../backend/src/modules/log-sources/reading/journal-lines.js';
import { readTranscript } from '../transcripts/transcript.js';
import * as answers from './answers.js';
import { describeFeeds, type Feed } from './feeds.js';

/** The first recorded response of a request of an engine. */
function recorded(name: 'docker' | 'podman', request: RegExp): unknown {
  const found = readTranscript(name).exchanges.find(
    ({ request: asked, body }) =>
      request.test(asked) && typeof body === 'object' && JSON.stringify(body) !== '[]',
  );
  if (!found) throw new Error(`${name} has no recorded response to ${String(request)}`);
  return Array.isArray(found.body) ? found.body.slice(0, 2) : found.body;
}

function read<TValue>(reader: Reader<TValue>, text: string, use: (value: TValue) => unknown): unknown {
  const value = reader(jsonValue(text));
  return value === undefined ? undefined : [value, use(value)];
}

const SUMMARY = { Id: 'a'.repeat(64) };

const ENGINES: readonly Feed[] = (['docker', 'podman'] as const).flatMap((name): Feed[] => [
  {
    what: `containers of ${name}`,
    answer: recorded(name, /^GET \/containers\/json/),
    read: (text) =>
      read(list(engine.containerSummary), text, (all) =>
        all.map((each) => [toNodeContainer(each, {}), toClusterContainer(each)]),
      ),
  },
  {
    what: `an inspected container of ${name}`,
    answer: recorded(name, /^GET \/containers\/\S+\/json/),
    read: (text) =>
      read(engine.inspectedContainer, text, (found) => [
        toNodeSettings(SUMMARY, found),
        toNodeContainer(SUMMARY, found.State),
      ]),
  },
  {
    what: `info of ${name}`,
    answer: recorded(name, /^GET \/info/),
    read: (text) => read(engine.engineInfo, text, () => undefined),
  },
  {
    what: `the version of ${name}`,
    answer: recorded(name, /^GET \/version/),
    read: (text) => read(engine.engineVersion, text, () => undefined),
  },
  {
    what: `images of ${name}`,
    answer: recorded(name, /^GET \/images\/json/),
    read: (text) => read(list(engine.imageSummary), text, () => undefined),
  },
]);

const OTHERS: readonly Feed[] = [
  {
    what: 'statistics',
    answer: answers.STATS,
    read: (text) => {
      const stats = engine.containerStats(jsonValue(text));
      return stats && toNodeSample('a', stats, 2 ** 34);
    },
  },
  {
    what: 'an event of an engine',
    answer: answers.ENGINE_EVENT,
    read: (text) => read(engine.engineEventMessage, text, toNodeEvent),
  },
  {
    what: 'a message of a pull',
    answer: answers.PULL,
    read: (text) => read(engine.pullMessage, text, (message) => new PullTracker().update(message)),
  },
  { what: 'releases of helm', answer: answers.RELEASES, read: releasesIn },
  { what: 'revisions of helm', answer: answers.REVISIONS, read: revisionsIn },
  // Values and manifests are the user's own, and shown whole.
  { what: 'a release of helm', answer: answers.RELEASE, read: (text) => contentsIn(text).notes.length },
  { what: 'charts of helm', answer: answers.CHARTS, read: chartsIn },
  {
    what: 'a row of VictoriaLogs',
    answer: answers.LOG_ROW,
    read: (text) => {
      const row = jsonValue(text);
      return typeof row === 'object' && row !== null && !Array.isArray(row)
        ? entryOf(row).line.seq
        : undefined;
    },
  },
  {
    what: 'an entry of a journal',
    answer: answers.JOURNAL_ENTRY,
    read: (text) =>
      new JournalLines().take([text]).map(({ service, line: { time, level } }) => [service, time, level]),
  },
  {
    what: 'a log line in JSON',
    answer: answers.LOG_ROW,
    read: (text) => fieldsOf(text).pairs.length,
  },
];

describeFeeds([...ENGINES, ...OTHERS]);
