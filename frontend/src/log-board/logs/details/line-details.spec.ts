import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LineDetailDto, LogSourceDto, SourceCauseDto } from '../../../shared/api/api-types';
import { findHits, type LineMarks } from '../../../shared/lines/hits';
import type { LogLine } from '../../../shared/lines/log-line';
import { provideApi } from '../../../shared/testing/fake-api';
import { EMPTY_QUERY, type LogQuery } from '../../../shared/search/log-query';
import { makeLine } from '../../../shared/lines/testing/make-line';
import { makeSource } from '../../../shared/testing/make-source';
import { LineDetails } from './line-details';

const TEXT = '{"level":"error","msg":"upstream \\"away\\"","status":504}';

function detail(more: Partial<LineDetailDto> = {}): LineDetailDto {
  const { fields = { level: 'error', msg: 'upstream "away"', status: '504', 'http.host': 'shop' } } = more;
  return {
    source: 1,
    seq: 12,
    time: '2026-11-22T08:00:00.012000Z',
    stream: 'stderr',
    level: 'error',
    text: TEXT,
    cut: 0,
    continues: false,
    format: 'json',
    fields,
    pairs: Object.entries(fields).map(([name, value]) => ({ name, value })),
    position: 12,
    ...more,
  };
}

describe('LineDetails', () => {
  let asked: [number, number][];
  let answer: () => Promise<LineDetailDto>;
  let fixture: ComponentFixture<LineDetails>;
  let cause: SourceCauseDto;
  let changed: LogQuery[];
  let events: (LogSourceDto | LogLine | 'closed')[];
  const source = makeSource({
    id: 1,
    kind: 'pod',
    cluster: 'shop',
    namespace: 'payments',
    workload: 'Deployment/api',
    name: 'api-7',
    container: 'api',
  });

  beforeEach(() => {
    asked = [];
    changed = [];
    events = [];
    answer = () => Promise.resolve(detail());
    cause = { known: true, cause: null };
    const api = provideApi({
      'GET /api/sources/{id}/lines/{seq}': ({ id, seq }) => {
        asked.push([Number(id), Number(seq)]);
        return answer();
      },
      'GET /api/sources/{id}/cause': () => Promise.resolve(cause),
    });
    TestBed.configureTestingModule({ providers: [api] });
    fixture = TestBed.createComponent(LineDetails);
    const inputs = {
      line: makeLine(12, { level: 'error', stream: 'stderr', text: 'as the row has it' }),
      source,
      query: EMPTY_QUERY,
      isUtc: true,
      link: '/logs?line=x@12',
    };
    for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
    const { instance } = fixture.componentRef;
    instance.changed.subscribe((query) => changed.push(query));
    instance.alone.subscribe((one) => events.push(one));
    instance.around.subscribe((line) => events.push(line));
    instance.closed.subscribe(() => events.push('closed'));
  });

  async function settle(): Promise<void> {
    // Does not wait for stability: a pending request prevents it.
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      fixture.detectChanges();
    }
  }

  const page = (): HTMLElement => fixture.nativeElement as HTMLElement;
  const lineText = (): string | undefined => page().querySelector('.text')?.textContent;
  const names = (): string[] =>
    [...page().querySelectorAll('button')].map((one) =>
      (one.getAttribute('aria-label') ?? one.textContent).replace(/\s+/g, ' ').trim(),
    );

  function press(name: string): void {
    const button = page().querySelectorAll('button')[names().indexOf(name)];
    if (!button) throw new Error(`no button ${name} among ${names().join(', ')}`);
    button.click();
  }

  /** The description of a term. */
  function beside(term: string): string | undefined {
    const found = [...page().querySelectorAll('dt')].find(({ textContent }) => textContent.trim() === term);
    return found?.nextElementSibling?.textContent.replace(/\s+/g, ' ').trim();
  }

  it('marks matches in the full text, not only in the text of the row', async () => {
    const looked: string[] = [];
    const marks: LineMarks = {
      hits: (_line, text) => {
        looked.push(text);
        return findHits(text, /away|504/gu);
      },
    };
    fixture.componentRef.setInput('marks', marks);
    await fixture.whenStable();
    const page = fixture.nativeElement as HTMLElement;
    expect([...page.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['away', '504']);
    expect(page.querySelector('.text')?.textContent).toBe(TEXT);
    expect(looked).toEqual([TEXT]);
  });

  it('shows bidirectional marks as symbols, and marks matches around them', async () => {
    const fields = { file: '\u202egnp.exe', trace: 'one\r\n\ttwo' };
    answer = () => Promise.resolve(detail({ text: '\x1b[31mrun\x1b[0m \u202egnp.exe', fields }));
    fixture.componentRef.setInput('marks', {
      hits: (_line, text) => findHits(text, /un|gnp/gu),
    } satisfies LineMarks);
    await settle();
    const page = fixture.nativeElement as HTMLElement;
    expect(lineText()).toBe('run \\u202egnp.exe');
    expect(page.querySelector('.text .escape')?.textContent).toBe('\\u202e');
    expect([...page.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['un', 'gnp']);
    const values = [...page.querySelectorAll('sw-line-fields .mono.anywhere')].map(
      ({ textContent }) => textContent,
    );
    expect(values).toEqual(['\\u202egnp.exe', 'one\n\ttwo']);
  });

  it('shows the text of the row until the full line is loaded', async () => {
    const waiting = Promise.withResolvers<LineDetailDto>();
    answer = () => waiting.promise;
    await settle();
    expect([asked, lineText()]).toEqual([[[1, 12]], 'as the row has it']);
    waiting.resolve(detail({ text: `\u001b[31m${TEXT}\u001b[0m`, cut: 12_345 }));
    await settle();
    expect(lineText()).toBe(TEXT);
    expect(page().textContent).toContain('12,345 more bytes were truncated.');
    expect(beside('Time')).toContain('2026-11-22');
    expect(beside('Time')).toContain('08:00:00.012');
  });

  it('shows the raw text with escapes on request', async () => {
    answer = () => Promise.resolve(detail({ text: '\u001b]0;title\u0007\u001b[31mred\u001b[0m \u00adend' }));
    await settle();
    expect(lineText()).toBe('red \u00adend');
    press('Raw text with escapes');
    await settle();
    expect(lineText()).toBe('\\x1b]0;title\\x07\\x1b[31mred\\x1b[0m \\xadend');
    press('Raw text with escapes');
    await settle();
    expect(lineText()).toBe('red \u00adend');
    answer = () => Promise.resolve(detail({ seq: 13, text: 'plain' }));
    fixture.componentRef.setInput('line', makeLine(13));
    await settle();
    expect(names()).not.toContain('Raw text with escapes');
  });

  it('shows all text of a line with an unterminated escape', async () => {
    answer = () => Promise.resolve(detail({ text: '\u001b]0;title and the rest' }));
    await settle();
    expect(lineText()).toBe('0;title and the rest');
  });

  it('lists the properties of the source, without those it lacks', async () => {
    await settle();
    const rows = ['Engine', 'Cluster', 'Namespace', 'Workload', 'Pod', 'Container', 'Service', 'Stream'];
    expect(rows.map((row) => beside(row))).toEqual([
      'docker',
      'shop',
      'payments',
      'Deployment/api',
      'api-7',
      'api',
      undefined,
      'stderr',
    ]);
    press('Show only this source');
    expect(events).toEqual([source]);
    fixture.componentRef.setInput('source', undefined);
    await settle();
    expect([beside('Engine'), names().includes('Show only this source')]).toEqual([undefined, false]);
  });

  it('links to the Pod and its workload in the dashboard, and names what is wrong with them', async () => {
    const links = (): (string | null)[] =>
      [...page().querySelectorAll('a')].map((link) => link.getAttribute('href'));
    const cluster = '/dashboard/cluster/shop';
    const workload = `${cluster}/resources/apps/v1/deployments?runtime=docker&object=payments%2Fapi`;
    const pod = `${cluster}/resources/core/v1/pods?runtime=docker&object=payments%2Fapi-7`;
    await settle();
    expect(links()).toEqual([`${cluster}?runtime=docker`, workload, pod]);
    expect(page().querySelector('.cause')).toBeNull();

    const times = { since: '2026-11-22T07:00:00Z', next_step: 'Raise the limit.' };
    const message = 'Container api ran out of memory.';
    cause = {
      known: true,
      cause: { kind: 'Deployment', namespace: 'payments', name: 'api', message, ...times },
    };
    fixture.componentRef.setInput('source', { ...source, id: 2 });
    await settle();
    expect(page().querySelector('.cause')?.textContent).toMatch(/Deployment api.*ran out of memory/s);
    expect(links().at(-1)).toBe(pod);

    // The Pod was deleted, its workload may exist.
    fixture.componentRef.setInput('source', { ...source, state: 'gone' });
    await settle();
    expect([links(), page().querySelector('.cause')]).toEqual([
      [`${cluster}?runtime=docker`, workload],
      null,
    ]);
  });

  it('shows a load error and keeps the text of the row', async () => {
    answer = () => Promise.reject(new ApiProblem('line_not_found', 'Line 12 is not kept any more.', 404));
    await settle();
    expect(page().querySelector('.error-text')?.textContent).toBe('Line 12 is not kept any more.');
    expect(lineText()).toBe('as the row has it');
  });

  it('loads the next line when it changes', async () => {
    await settle();
    answer = () =>
      Promise.resolve(detail({ seq: 13, text: 'another', format: 'logfmt', fields: { a: 'b' } }));
    fixture.componentRef.setInput('line', makeLine(13));
    await settle();
    expect([asked[1], lineText()]).toEqual([[1, 13], 'another']);
    expect(page().textContent).toContain('Fields (logfmt)');
  });

  it('offers only the lines of a trace, and only for fields that name one', async () => {
    const fields = {
      ...{
        trace_id: 'a',
        traceId: 'b',
        'trace.id': 'c',
        request_id: 'd',
        'x-request-id': 'e',
        requestId: 'f',
      },
      ...{
        'span.trace_id': 'g',
        trace: 'h',
        order_id: 'no',
        id: 'no',
        trace_ideas: 'no',
        traces: 'no',
        correlation_id: '',
      },
    };
    answer = () => Promise.resolve(detail({ fields }));
    await settle();
    const buttons = [...page().querySelectorAll('button')].filter((one) =>
      one.textContent.includes('Only this trace'),
    );
    for (const button of buttons) button.click();
    expect(changed.map((query) => query.fields[0]?.value).join('')).toBe('abcdefgh');
  });

  it('filters by a field or excludes its value, also a nested one', async () => {
    await settle();
    expect([beside('msg'), beside('http.host')]).toEqual(['upstream "away"', 'shop']);
    press('Only lines with this status');
    expect(changed[0]?.fields).toEqual([{ name: 'status', value: '504' }]);
    press('Without lines with this msg');
    press('Without lines with this http.host');
    expect(changed.slice(1).map(({ withoutFields }) => withoutFields)).toEqual([
      [{ name: 'msg', value: 'upstream "away"' }],
      [{ name: 'http.host', value: 'shop' }],
    ]);
  });

  it('filters by the level, or excludes it from the shown levels', async () => {
    await settle();
    press('Only lines of this level');
    press('Without lines of this level');
    fixture.componentRef.setInput('query', { ...EMPTY_QUERY, levels: ['warn', 'error'] });
    await settle();
    press('Without lines of this level');
    expect(changed.map(({ levels }) => levels)).toEqual([
      ['error'],
      ['trace', 'debug', 'info', 'warn', 'fatal', 'none'],
      ['warn'],
    ]);
  });

  it('shows the context of a match, and closes', async () => {
    await settle();
    expect(names()).not.toContain('Show context');
    fixture.componentRef.setInput('query', { ...EMPTY_QUERY, levels: ['warn'] });
    await settle();
    press('Show context');
    press('Close');
    expect(events).toEqual([expect.objectContaining({ kind: 'line', seq: 12 }), 'closed']);
  });
});
