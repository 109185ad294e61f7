import { describe, expect, it } from '@jest/globals';
import { DEFAULT_VIEW, listParams, readListView } from './list-address';

const read = (text: string): ReturnType<typeof readListView> => {
  const params = new URLSearchParams(text);
  return readListView((name) => params.get(name));
};

describe('readListView and listParams', () => {
  it('omit defaults from the URL', () => {
    expect(listParams(DEFAULT_VIEW)).toEqual({ filter: null, show: null, engine: null, sort: null });
    expect(read('')).toEqual(DEFAULT_VIEW);
  });

  it.each([
    'filter=pay+demo&show=attention&engine=podman&sort=-cpu',
    'sort=age',
    'sort=-state',
    'show=resting&sort=memory',
  ])('round-trip %s', (address) => {
    const params = Object.entries(listParams(read(address))).filter((entry) => entry[1] !== null);
    expect(new URLSearchParams(params as [string, string][]).toString()).toBe(address);
  });

  it('ignore invalid parameters and shorten long filters', () => {
    expect(read('show=constructor&engine=../x&sort=toString')).toEqual(DEFAULT_VIEW);
    expect(read(`filter=${'x'.repeat(500)}`).text).toHaveLength(200);
  });
});
