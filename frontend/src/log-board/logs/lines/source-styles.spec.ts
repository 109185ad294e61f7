import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { LogSources } from '../tree/log-sources';
import { makeSource } from '../testing/make-source';
import { SourceStyles } from './source-styles';

describe('SourceStyles', () => {
  it('names the cluster of a source, and gives shown sources distinct colors', () => {
    const source = makeSource({ id: 9, kind: 'pod', cluster: 'dev', name: 'db-0' });
    const sources = { byId: () => new Map([[9, source]]) };
    TestBed.configureTestingModule({ providers: [{ provide: LogSources, useValue: sources }] });
    const styles = TestBed.inject(SourceStyles);
    const hues = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => styles.of(id).hue);
    expect(hues).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 1]);
    expect(styles.of(9)).toMatchObject({ cluster: 'dev', name: 'db-0' });
    styles.distinguish([1, 3, 9]);
    expect([1, 3, 9].map((id) => styles.of(id).hue)).toEqual([1, 3, 2]);
  });
});
