import { plainText } from '../log-lines/index.js';
import type { WebhookForm } from './alert.js';
import type { Firing } from './firing.store.js';

/** What is posted to a webhook. */
export interface WebhookMessage {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What every message of a chat says, as plain text. */
interface Words {
  title: string;
  counted: string;
  /** The newest line; null where there is none. */
  sample: string | null;
  link: string;
}

/** As much of a line as a chat takes everywhere: Discord refuses messages over 2,000 characters. */
const MOST_CHARACTERS = 1000;
const NO_WIDTH = '\u200b';
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** A firing as the server behind the webhook takes it. */
export function webhookMessage(form: WebhookForm, firing: Firing, link: string): WebhookMessage {
  if (form === 'slipway') return json({ ...firing, link });
  const words = wordsOf(firing, link);
  switch (form) {
    case 'slack':
      return json({ text: slackText(words) });
    case 'discord':
      // No line and no name calls anybody.
      return json({ content: discordText(words), allowed_mentions: { parse: [] } });
    case 'teams':
      return json(teamsMessage(words));
    case 'ntfy':
      return ntfyMessage(words);
  }
}

function json(message: object): WebhookMessage {
  return { headers: JSON_TYPE, body: JSON.stringify(message) };
}

function wordsOf({ name, test, count, sample }: Firing, link: string): Words {
  return {
    title: test ? `Test of the alert ${name}` : `Alert ${name}`,
    counted: test
      ? 'This is a test: nothing was counted.'
      : `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'} matched.`,
    sample: sample && sampleText(sample.text, sample.cut),
    link,
  };
}

/** Without what drives a terminal or turns the direction of text, and no longer than a chat takes. */
function sampleText(text: string, cut: number): string | null {
  const plain = plainText(text)
    .replace(/[\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .trim();
  if (plain === '') return null;
  if (plain.length <= MOST_CHARACTERS && cut === 0) return plain;
  // A character that the cut went through is left out.
  return `${plain.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')} …`;
}

/** @see https://docs.slack.dev/messaging/formatting-message-text#escaping */
function slackText({ title, counted, sample, link }: Words): string {
  const escape = (text: string): string =>
    withoutCalls(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const parts = [escape(title), counted, sample === null ? null : fenced(escape(sample)), `<${link}>`];
  return parts.filter((part) => part !== null).join('\n');
}

/** What takes Slack's form without being Slack (Mattermost, Discord) calls everybody by these words. */
function withoutCalls(text: string): string {
  return text.replace(/@(?=(?:all|channel|here|everyone)\b)/gi, `@${NO_WIDTH}`);
}

function discordText({ title, counted, sample, link }: Words): string {
  const name = title.replace(/[\\*_~`|>#[\]()@<:-]/g, '\\$&');
  const parts = [`**${name}**`, counted, sample === null ? null : fenced(sample), `<${link}>`];
  return parts.filter((part) => part !== null).join('\n');
}

/** As a block of code, which ends nowhere but at its end. */
function fenced(text: string): string {
  return `\`\`\`\n${text.replace(/``(?=`)/g, `\`\`${NO_WIDTH}`)}\n\`\`\``;
}

/**
 * What a workflow takes that begins with “When a Teams webhook request is received”. A text run is plain text, where a
 * block of text would be Markdown.
 * @see https://adaptivecards.io/explorer/TextRun.html
 */
function teamsMessage({ title, counted, sample, link }: Words): object {
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
          actions: [{ type: 'Action.OpenUrl', title: 'Open the alert', url: link }],
        },
      },
    ],
  };
}

/** @see https://docs.ntfy.sh/publish/ */
function ntfyMessage({ title, counted, sample, link }: Words): WebhookMessage {
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

/** As RFC 2047 has it where it is not plain ASCII: a header holds nothing else. */
function headerText(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.includes('=?');
  return isPlain ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}
