import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FieldValuesDto, LinePatternsDto } from '../../../shared/api/api-types';
import { provideApi } from '../../../shared/testing/fake-api';
import { EMPTY_QUERY, type LogQuery } from '../../search-model/log-query';
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
  patterns: [
    {
      pattern: 'GET /orders/* took *',
      count: 812,
      regex: 'GET /orders/.+? took ',
      text: 'GET /orders/',
      example: EXAMPLE,
    },
    { pattern: '*', count: 3, regex: '', text: '', example: EXAMPLE },
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
    expect(text(fixture)).toContain('8124 %warnGET /orders/* took *');
    expect(text(fixture)).toContain('12 lines with rarer patterns');
    button(fixture, 'Only lines like GET /orders/* took *').click();
    button(fixture, 'Without lines that contain GET /orders/').click();
    expect(changed).toEqual([
      { ...EMPTY_QUERY, text: 'GET /orders/.+? took ', regex: true },
      { ...EMPTY_QUERY, without: ['GET /orders/'] },
    ]);
    expect(button(fixture, 'Only lines like *').disabled).toBe(true);
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
