import {
  afterNextRender,
  Component,
  computed,
  DestroyRef,
  ElementRef,
  inject,
  input,
  linkedSignal,
  signal,
} from '@angular/core';
import { Router } from '@angular/router';
import type { ClusterKey } from '../../shared/api/api';
import type { PlacedPodDto } from '../../shared/api/api-types';
import { formatBytes, podCount } from '../../shared/format/format';
import { Raw } from '../../shared/ui/raw';
import { HEALTH_LABELS } from '../resource-model/kind-labels';
import { objectPage } from '../resource-model/resource-address';
import { layTiles, tileBeside } from './tile-layout';

/** The Pods of a node as squares: size by memory request, color by health, the worst first. One tab stop. */
@Component({
  selector: 'sw-pod-tiles',
  imports: [Raw],
  template: `
    <ul
      role="listbox"
      [attr.tabindex]="tiles().length > 0 ? 0 : null"
      [attr.aria-label]="label()"
      [attr.aria-activedescendant]="active() === null ? null : idOf(active()!)"
      (keydown)="move($event)"
      (focus)="active.set(active() ?? 0)"
      (blur)="active.set(null)"
      (mouseover)="point($event)"
      (mouseleave)="pointed.set(null)"
      (click)="click($event)"
    >
      @for (tile of tiles(); track tile.pod.namespace + '/' + tile.pod.name; let index = $index) {
        <li
          role="option"
          [id]="idOf(index)"
          [attr.data-index]="index"
          [attr.data-health]="tile.pod.health"
          [attr.aria-selected]="index === active()"
          [attr.aria-label]="textOf(tile.pod) | swRaw"
          [style.left.px]="tile.left"
          [style.top.px]="tile.top"
          [style.width.px]="tile.side"
          [style.height.px]="tile.side"
        ></li>
      }
    </ul>
    @if (shown(); as pod) {
      <p class="tip xs anywhere" aria-hidden="true">
        <b>{{ pod.name | swRaw }}</b> {{ aboutOf(pod) | swRaw }}
      </p>
    }
    @if (layout().more; as more) {
      <p class="more xs muted" i18n>+{{ more }}</p>
    }
  `,
  styles: `
    :host {
      position: relative;
      display: block;
    }
    ul {
      position: relative;
      height: 100%;
      cursor: pointer;
    }
    ul:empty {
      cursor: auto;
    }
    li {
      position: absolute;
      border-radius: 1px;
      background: var(--running-glyph);
    }
    [data-health='progressing'] {
      background: none;
      box-shadow: inset 0 0 0 2px var(--creating-glyph);
    }
    [data-health='warning'] {
      background: var(--degraded-glyph);
    }
    [data-health='failed'] {
      background: var(--failed-glyph);
    }
    [data-health='ended'],
    [data-health='none'] {
      background: none;
      box-shadow: inset 0 0 0 1px var(--stopped-glyph);
    }
    li:hover,
    ul:focus-visible [aria-selected='true'] {
      z-index: 1;
      outline: 2px solid var(--text);
      outline-offset: 1px;
    }
    .tip {
      position: absolute;
      z-index: 2;
      bottom: calc(100% + 4px);
      left: 0;
      max-width: 100%;
      padding: 3px 7px;
      border: 1px solid var(--line);
      border-radius: var(--r);
      background: var(--surface);
      box-shadow: var(--shadow-menu);
      pointer-events: none;
    }
    .more {
      position: absolute;
      right: 0;
      bottom: 0;
      padding-left: 4px;
      background: var(--surface);
    }
  `,
})
export class PodTiles {
  private readonly router = inject(Router);
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef);
  readonly key = input.required<ClusterKey>();
  readonly pods = input.required<readonly PlacedPodDto[]>();
  /** Of the list. */
  readonly label = input.required<string>();

  private readonly box = signal({ width: 0, height: 0 });
  protected readonly layout = computed(() => {
    const { width, height } = this.box();
    return width === 0 ? { tiles: [], more: 0 } : layTiles(this.pods(), width, height);
  });
  protected readonly tiles = computed(() => this.layout().tiles);
  /** Index of the tile that the keyboard is on: the same Pod after a change. */
  protected readonly active = linkedSignal<ReturnType<typeof this.tiles>, number | null>({
    source: () => this.tiles(),
    computation: (tiles, before) => {
      const pod = before?.source[before.value ?? -1]?.pod;
      if (!pod) return null;
      const at = tiles.findIndex(
        ({ pod: { namespace, name } }) => namespace === pod.namespace && name === pod.name,
      );
      return at < 0 ? (tiles.length > 0 ? 0 : null) : at;
    },
  });
  protected readonly pointed = signal<number | null>(null);
  protected readonly shown = computed(() => this.tiles()[this.pointed() ?? this.active() ?? -1]?.pod);
  private readonly id = `tiles-${(nextId += 1)}`;

  constructor() {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      this.box.set({ width, height });
    });
    afterNextRender(() => observer.observe(this.host.nativeElement));
    inject(DestroyRef).onDestroy(() => observer.disconnect());
  }

  protected idOf(index: number): string {
    return `${this.id}-${index}`;
  }

  protected textOf(pod: PlacedPodDto): string {
    return `${pod.name}, ${HEALTH_LABELS[pod.health]}, ${this.aboutOf(pod)}`;
  }

  protected aboutOf({ namespace, status, memory_request_bytes: memory }: PlacedPodDto): string {
    return memory
      ? $localize`${status}:status: in ${namespace}:namespace:, requests ${formatBytes(memory)}:memory:`
      : $localize`${status}:status: in ${namespace}:namespace:`;
  }

  protected move(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = this.active() ?? 0;
    if (event.key === 'Enter') this.open(at);
    const to = tileBeside(this.tiles(), at, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.pointed.set(null);
    this.active.set(to);
  }

  protected point({ target }: MouseEvent): void {
    this.pointed.set(indexOf(target));
  }

  protected click({ target }: MouseEvent): void {
    const index = indexOf(target);
    if (index !== null) this.open(index);
  }

  private open(index: number): void {
    const pod = this.tiles()[index]?.pod;
    if (!pod) return;
    const { namespace, name } = pod;
    const object = { group: 'core', version: 'v1', plural: 'pods', namespace, name };
    void this.router.navigateByUrl(objectPage(this.key(), object));
  }
}

let nextId = 0;

function indexOf(target: EventTarget | null): number | null {
  const index = target instanceof HTMLElement ? target.dataset['index'] : undefined;
  return index === undefined ? null : Number(index);
}

/** Such as `Pods on worker: 24, 2 failed`. */
export function tilesLabel(node: string | null, pods: readonly PlacedPodDto[]): string {
  const failed = pods.filter(({ health }) => health === 'failed').length;
  const place = node === null ? $localize`Pods that are not scheduled` : $localize`Pods on ${node}:node:`;
  return failed === 0
    ? `${place}: ${podCount(pods.length)}`
    : $localize`${place}:place:: ${podCount(pods.length)}:pods:, ${failed}:failed: failed`;
}
