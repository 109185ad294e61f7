import { describe, expect, it } from '@jest/globals';
import { WEBHOOK_FORMS } from './alert.dto.js';
import type { Firing } from './firing.store.js';
import { webhookMessage } from './webhook-message.js';

const LINK = 'http://logs.test:9001/alerts?alert=1';

function firing(text: string | null, more: Partial<Firing> = {}): Firing {
  return {
    id: 3,
    alert_id: 1,
    name: 'Payments time out',
    time: '2026-11-22T08:01:00.000Z',
    count: 1200,
    sample: text === null ? null : sampleOf(text),
    source_key: 'container/docker/1',
    test: false,
    webhook: { state: 'waiting', attempts: 1, status: null, error: null },
    ...more,
  };
}

function sampleOf(text: string, cut = 0): NonNullable<Firing['sample']> {
  const time = '2026-11-22T08:01:00.000000Z';
  return { source: 17, seq: 4, time, stream: 'stderr', level: 'error', text, cut, continues: false };
}

/** The parsed body of a JSON message. */
function read<TMessage>(form: (typeof WEBHOOK_FORMS)[number], given: Firing): TMessage {
  const { headers, body } = webhookMessage(form, given, LINK);
  expect(headers).toEqual({ 'content-type': 'application/json; charset=utf-8' });
  return JSON.parse(body) as TMessage;
}

describe('webhookMessage', () => {
  it('returns the firing and a link for slipway', () => {
    expect(read('slipway', firing('<a> & b'))).toEqual({ ...firing('<a> & b'), link: LINK });
  });

  it('escapes &, < and > for slack', () => {
    const name = 'Tom & <Jerry>';
    expect(read('slack', firing('<!channel> a && b `````x', { name }))).toEqual({
      text: [
        'Alert Tom &amp; &lt;Jerry&gt;',
        '1,200 lines matched.',
        '```',
        '&lt;!channel&gt; a &amp;&amp; b ``\u200b``\u200b`x',
        '```',
        `<${LINK}>`,
      ].join('\n'),
    });
  });

  it('prevents mentions in services that accept the slack format', () => {
    const { text } = read<{ text: string }>(
      'slack',
      firing('@here me@example.org @CHANNEL', { name: '@all' }),
    );
    expect(text).toContain('Alert @\u200ball');
    expect(text).toContain('@\u200bhere me@example.org @\u200bCHANNEL');
  });

  it('escapes Markdown and prevents mentions for discord', () => {
    const name = '*x* [a](b) @everyone';
    expect(read('discord', firing('``` **not bold**', { name }))).toEqual({
      content: [
        '**Alert \\*x\\* \\[a\\]\\(b\\) \\@everyone**',
        '1,200 lines matched.',
        '```',
        '``\u200b` **not bold**',
        '```',
        `<${LINK}>`,
      ].join('\n'),
      allowed_mentions: { parse: [] },
    });
  });

  it('returns an adaptive card without Markdown for teams', () => {
    interface Card {
      type: string;
      attachments: { contentType: string; content: { body: unknown[]; actions: unknown[] } }[];
    }
    const { type, attachments } = read<Card>('teams', firing('**a** [x](y)'));
    expect([type, attachments.length, attachments[0]?.contentType]).toEqual([
      'message',
      1,
      'application/vnd.microsoft.card.adaptive',
    ]);
    const run = (text: string): unknown =>
      expect.objectContaining({
        type: 'RichTextBlock',
        inlines: [expect.objectContaining({ type: 'TextRun', text })],
      });
    expect(attachments[0]?.content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(attachments[0]?.content.body).toEqual([
      run('Alert Payments time out'),
      run('1,200 lines matched.'),
      run('**a** [x](y)'),
    ]);
    expect(attachments[0]?.content.actions).toEqual([expect.objectContaining({ url: LINK })]);
  });

  it('returns plain text with a title header for ntfy', () => {
    expect(webhookMessage('ntfy', firing('<a> & b', { count: 1 }), LINK)).toEqual({
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        title: 'Alert Payments time out',
        tags: 'warning',
        click: LINK,
      },
      body: '1 line matched.\n<a> & b',
    });
  });

  it.each(['Zahlungen überfällig', '=?UTF-8?B?eA==?='])('encodes a title header for ntfy: %s', (name) => {
    const title = webhookMessage('ntfy', firing(null, { name }), LINK).headers['title'] ?? '';
    const encoded = /^=\?UTF-8\?B\?([\w+/=]+)\?=$/.exec(title)?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe(`Alert ${name}`);
  });

  it.each(WEBHOOK_FORMS.filter((form) => form !== 'slipway'))(
    'marks tests and truncated lines for %s',
    (form) => {
      const test = webhookMessage(form, firing(null, { test: true }), LINK);
      expect(JSON.stringify(test)).toContain('Test of alert Payments time out');
      expect(JSON.stringify(test)).toContain('This is a test');
      const { body } = webhookMessage(form, firing(`\u001b[31mx${'`&😀'.repeat(1000)}`), LINK);
      expect(body).toContain(' …');
      expect(body).not.toMatch(/u001b|\[31m/);
      expect(body.isWellFormed() && !/\\ud[89a-f]/i.test(body)).toBe(true);
      const cut = webhookMessage(form, firing(null, { sample: sampleOf('short', 7) }), LINK);
      expect(cut.body).toContain('short …');
    },
  );

  it('keeps within the 2,000 characters of discord', () => {
    const { content } = read<{ content: string }>(
      'discord',
      firing('`'.repeat(5000), { name: '*'.repeat(80) }),
    );
    expect(content.length).toBeLessThanOrEqual(2000);
  });
});
