import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FieldValuesDto, LinePatternsDto } from '../api/api-types';
import { provideApi } from '../testing/fake-api';
import { EMPTY_QUERY, type LogQuery } from '../search/log-query';
import { makeSource } from '../testing/make-source';
import { FieldValues } from './field-values';
import { LinePatterns } from './line-patterns';

const EXAMPLE = {
  ...{ source: 1, seq: 7, time: '2026-11-26T09:34:18.000000Z', stream: null, level: 'warn' as const },
  ...{ text: 'GET /orders/7 took 3ms', cut: 0, continues: false },
};
const PATTERNS: LinePatternsDto = {
  examined: 20_000,
  reason: 'limit',
  others: 12,
  from: '2026-11-26T09:00:00.000000Z',
  to: '2026-11-26T10:00:00.000000Z',
  patterns: [
    {
      pattern: 'GET /orders/* took *',
      count: 812,
      regex: 'GET /orders/.+? took ',
      text: 'GET /orders/',
      example: EXAMPLE,
      counts: [0, 0, 0, 0, 0, 0, 800, 12],
    },
    { pattern: '*', count: 3, regex: '', text: '', example: EXAMPLE, counts: [3] },
  ],
};
const VALUES: FieldValuesDto = {
  ...{ examined: 900, reason: 'complete', others: 0, without: 40 },
  values: [{ value: '504', count: 17 }],
};

describe('groups of lines', () => {
  let asked: unknown[];
  let changed: LogQuery[];

  beforeEach(() => {
    asked = [];
    changed = [];
    const answer = <TAnswer>(params: object, result: TAnswer): Promise<TAnswer> => {
      asked.push(params);
      return Promise.resolve(result);
    };
    const api = provideApi({
      'GET /api/patterns': (params) => answer(params, PATTERNS),
      'GET /api/fields': (params) => answer(params, VALUES),
    });
    TestBed.configureTestingModule({ providers: [api] });
  });

  async function create<TPart extends LinePatterns | FieldValues>(
    part: new () => TPart,
    inputs: object = {},
  ): Promise<ComponentFixture<TPart>> {
    const fixture = TestBed.createComponent(part);
    for (const [name, value] of Object.entries({ query: EMPTY_QUERY, scope: null, ...inputs })) {
      fixture.componentRef.setInput(name, value);
    }
    fixture.componentInstance.changed.subscribe((query) => changed.push(query));
    await fixture.whenStable();
    return fixture;
  }

  function button({ nativeElement }: ComponentFixture<unknown>, label: string): HTMLButtonElement {
    const found = (nativeElement as HTMLElement).querySelector(`[aria-label="${label}"]`);
    if (!found) throw new Error(`there is no button ${label}`);
    return found as HTMLButtonElement;
  }

  function text({ nativeElement }: ComponentFixture<unknown>): string {
    return (nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ');
  }

  it('lists patterns of all sources, and shows or hides their lines', async () => {
    const fixture = await create(LinePatterns);
    expect(asked).toEqual([{}]);
    expect(text(fixture)).toContain('In the newest 20,000 lines');
    expect(text(fixture)).toMatch(/8124 %warn.*GET \/orders\/\* took \*/);
    expect((fixture.nativeElement as HTMLElement).querySelector('svg title')?.textContent).toBe(
      'At most 800 lines in each of 8 parts of the time',
    );
    expect(text(fixture)).toContain('12 lines with rarer patterns');
    button(fixture, 'Only lines like GET /orders/* took *').click();
    button(fixture, 'Without lines that contain GET /orders/').click();
    expect(changed).toEqual([
      { ...EMPTY_QUERY, text: 'GET /orders/.+? took ', regex: true },
      { ...EMPTY_QUERY, without: ['GET /orders/'] },
    ]);
    expect(button(fixture, 'Only lines like *').disabled).toBe(true);
  });

  it('requests the patterns that are new in the time range, or since a rollout', async () => {
    const first_time = '2026-11-26T09:30:00.000000Z';
    const pod = { kind: 'pod', workload: 'Deployment/cart', name: 'cart-7d9f-x2lqp', first_time } as const;
    const fixture = await create(LinePatterns, {
      query: { ...EMPTY_QUERY, from: '1h' },
      sources: [makeSource({ ...pod, cluster: 'dev', namespace: 'shop' })],
    });
    const chosen: (string | null)[] = [];
    fixture.componentInstance.sinceChanged.subscribe((since) => chosen.push(since));
    (fixture.nativeElement as HTMLElement).querySelector<HTMLElement>('.since button')?.click();
    await fixture.whenStable();
    const choices = [...document.querySelectorAll<HTMLElement>('[role=menuitemradio]')];
    expect(choices.map(({ textContent }) => textContent.trim())).toEqual([
      'All patterns',
      'New in the time range',
      expect.stringMatching(/^New since the rollout of dev\/shop\/cart, .*\d\d:30:00$/),
    ]);
    choices[2]?.click();
    expect(chosen).toEqual([first_time]);
    for (const since of [first_time, 'range']) {
      fixture.componentRef.setInput('since', since);
      await fixture.whenStable();
    }
    expect(asked).toEqual([
      { from: '1h' },
      { from: '1h', new_since: first_time },
      { from: '1h', new_since: '1h' },
    ]);
  });

  it('lists the top values of a field, and shows or hides their lines', async () => {
    const fixture = await create(FieldValues, { name: 'status', scope: [3] });
    expect(asked).toEqual([{ sources: '3', name: 'status' }]);
    expect(text(fixture)).toContain('In 900 lines; 40 lines without the field');
    button(fixture, 'Only lines with status 504').click();
    button(fixture, 'Without lines with status 504').click();
    const field = { name: 'status', value: '504' };
    expect(changed).toEqual([
      { ...EMPTY_QUERY, fields: [field] },
      { ...EMPTY_QUERY, withoutFields: [field] },
    ]);
  });
});
