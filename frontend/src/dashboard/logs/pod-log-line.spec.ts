import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../shared/lines/log-line';
import { EMPTY_QUERY } from '../../shared/search/log-query';
import { provideApi } from '../../shared/testing/fake-api';
import { PodLogLine } from './pod-log-line';

const LINE: LogLine = {
  ...{ kind: 'line', source: 0, seq: -1, time: 0, rank: 0, stream: null, level: null },
  ...{ text: 'begin', continues: false, isCut: true },
};

describe('PodLogLine', () => {
  const settle = async (): Promise<void> => {
    TestBed.tick();
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
  };

  async function show(stored: { source: number; seq: number } | null): Promise<string> {
    const detail = (of: object): Promise<object> =>
      Promise.resolve({ text: `begin and end of ${JSON.stringify(of)}`, cut: 3 });
    const api = provideApi({ 'GET /api/sources/{id}/lines/{seq}': detail });
    TestBed.configureTestingModule({ providers: [api] });
    const fixture = TestBed.createComponent(PodLogLine);
    fixture.componentRef.setInput('line', LINE);
    fixture.componentRef.setInput('whole', null);
    fixture.componentRef.setInput('stored', stored);
    fixture.componentRef.setInput('query', EMPTY_QUERY);
    await settle();
    return (fixture.nativeElement as HTMLElement).textContent;
  }

  it('loads the full text of a stored line', async () => {
    const text = await show({ source: 7, seq: 42 });
    expect(text).toContain('begin and end of {"id":7,"seq":42}');
    expect(text).toContain('3 more bytes were cut off.');
  });

  it('says that only the beginning of another line is in memory', async () => {
    expect(await show(null)).toContain('Only the beginning is in memory.');
  });
});
