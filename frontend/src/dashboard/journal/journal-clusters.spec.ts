import { describe, expect, it } from '@jest/globals';
import { choiceValue, clusterChoices, readChoice, sharedNames } from './journal-clusters';

const KNOWN = [
  { name: 'twin', runtime: 'podman' },
  { name: 'twin', runtime: 'docker' },
  { name: 'alone', runtime: 'docker' },
  { name: 'alone', runtime: null },
  { name: 'old', runtime: null },
];

describe('cluster filter of the journal', () => {
  it('offers names, and each engine of a shared name', () => {
    expect([...sharedNames(KNOWN)]).toEqual(['twin']);
    expect(clusterChoices(KNOWN, { cluster: '', runtime: '' })).toEqual([
      { value: 'alone', text: 'alone' },
      { value: 'old', text: 'old' },
      { value: 'twin', text: 'twin' },
      { value: 'twin@docker', text: 'twin on docker' },
      { value: 'twin@podman', text: 'twin on podman' },
    ]);
  });

  it('includes the present filter even if the cluster is unknown', () => {
    const values = clusterChoices([], { cluster: 'gone', runtime: 'docker' }).map(({ value }) => value);
    expect(values).toEqual(['gone@docker']);
  });

  it.each(['', 'twin', 'twin@docker'])('round-trips the choice "%s"', (value) => {
    expect(choiceValue(readChoice(value))).toBe(value);
  });
});
