import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { guarded } from './guarded.js';

describe('guarded', () => {
  const error = new Error('unexpected');

  it('calls the callback with its arguments', () => {
    const callback = jest.fn();
    guarded(callback, jest.fn())('data', 1);
    expect(callback).toHaveBeenCalledWith('data', 1);
  });

  it('gives an exception to the owner', () => {
    const onFailure = jest.fn();
    const run = guarded(() => {
      throw error;
    }, onFailure);
    expect(run).not.toThrow();
    expect(onFailure).toHaveBeenCalledWith(error);
  });

  it('gives a rejection to the owner', async () => {
    const failed = new Promise((resolve) => {
      guarded(() => Promise.reject(error), resolve)();
    });
    await expect(failed).resolves.toBe(error);
  });

  it('logs an owner that cannot handle it', () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const run = guarded(
      () => {
        throw error;
      },
      () => {
        throw new Error('no owner');
      },
    );
    expect(run).not.toThrow();
    expect(log).toHaveBeenCalledWith(expect.stringContaining('(unexpected): no owner'));
  });

  it('survives a thrown value that has no text', () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const hostile = { toString: 1, valueOf: 1 };
    const rethrow = (): void => {
      throw hostile as unknown as Error;
    };
    expect(guarded(rethrow, rethrow)).not.toThrow();
    expect(log).toHaveBeenCalled();
  });
});
