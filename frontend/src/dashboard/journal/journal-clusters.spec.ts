import { describe, expect, it } from '@jest/globals';
import { choiceValue, clusterChoices, readChoice, sharedNames } from './journal-clusters';

const KNOWN = [
  { name: 'twin', runtime: 'podman' },
  { name: 'twin', runtime: 'docker' },
  { name: 'alone', runtime: 'docker' },
  { name: 'alone', runtime: null },
  { name: 'old', runtime: null },
];

describe('the clusters that the journal is filtered for', () => {
  it('are their names, and those of one name in two engines are told apart', () => {
    expect([...sharedNames(KNOWN)]).toEqual(['twin']);
    expect(clusterChoices(KNOWN, { cluster: '', runtime: '' })).toEqual([
      { value: 'alone', text: 'alone' },
      { value: 'old', text: 'old' },
      { value: 'twin', text: 'twin' },
      { value: 'twin@docker', text: 'twin on docker' },
      { value: 'twin@podman', text: 'twin on podman' },
    ]);
  });

  it('hold what is chosen, also where nothing else knows it', () => {
    const values = clusterChoices([], { cluster: 'gone', runtime: 'docker' }).map(({ value }) => value);
    expect(values).toEqual(['gone@docker']);
  });

  it.each(['', 'twin', 'twin@docker'])('come back from the choice "%s" as they were', (value) => {
    expect(choiceValue(readChoice(value))).toBe(value);
  });
});
