import { Component, computed, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { MapEdgeDto, MapNodeDto, ResourceObjectDto, TableRowDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { HEALTH_LABELS, HEALTH_STATES } from '../resource-model/kind-labels';
import { nameOf, OBJECT, objectPage, objectParams } from '../resource-model/resource-address';
import { placeNodes } from './map-layout';

/** The height of the ports at a line. */
const LABEL_PX = 16;

interface Label {
  key: string;
  left: number;
  top: number;
  width: number;
  text: string;
  isBroken: boolean;
}

/** The objects that lead to a workload and those that it runs, as a drawing and as a list. */
@Component({
  selector: 'sw-object-map',
  imports: [UI],
  template: `
    @if (map(); as map) {
      <h3 i18n class="sm">Map</h3>
      <div class="drawing" [style.height.px]="map.height">
        <svg aria-hidden="true" preserveAspectRatio="none" [attr.viewBox]="'0 0 100 ' + map.height">
          @for (line of map.lines; track $index) {
            <path [class.broken]="line.edge.problem !== null" [attr.d]="line.path">
              <title>{{ line.edge.problem ?? line.edge.ports }}</title>
            </path>
          }
        </svg>
        @for (label of map.labels; track label.key) {
          <span
            class="port xs mono cut"
            aria-hidden="true"
            [class.error-text]="label.isBroken"
            [style.left.%]="label.left"
            [style.top.px]="label.top"
            [style.max-width.%]="label.width"
            >{{ label.text }}</span
          >
        }
        @for (box of map.boxes; track box.node.kind + box.node.name) {
          <div
            class="box xs"
            [class.missing]="!box.node.exists"
            [style.left.%]="box.left"
            [style.top.px]="box.top"
            [style.width.%]="box.width"
          >
            <span class="muted cut">{{ box.node.kind }}</span>
            <span class="inline">
              @if (box.node.health !== 'none') {
                <sw-state [state]="states[box.node.health]" [silent]="true" />
              }
              @if (box.node.exists) {
                <a class="mono cut" [swLink]="pageOf(box.node)" [title]="titleOf(box.node) | swRaw">{{
                  box.node.name | swRaw
                }}</a>
              } @else {
                <span class="mono cut error-text">{{ box.node.name | swRaw }}</span>
              }
            </span>
          </div>
        }
      </div>
      @if (map.more > 0) {
        <p i18n class="muted sm">
          {map.more, plural, =1 {and 1 more Pod} other {and {{ map.more }} more Pods}}
        </p>
      }
      @for (line of map.broken; track $index) {
        <p class="sm inline">
          <sw-state state="failed" [silent]="true" /><span class="anywhere"
            >{{ textOf(line.from) | swRaw }} → {{ textOf(line.to) | swRaw }}: {{ line.edge.problem }}</span
          >
        </p>
      }
      <details class="disclosure sm">
        <summary i18n>As a list</summary>
        <ul aria-label="Map" i18n-aria-label>
          @for (line of map.lines; track $index) {
            <li class="anywhere">
              {{ textOf(line.from) | swRaw }} → {{ textOf(line.to) | swRaw }}
              @if (line.edge.ports) {
                <span class="mono soft">{{ line.edge.ports }}</span>
              }
              @if (labels[line.to.health]; as health) {
                <span class="soft">{{ health }}</span>
              }
              @if (line.edge.problem; as problem) {
                <span class="error-text">{{ problem }}</span>
              }
            </li>
          }
        </ul>
      </details>
    }
  `,
  styles: `
    /* Of a workload with a Pod. */
    :host(.awaited) {
      min-height: 262px;
    }
    .drawing {
      position: relative;
    }
    svg {
      position: absolute;
      width: 100%;
      height: 100%;
    }
    path {
      fill: none;
      stroke: var(--line-strong);
      stroke-width: 1.5px;
      vector-effect: non-scaling-stroke;
    }
    path.broken {
      stroke: var(--failed-glyph);
      stroke-dasharray: 4 3;
    }
    .box {
      position: absolute;
      display: grid;
      gap: 2px;
      height: 44px;
      padding: 4px 8px;
      border: 1px solid var(--line);
      border-radius: var(--r);
      background: var(--surface);
    }
    .box .inline {
      gap: 6px;
      min-width: 0;
    }
    .port {
      position: absolute;
      padding: 0 4px;
      background: var(--surface);
      transform: translate(-50%, -50%);
    }
    .missing {
      border-style: dashed;
      border-color: var(--failed-glyph);
    }
    li {
      padding: 4px 0;
    }
  `,
  host: { class: 'stack tight', '[hidden]': '!map() && !read.isLoading()', '[class.awaited]': '!map()' },
})
export class ObjectMap {
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  /** Changes when a Pod of the workload does. */
  readonly row = input.required<TableRowDto | null>();
  protected readonly states = HEALTH_STATES;
  protected readonly labels = HEALTH_LABELS;

  protected readonly read = apiResource(
    `${OBJECT}/map`,
    () => objectParams(this.key(), nameOf(this.object())),
    { reloadOn: () => ({ object: this.object(), row: this.row() }) },
  );

  protected readonly map = computed(() => {
    const found = this.read.current();
    if (!found) return undefined;
    const { boxes, height } = placeNodes(found.nodes);
    const lines = found.edges.flatMap((edge: MapEdgeDto) => {
      const [from, to] = [boxes[edge.from], boxes[edge.to]];
      if (!from || !to) return [];
      const [x1, x2] = [from.left + from.width / 2, to.left + to.width / 2];
      const [y1, y2] = [from.top + from.height, to.top];
      // Ports are below their object, and above the other one where the object leads to several.
      const forks = found.edges.some((other) => other.from === edge.from && other.to !== edge.to);
      const above = edge.ports === '' || forks ? 0 : LABEL_PX;
      const below = edge.ports === '' || !forks ? 0 : LABEL_PX;
      const middle = (y1 + above + y2 - below) / 2;
      const path = `M${x1} ${y1} v${above} C${x1} ${middle} ${x2} ${middle} ${x2} ${y2 - below} v${below}`;
      const [left, top] = forks ? [x2, y2 - LABEL_PX / 2] : [x1, y1 + LABEL_PX / 2];
      return [{ edge, path, from: from.node, to: to.node, left, top, width: (forks ? to : from).width }];
    });
    // An Ingress may lead to a Service by several paths.
    const labels = new Map<string, Label>();
    for (const { edge, left, top, width } of lines) {
      const key = `${edge.from} ${edge.to}`;
      const { text = '', isBroken = false } = labels.get(key) ?? {};
      if (edge.ports === '') continue;
      const ports = text === '' ? edge.ports : `${text}, ${edge.ports}`;
      labels.set(key, { key, left, top, width, text: ports, isBroken: isBroken || edge.problem !== null });
    }
    const broken = lines.filter(({ edge }) => edge.problem !== null);
    return { boxes, lines, labels: [...labels.values()], broken, height, more: found.more_pods };
  });

  protected pageOf(node: MapNodeDto): string {
    return objectPage(this.key(), node);
  }

  protected titleOf({ name, reason }: MapNodeDto): string {
    return reason === null ? name : `${name}: ${reason}`;
  }

  protected textOf({ kind, name }: MapNodeDto): string {
    return `${kind} ${name}`;
  }
}
