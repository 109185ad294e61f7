import { z } from 'zod';
import type { LineDto } from '../../../../modules/log-lines/index.js';
import type { LogSourceDto } from '../../../../modules/log-sources/index.js';
import { LEVELS } from '../../arguments.js';
import { CliError, EXIT } from '../../cli-error.js';
import { sourceName } from '../../../../core/search/index.js';
import { chooseSources } from '../../logs/sources.js';
import { clusterName, limitOf, namespace, UNTRUSTED } from '../input.js';
import { linesOf, listOf, type Output } from '../output.js';
import { readTool, type ReadApi, type Tool } from '../tool.js';

/** Characters of a line. */
const LONGEST = 2000;
/** Sources of one request. */
const MAX_SOURCES = 500;

const source = z
  .string()
  .min(1)
  .max(600)
  .describe(
    'A source of list_log_sources, its id (needed for a previous instance), or a shorter name: a pod, a workload such as Deployment/api or api, a node, or the beginning of one, with or without cluster/namespace/ before it',
  );
const levels = z
  .array(z.enum(LEVELS))
  .max(LEVELS.length)
  .optional()
  .describe('Only these levels; none for lines without a level');
const since = z.string().max(40).optional().describe('Start: RFC 3339, or 15m, 2h, 7d ago');

export const logTools: readonly Tool[] = [
  readTool({
    name: 'list_log_sources',
    title: 'List log sources',
    description:
      'Lists the logs that Slipway stores: containers of pods, services of nodes such as kubelet, and other containers of the engine. They are kept after a pod is deleted.',
    input: {
      cluster: clusterName.optional(),
      namespace,
      text: z.string().max(253).optional().describe('Part of the name'),
      include_gone: z.boolean().default(false).describe('Also sources that no longer exist'),
    },
    run: async ({ include_gone, text = '', ...where }, { logBoard }) => {
      const sources = await logBoard.get('/api/sources');
      const items = sources
        .filter((one) => isWithin(one, where) && (include_gone || one.state !== 'gone'))
        .map((one) => ({
          source: sourceName(one),
          id: one.id,
          kind: one.kind,
          workload: one.workload,
          previous: one.previous,
          state: one.state,
          reason: one.reason,
          last_time: one.last_time,
        }))
        .filter((one) => one.source.includes(text) || one.workload?.includes(text));
      return listOf('sources', items, 'Narrow the list with cluster, namespace or text.');
    },
  }),
  readTool({
    name: 'search_logs',
    title: 'Search logs',
    description: `Searches the stored lines of all sources or some, also of pods that no longer exist. Returns the newest matches in the order of time. ${UNTRUSTED}`,
    input: {
      query: z
        .string()
        .max(2000)
        .optional()
        .describe(
          'Conditions that must all hold: words, "phrases", -excluded, a OR b, (groups), /regex/, field=value, field:part, status>=500, level:error, pod:name',
        ),
      regex: z.boolean().default(false).describe('The whole query is one JavaScript regular expression'),
      case: z.boolean().default(false).describe('Match the case'),
      sources: z.array(source).min(1).max(20).optional(),
      cluster: clusterName.optional(),
      namespace,
      levels,
      since,
      until: z.string().max(40).optional().describe('End, in the same formats'),
      limit: limitOf(50),
    },
    run: async (
      { query, regex, case: isCase, sources: names, cluster, namespace: of, ...rest },
      { logBoard },
    ) => {
      const all = await logBoard.get('/api/sources');
      const isNarrowed = [names, cluster, of].some((condition) => condition !== undefined);
      const chosen = (names ? chooseSources(all, names) : all).filter((one) =>
        isWithin(one, { cluster, namespace: of }),
      );
      return await search(logBoard, all, isNarrowed ? chosen : undefined, {
        ...rest,
        ...(regex ? { q: query } : { query }),
        regex,
        case: isCase,
      });
    },
  }),
  readTool({
    name: 'read_logs',
    title: 'Read the end of a log',
    description: `Returns the newest stored lines of a source in the order of time. ${UNTRUSTED}`,
    input: { source, levels, since, limit: limitOf(100) },
    run: async ({ source: name, ...rest }, { logBoard }) => {
      const all = await logBoard.get('/api/sources');
      return await search(logBoard, all, chooseSources(all, [name]), rest);
    },
  }),
];

function isWithin(
  one: LogSourceDto,
  { cluster, namespace: of }: { cluster?: string | undefined; namespace?: string | undefined },
): boolean {
  return (cluster === undefined || one.cluster === cluster) && (of === undefined || one.namespace === of);
}

interface Conditions {
  q?: string | undefined;
  query?: string | undefined;
  regex?: boolean;
  case?: boolean;
  levels?: string[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
}

/** @param sources all if undefined. */
async function search(
  api: ReadApi,
  all: readonly LogSourceDto[],
  sources: readonly LogSourceDto[] | undefined,
  { levels: of, since: from, until: to, ...rest }: Conditions,
): Promise<Output> {
  if (sources?.length === 0) {
    throw new CliError('No log source matches. List them with list_log_sources.', EXIT.notFound);
  }
  if (sources && sources.length > MAX_SOURCES) {
    throw new CliError(`${sources.length} log sources match, more than ${MAX_SOURCES}. Name fewer.`);
  }
  const { matches, reason, searched_to } = await api.get('/api/search', {
    ...rest,
    sources: sources?.map(({ id }) => id).join(','),
    level: of?.join(','),
    from,
    to,
    longest: LONGEST,
  });
  const names = new Map(all.map((one) => [one.id, sourceName(one)]));
  const found = linesOf(
    matches.map((line) => presented(line, names)),
    'Narrow the search.',
  );
  if (reason === 'complete') return found;
  const note =
    reason === 'timeout'
      ? 'Incomplete: the regular expression took too long. Make it simpler, or search a shorter time.'
      : 'There may be older matches. Narrow the search, or set until to the time of the first line.';
  return { ...found, complete: false, searched_to, note };
}

function presented(
  { source: id, seq, time, level, text }: LineDto,
  names: ReadonlyMap<number, string>,
): object {
  return { time, source: names.get(id) ?? String(id), seq, level, text };
}
