import type { LogSourceDto } from '../../../shared/api/api-types';
import type { Belongings, SourceChoice } from './belongings';
import { isChosen, isSameGroup } from './source-choice';
import type { TreeNode } from './source-groups';

/**
 * Sources that are gone and need not be drawn. What is chosen keeps a row, for it could not be left otherwise: what is
 * named itself, and all that is left of a group that the tree has no row for.
 * @param tree of all sources
 */
export function goneSources(
  sources: readonly LogSourceDto[],
  choice: SourceChoice,
  tree: readonly TreeNode[],
): LogSourceDto[] {
  const gone = sources.filter(({ state }) => state === 'gone');
  const keptGroups = choice.groups.filter((group) => {
    const only: SourceChoice = { groups: [group], keys: [] };
    return !hasGroup(tree, group) && !sources.some((one) => one.state !== 'gone' && isChosen(one, only));
  });
  const kept = { groups: keptGroups, keys: choice.keys };
  return gone.filter((source) => !isChosen(source, kept));
}

function hasGroup(nodes: readonly TreeNode[], group: Belongings): boolean {
  return nodes.some(
    ({ belongings, children }) =>
      (belongings !== null && isSameGroup(belongings, group)) || hasGroup(children, group),
  );
}
