import type { AlertDto, AlertFiringDto } from '../../shared/api/api-types';
import {
  attemptCount,
  formatList,
  hourCount,
  lineCount,
  minuteCount,
  secondCount,
} from '../../shared/format/format';
import { WEBHOOK_FORMS } from './webhook-forms';

/** A span of whole seconds, in the largest unit that says it exactly. */
export function spanLabel(seconds: number): string {
  if (seconds % 3600 === 0) return hourCount(seconds / 3600);
  if (seconds % 60 === 0) return minuteCount(seconds / 60);
  return secondCount(seconds);
}

/** The condition of an alert, as a sentence without a period. */
export function ruleSummary({ query, threshold, window_seconds }: AlertDto): string {
  const parts = [
    query.level.length > 0
      ? $localize`of level ${formatList(query.level.map(levelLabel), 'disjunction')}:levels:`
      : '',
    query.text === null
      ? ''
      : query.regex
        ? $localize`matching “${query.text}:text:”`
        : $localize`with “${query.text}:text:”`,
    query.query ?? '',
    ...query.field.map((field) => field.replace(':', ' = ')),
    ...query.without_field.map((field) => field.replace(':', ' ≠ ')),
    ...query.without.map((text) => $localize`without “${text}:text:”`),
  ].filter((part) => part !== '');
  const lines = [lineCount(threshold), parts.join(', ')].join(' ').trim();
  return $localize`${lines}:lines: within ${spanLabel(window_seconds)}:duration:`;
}

function levelLabel(level: string): string {
  return level === 'none' ? $localize`unknown` : level;
}

export function sourcesSummary({ sources }: AlertDto): string {
  const { runtime, cluster, namespace, workload, name } = sources;
  const parts = [runtime, cluster, namespace, workload, name].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' / ') : $localize`All sources`;
}

/** The delivery state of a firing's webhook; empty if it has none. */
export function deliveryLabel({ webhook: { state, attempts, error } }: AlertFiringDto): string {
  if (state === 'none') return '';
  if (state === 'delivered') {
    return attempts > 1
      ? $localize`Webhook delivered at attempt ${attempts}:number:`
      : $localize`Webhook delivered`;
  }
  const reason = error === null ? '' : `: ${error}`;
  if (state === 'waiting') {
    return attempts === 0
      ? $localize`Webhook pending`
      : $localize`Webhook pending, ${attemptCount(attempts)}:attempts: failed${reason}:reason:`;
  }
  return $localize`Webhook failed after ${attemptCount(attempts)}:attempts:${reason}:reason:`;
}

export function firingMessage(firing: AlertFiringDto): string {
  if (firing.test) return $localize`This is a test.`;
  const lines = $localize`${lineCount(firing.count)}:lines: matched.`;
  const sample = firing.sample ? plainText(firing.sample.text) : '';
  return sample === '' ? lines : $localize`${lines}:lines: Latest: ${sample}:line:`;
}

export function channelsLabel({ browser, webhook }: AlertDto): string {
  const channels = [browser ? $localize`log board pages` : '', webhook ? webhookLabel(webhook) : ''];
  return formatList(channels.filter((channel) => channel !== '')) || $localize`no one`;
}

function webhookLabel({ url, form, has_secret }: NonNullable<AlertDto['webhook']>): string {
  const chat = form === 'slipway' ? '' : ` (${WEBHOOK_FORMS[form].name})`;
  return `${hostOf(url)}${chat}${has_secret ? $localize`, signed` : ''}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_](?:[^\u0007\u001b]*(?:\u0007|\u001b\\))?|[ -/]*[0-~])/g;
const MAX_CHARACTERS = 300;

/** A line as plain text: without control characters, and truncated. */
export function plainText(text: string): string {
  const plain = text
    .replace(ESCAPES, '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim();
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)} …` : plain;
}
