import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { loadPart } from './load-part';

describe('loadPart', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('retries a failed request', async () => {
    const load = jest
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValueOnce('part');
    const loaded = loadPart(load);
    await jest.runAllTimersAsync();
    expect(await loaded).toBe('part');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('throws the last error after four attempts', async () => {
    const reason = new TypeError('Failed to fetch dynamically imported module');
    const load = jest.fn<() => Promise<string>>().mockRejectedValue(reason);
    const refused = expect(loadPart(load)).rejects.toBe(reason);
    await jest.runAllTimersAsync();
    await refused;
    expect(load).toHaveBeenCalledTimes(4);
  });
});
