import { describe, expect, it } from '@jest/globals';
import { listParams, readListView, WHOLE_LIST } from './list-address';

const read = (text: string): ReturnType<typeof readListView> => {
  const params = new URLSearchParams(text);
  return readListView((name) => params.get(name));
};

describe('the address of the list', () => {
  it('says nothing of what is as it is without being asked for', () => {
    expect(listParams(WHOLE_LIST)).toEqual({ filter: null, show: null, engine: null, sort: null });
    expect(read('')).toEqual(WHOLE_LIST);
  });

  it.each([
    'filter=pay+demo&show=attention&engine=podman&sort=-cpu',
    'sort=age',
    'sort=-state',
    'show=resting&sort=memory',
  ])('comes back from %s', (address) => {
    const params = Object.entries(listParams(read(address))).filter((entry) => entry[1] !== null);
    expect(new URLSearchParams(params as [string, string][]).toString()).toBe(address);
  });

  it('leaves out what makes no sense', () => {
    expect(read('show=constructor&engine=../x&sort=toString')).toEqual(WHOLE_LIST);
    expect(read(`filter=${'x'.repeat(500)}`).text).toHaveLength(200);
  });
});
