import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ResourceFeeds } from './resource-feeds.js';

const CLUSTER = { name: 'shop', runtime: 'external' };

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('ResourceFeeds', () => {
  it('forgets a reader a minute after its last read', () => {
    const unused = {} as never;
    const feeds = new ResourceFeeds(unused, unused, unused);
    const seen: boolean[] = [];
    feeds.viewed.subscribe(() => seen.push(feeds.hasViewers(CLUSTER)));
    feeds.noteReader(CLUSTER);
    jest.advanceTimersByTime(30_000);
    feeds.noteReader(CLUSTER);
    jest.advanceTimersByTime(59_000);
    expect(seen).toEqual([true]);
    jest.advanceTimersByTime(2000);
    expect(seen).toEqual([true, false]);
  });
});
