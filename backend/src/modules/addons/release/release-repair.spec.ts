import { describe, expect, it } from '@jest/globals';
import {
  FakePackageManager,
  SHOP,
  shopRevision as revision,
} from '../../../../../test/support/charts/fake-package-manager.js';
import { DomainError } from '../../../core/errors/index.js';
import type { OperationOptions, ReleaseRevision } from '../../../drivers/package-manager/index.js';
import { historyOf, isPending, isTaken, lastGood, repairRelease } from './release-repair.js';

const target = { name: 'c', runtime: 'docker', kubeconfig: {} as never };
const options: OperationOptions = { tracking: {}, timeoutMs: 1000 };

describe('repairRelease', () => {
  it.each<[string, ReleaseRevision[], string[], string | null]>([
    ['a release that does not exist', [], [], null],
    ['a deployed release', [revision(1, 'deployed')], [], null],
    ['a failed release', [revision(2, 'failed'), revision(1, 'superseded')], [], null],
    [
      'an interrupted upgrade',
      [revision(2, 'pending-upgrade'), revision(1, 'deployed')],
      ['rollback 1'],
      'Rolled back shop to revision 1 (shop 1.0.0).',
    ],
    [
      'an interrupted rollback after a failed upgrade',
      [revision(3, 'pending-rollback'), revision(2, 'failed'), revision(1, 'superseded')],
      ['rollback 1'],
      'Rolled back shop to revision 1 (shop 1.0.0).',
    ],
    [
      'an interrupted installation',
      [revision(1, 'pending-install')],
      ['uninstall'],
      'Removed the incomplete installation of shop.',
    ],
    ['an interrupted removal', [revision(1, 'uninstalling')], ['uninstall'], 'Finished the removal of shop.'],
  ])('repairs %s', async (_release, history, calls, sentence) => {
    const manager = new FakePackageManager(history);
    expect(await repairRelease({ manager, target }, SHOP, options)).toBe(sentence);
    expect(manager.calls).toEqual(calls);
  });
});

describe('lastGood', () => {
  it('returns the newest deployed or superseded revision, without the excluded one', () => {
    const history = [revision(3, 'failed'), revision(2, 'deployed'), revision(1, 'superseded')];
    expect(lastGood(history)?.revision).toBe(2);
    expect(lastGood(history, 2)?.revision).toBe(1);
    expect(lastGood([revision(1, 'failed')])).toBeUndefined();
  });
});

describe('historyOf', () => {
  it('is empty for a release that does not exist, and passes on other errors', async () => {
    const manager = new FakePackageManager();
    expect(await historyOf({ manager, target }, SHOP)).toEqual([]);
    manager.history = () => Promise.reject(new DomainError('cluster_unreachable', 'No connection.'));
    await expect(historyOf({ manager, target }, SHOP)).rejects.toThrow('No connection.');
  });
});

it.each([
  ['pending-install', true],
  ['pending-upgrade', true],
  ['pending-rollback', true],
  ['uninstalling', true],
  ['deployed', false],
  ['failed', false],
] as const)('isPending(%s) is %s', (status, expected) => {
  expect(isPending(status)).toBe(expected);
});

it('isTaken only recognizes release_exists', () => {
  expect(isTaken(new DomainError('release_exists', ''))).toBe(true);
  expect(isTaken(new DomainError('release_busy', ''))).toBe(false);
  expect(isTaken(new Error('release_exists'))).toBe(false);
});
