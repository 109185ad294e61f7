import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { LogSources } from './log-sources';
import { makeSource } from '../../../shared/testing/make-source';
import { clusterMarks, SourceStyles } from './source-styles';

/** 24 Pods, under other ids on each page. */
function openPage(firstId: number): { styles: SourceStyles; ids: number[] } {
  const ids = Array.from({ length: 24 }, (_, index) => firstId + index);
  const pods = ids.map((id, index) =>
    makeSource({ id, kind: 'pod', cluster: 'dev', namespace: 'shop', name: `db-${index}` }),
  );
  const sources = { byId: () => new Map(pods.map((pod) => [pod.id, pod])), all: () => pods };
  TestBed.resetTestingModule();
  TestBed.configureTestingModule({ providers: [{ provide: LogSources, useValue: sources }] });
  return { styles: TestBed.inject(SourceStyles), ids };
}

describe('SourceStyles', () => {
  let styles: SourceStyles;
  let ids: number[];

  beforeEach(() => {
    ({ styles, ids } = openPage(1));
  });

  const hues = (): number[] => ids.map((id) => styles.of(id).hue);

  it('marks the cluster of a source by a few letters and a color', () => {
    expect(styles.of(9)).toMatchObject({ cluster: { code: 'dev', hue: 1 }, name: 'db-8' });
    const names = ['dev', 'payments-prod', 'payments-staging', 'playground', 'plover', 'pp'];
    const marks = [...clusterMarks(names).values()];
    expect(marks.map(({ code }) => code)).toEqual(['dev', 'pp', 'ps', 'pl', 'plo', 'pp6']);
    expect(marks.map(({ hue }) => hue)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('gives a source the same color on each page, and uses all colors', () => {
    const before = hues();
    ({ styles, ids } = openPage(101));
    // In another order of use.
    for (const id of ids.toReversed()) styles.of(id);
    expect(hues()).toEqual(before);
    expect(new Set(before).size).toBe(8);
  });

  it('gives shown sources distinct colors', () => {
    const shown = ids.slice(0, 8);
    styles.distinguish(shown);
    expect(new Set(shown.map((id) => styles.of(id).hue)).size).toBe(8);
  });
});
