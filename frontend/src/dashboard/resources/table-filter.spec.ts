import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { provideRouter, Router } from '@angular/router';
import { RouterTestingHarness } from '@angular/router/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { aRow, aType } from '../../shared/testing/resource-records';
import { TableFilter } from './table-filter';

const type = signal<ResourceTypeDto | undefined>(undefined);

@Component({ template: '' })
class Page {
  readonly filter = new TableFilter(signal({ name: 'staging', runtime: 'demo' }), type);
}

describe('TableFilter', () => {
  let filter: TableFilter;
  let router: Router;

  beforeEach(async () => {
    type.set(aType());
    TestBed.configureTestingModule({ providers: [provideRouter([{ path: 'pods', component: Page }])] });
    router = TestBed.inject(Router);
    const harness = await RouterTestingHarness.create();
    ({ filter } = await harness.navigateByUrl('/pods?filter=web&labels=app%3Dshop&status=failed', Page));
  });

  afterEach(() => localStorage.clear());

  it('shows the rows that match the text, the labels and the status of the URL', () => {
    const row = aRow({ name: 'web-0', labels: { app: 'shop' }, health: 'failed' });
    const matches = filter.matcher(() => []);
    expect(matches(row)).toBe(true);
    expect(matches({ ...row, name: 'api-0' })).toBe(false);
    expect(matches({ ...row, labels: {} })).toBe(false);
    expect(matches({ ...row, health: 'ok' })).toBe(false);
  });

  it('sorts by a column upward, downward, then by default', async () => {
    const sorts: (string | null)[] = [];
    for (let count = 0; count < 3; count += 1) {
      filter.sortBy('Age');
      await new Promise((resolve) => setTimeout(resolve));
      sorts.push(router.parseUrl(router.url).queryParamMap.get('sort'));
    }
    expect(sorts).toEqual(['Age', '-Age', null]);
  });

  it('hides the rows of other namespaces, unless the kind has none', async () => {
    await filter.namespaceChoice.choose(['shop']);
    const row = aRow({ name: 'web-0', labels: { app: 'shop' }, health: 'failed', namespace: 'blog' });
    expect(filter.matcher(() => [])(row)).toBe(false);
    type.set(aType({ namespaced: false }));
    expect(filter.matcher(() => [])(row)).toBe(true);
  });

  it('clears text, labels, status and namespaces', async () => {
    await filter.namespaceChoice.choose(['shop']);
    expect(filter.isActive()).toBe(true);
    await filter.clear();
    expect([filter.isActive(), filter.text(), filter.labels(), router.url]).toEqual([
      false,
      '',
      '',
      '/pods?namespace=',
    ]);
  });
});
