import type { MapNodeDto } from '../../shared/api/api-types';

/** Place of a node: horizontally in percent, vertically in pixels. */
export interface MapBox {
  node: MapNodeDto;
  left: number;
  top: number;
  width: number;
  height: number;
}

const HEIGHT = 44;
/** Between levels, for the lines. */
const GAP = 28;
/** Between rows of one level. */
const ROW_GAP = 6;
/** Names of Pods are long, and the panel is narrow on a phone. */
const PER_ROW = 3;
const MARGIN = 1.5;

/** Levels from top to bottom: Ingresses, Services, the workload, ReplicaSets, Pods. */
export function placeNodes(nodes: readonly MapNodeDto[]): { boxes: MapBox[]; height: number } {
  const levels = new Map<number, MapNodeDto[]>();
  for (const node of nodes) levels.set(levelOf(node), [...(levels.get(levelOf(node)) ?? []), node]);
  const boxes = new Map<MapNodeDto, MapBox>();
  let top = 0;
  for (const [, level] of [...levels].sort(([one], [other]) => one - other)) {
    const columns = Math.min(level.length, PER_ROW);
    const width = Math.min(100 / columns, 50);
    for (const [index, node] of level.entries()) {
      const row = Math.floor(index / columns);
      const inRow = Math.min(columns, level.length - row * columns);
      const start = (100 - inRow * width) / 2;
      boxes.set(node, {
        node,
        left: start + (index % columns) * width + MARGIN / 2,
        top: top + row * (HEIGHT + ROW_GAP),
        width: width - MARGIN,
        height: HEIGHT,
      });
    }
    top += Math.ceil(level.length / columns) * (HEIGHT + ROW_GAP) - ROW_GAP + GAP;
  }
  return { boxes: nodes.flatMap((node) => boxes.get(node) ?? []), height: Math.max(0, top - GAP) };
}

function levelOf({ kind }: MapNodeDto): number {
  const level = ['Ingress', 'Service', '', 'ReplicaSet', 'Pod'].indexOf(kind);
  return level < 0 ? 2 : level;
}
