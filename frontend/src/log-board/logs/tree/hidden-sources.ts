import type { LogSourceDto } from '../../../shared/api/api-types';
import type { SourceGroup, SourceSelection } from '../../search-model/source-group';
import { isSameGroup, isSelected } from '../../search-model/source-selection';
import type { TreeNode } from '../../search-model/source-groups';

/**
 * Deleted sources that may be hidden. Selected sources keep a row, or else the user could not deselect them: sources
 * selected by key, and all that remain of a group without a row.
 * @param tree of all sources
 */
export function hidableSources(
  sources: readonly LogSourceDto[],
  selection: SourceSelection,
  tree: readonly TreeNode[],
): LogSourceDto[] {
  const gone = sources.filter(({ state }) => state === 'gone');
  const shownGroups = selection.groups.filter((group) => {
    const only: SourceSelection = { groups: [group], keys: [] };
    return !hasGroup(tree, group) && !sources.some((one) => one.state !== 'gone' && isSelected(one, only));
  });
  const shown = { groups: shownGroups, keys: selection.keys };
  return gone.filter((source) => !isSelected(source, shown));
}

function hasGroup(nodes: readonly TreeNode[], group: SourceGroup): boolean {
  return nodes.some(
    (node) => (node.group !== null && isSameGroup(node.group, group)) || hasGroup(node.children, group),
  );
}
