import type { AlertDto, AlertFiringDto } from '../../shared/api/api-types';
import { plural, sentenceList } from '../../shared/format/format';
import { formChoice } from './webhook-forms';

/** A span of whole seconds, in the largest unit that says it exactly. */
export function spanLabel(seconds: number): string {
  if (seconds % 3600 === 0) return plural(seconds / 3600, 'hour');
  if (seconds % 60 === 0) return plural(seconds / 60, 'minute');
  return plural(seconds, 'second');
}

/** What a rule counts, as a sentence without its full stop. */
export function ruleSummary({ query, threshold, window_seconds }: AlertDto): string {
  const parts = [
    query.level.length > 0 ? `of level ${sentenceList(query.level.map(levelWord), 'or')}` : '',
    query.text === null ? '' : `${query.regex ? 'matching' : 'with'} “${query.text}”`,
    ...query.field.map((field) => field.replace(':', ' = ')),
    ...query.without_field.map((field) => field.replace(':', ' ≠ ')),
    ...query.without.map((text) => `without “${text}”`),
  ].filter((part) => part !== '');
  return `${plural(threshold, 'line')}${parts.length > 0 ? ` ${parts.join(', ')}` : ''} within ${spanLabel(window_seconds)}`;
}

function levelWord(level: string): string {
  return level === 'none' ? 'unknown' : level;
}

/** Of which sources a rule counts. */
export function sourcesSummary({ sources }: AlertDto): string {
  const { runtime, cluster, namespace, workload, name } = sources;
  const parts = [runtime, cluster, namespace, workload, name].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' / ') : 'Every source';
}

/** How the webhook of a firing fared; empty where there is none. */
export function deliveryLabel({ webhook: { state, attempts, error } }: AlertFiringDto): string {
  if (state === 'none') return '';
  if (state === 'delivered') {
    return attempts > 1 ? `Webhook delivered at attempt ${attempts}` : 'Webhook delivered';
  }
  const reason = error === null ? '' : `: ${error}`;
  if (state === 'waiting') {
    return attempts === 0
      ? 'Webhook on its way'
      : `Webhook is tried again, ${plural(attempts, 'attempt')} failed${reason}`;
  }
  return `Webhook not delivered after ${plural(attempts, 'attempt')}${reason}`;
}

/** What happened, for a message of one line. */
export function firingMessage(firing: AlertFiringDto): string {
  if (firing.test) return 'This is a test.';
  const lines = `${plural(firing.count, 'line')} matched.`;
  const sample = firing.sample ? plainText(firing.sample.text) : '';
  return sample === '' ? lines : `${lines} The newest: ${sample}`;
}

/** How an alert is notified of. */
export function channelsLabel({ browser, webhook }: AlertDto): string {
  const ways = [browser ? 'this board' : '', webhook ? webhookLabel(webhook) : ''];
  return sentenceList(ways.filter((way) => way !== '')) || 'nobody: it is only listed';
}

function webhookLabel({ url, form, has_secret }: NonNullable<AlertDto['webhook']>): string {
  const chat = form === 'slipway' ? '' : ` (${formChoice(form).name})`;
  return `${hostOf(url)}${chat}${has_secret ? ', signed' : ''}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_](?:[^\u0007\u001b]*(?:\u0007|\u001b\\))?|[ -/]*[0-~])/g;
const MOST_CHARACTERS = 300;

/** A line as plain text: without what drives a terminal or turns the direction, and not longer than one reads. */
export function plainText(text: string): string {
  const plain = text
    .replace(ESCAPES, '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim();
  return plain.length > MOST_CHARACTERS ? `${plain.slice(0, MOST_CHARACTERS)} …` : plain;
}
