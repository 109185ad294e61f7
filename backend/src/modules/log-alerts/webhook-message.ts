import { plainText } from '../log-lines/index.js';
import type { WebhookForm } from './alert.dto.js';
import type { Firing } from './firing.store.js';

export interface WebhookMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Plain-text parts of a chat message. */
interface MessageParts {
  title: string;
  counted: string;
  sample: string | null;
  link: string;
}

/** Discord rejects messages of more than 2,000 characters. */
const MAX_SAMPLE_LENGTH = 1000;
const ZERO_WIDTH_SPACE = '\u200b';
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function webhookMessage(form: WebhookForm, firing: Firing, link: string): WebhookMessage {
  if (form === 'slipway') return json({ ...firing, link });
  const parts = partsOf(firing, link);
  switch (form) {
    case 'slack':
      return json({ text: slackText(parts) });
    case 'discord':
      // Text from a log must not mention users.
      return json({ content: discordText(parts), allowed_mentions: { parse: [] } });
    case 'teams':
      return json(teamsMessage(parts));
    case 'ntfy':
      return ntfyMessage(parts);
  }
}

function json(message: object): WebhookMessage {
  return { headers: JSON_TYPE, body: JSON.stringify(message) };
}

function partsOf({ name, test, count, sample }: Firing, link: string): MessageParts {
  return {
    title: test ? `Test of alert ${name}` : `Alert ${name}`,
    counted: test
      ? 'This is a test. No lines were counted.'
      : `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'} matched.`,
    sample: sample && sampleText(sample.text, sample.cut),
    link,
  };
}

/** Without terminal escapes and bidirectional formatting characters, and truncated. */
function sampleText(text: string, cut: number): string | null {
  const plain = plainText(text)
    .replace(/[\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .trim();
  if (plain === '') return null;
  if (plain.length <= MAX_SAMPLE_LENGTH && cut === 0) return plain;
  // Half of a surrogate pair is dropped.
  return `${plain.slice(0, MAX_SAMPLE_LENGTH).replace(/[\ud800-\udbff]$/, '')} …`;
}

/** @see https://docs.slack.dev/messaging/formatting-message-text#escaping */
function slackText({ title, counted, sample, link }: MessageParts): string {
  const escape = (text: string): string =>
    withoutMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const parts = [escape(title), counted, sample === null ? null : fenced(escape(sample)), `<${link}>`];
  return parts.filter((part) => part !== null).join('\n');
}

/** Other services that accept Slack's format, such as Mattermost and Discord, notify everyone for these words. */
function withoutMentions(text: string): string {
  return text.replace(/@(?=(?:all|channel|here|everyone)\b)/gi, `@${ZERO_WIDTH_SPACE}`);
}

function discordText({ title, counted, sample, link }: MessageParts): string {
  const name = title.replace(/[\\*_~`|>#[\]()@<:-]/g, '\\$&');
  const parts = [`**${name}**`, counted, sample === null ? null : fenced(sample), `<${link}>`];
  return parts.filter((part) => part !== null).join('\n');
}

/** A code block that the text cannot close. */
function fenced(text: string): string {
  return `\`\`\`\n${text.replace(/``(?=`)/g, `\`\`${ZERO_WIDTH_SPACE}`)}\n\`\`\``;
}

/**
 * For a workflow with the trigger “When a Teams webhook request is received”. A TextRun is plain text; a TextBlock would
 * be parsed as Markdown.
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
function teamsMessage({ title, counted, sample, link }: MessageParts): object {
  const run = (text: string, more: object = {}): object => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...more }],
  });
  return {
    type: 'message',
    summary: title,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            run(title, { weight: 'Bolder', size: 'Medium' }),
            run(counted),
            ...(sample === null ? [] : [run(sample, { fontType: 'Monospace' })]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open alert', url: link }],
        },
      },
    ],
  };
}

/** @see https://docs.ntfy.sh/publish/ */
function ntfyMessage({ title, counted, sample, link }: MessageParts): WebhookMessage {
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: headerText(title),
      tags: 'warning',
      click: link,
    },
    body: sample === null ? counted : `${counted}\n${sample}`,
  };
}

/** Encoded by RFC 2047 if it is not plain ASCII. */
function headerText(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');
  return isPlain ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
