import { Component, computed, ElementRef, inject, input, output } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { engineIcon, Icon } from '../../../shared/ui/icon';
import { SourceLooks } from '../lines/source-looks';
import { type Check, checkOf, type TreeNode, type TreeRow } from './source-groups';
import { stateWords } from './source-names';
import { TreeState } from './tree-state';

const CHECKED: Readonly<Record<Check, 'true' | 'false' | 'mixed'>> = {
  all: 'true',
  some: 'mixed',
  none: 'false',
};

/** Every source, to choose from: a tree with boxes. */
@Component({
  selector: 'sw-source-tree',
  imports: [Icon],
  templateUrl: './source-tree.html',
  styleUrl: './source-tree.scss',
})
export class SourceTree {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly looks = inject(SourceLooks);
  readonly sources = input.required<readonly LogSourceDto[]>();
  readonly chosen = input.required<ReadonlySet<number>>();
  /** Ids of all that are chosen from now on. */
  readonly choose = output<ReadonlySet<number>>();

  protected readonly state = new TreeState(this.sources, this.chosen);
  protected readonly rows = this.state.rows;
  protected readonly count = computed(() => {
    const all = this.sources().length;
    return `${this.chosen().size} of ${all} ${all === 1 ? 'source' : 'sources'}`;
  });

  protected check({ ids }: TreeNode): Check {
    return checkOf(ids, this.chosen());
  }

  protected checked(node: TreeNode): 'true' | 'false' | 'mixed' {
    return CHECKED[this.check(node)];
  }

  protected icon({ id, runtime }: TreeNode): ReturnType<typeof engineIcon> | null {
    if (runtime === null) return null;
    return id.startsWith('others/') ? 'box' : engineIcon(runtime);
  }

  protected rate({ rate }: TreeNode): string {
    if (rate <= 0) return '';
    return rate < 1 ? '<1/s' : `${Math.round(rate).toLocaleString('en')}/s`;
  }

  protected words({ source }: TreeNode): string {
    return source ? stateWords(source) : '';
  }

  protected hue({ source }: TreeNode): string | null {
    if (!source || !this.chosen().has(source.id)) return null;
    return `var(--src-${this.looks.of(source.id).hue})`;
  }

  protected toggle({ ids }: TreeNode): void {
    const next = new Set(this.chosen());
    const all = checkOf(ids, next) === 'all';
    for (const id of ids) {
      if (all) next.delete(id);
      else next.add(id);
    }
    this.choose.emit(next);
  }

  /** This one and nothing else. */
  protected only({ ids }: TreeNode): void {
    this.choose.emit(new Set(ids));
  }

  protected clear(): void {
    this.choose.emit(new Set());
    this.element.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
  }

  protected type(event: Event): void {
    this.state.text.set((event.target as HTMLInputElement).value);
  }

  protected click(row: TreeRow, event: Event): void {
    this.state.stand(row.node.id);
    const target = event.target as Element;
    if (row.expanded !== null && target.closest('.turn')) this.state.turn(row.node.id);
    else this.toggle(row.node);
  }

  protected press(row: TreeRow, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ') this.toggle(row.node);
    else if (event.key === 'Enter') this.only(row.node);
    else {
      const next = this.state.go(event.key);
      if (next === null) return;
      this.state.stand(next);
      this.focus(next);
    }
    event.preventDefault();
  }

  protected focused(row: TreeRow): void {
    this.state.stand(row.node.id);
  }

  private focus(id: string): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const index = this.rows().findIndex(({ node }) => node.id === id);
    rows[index]?.focus();
    rows[index]?.scrollIntoView({ block: 'nearest' });
  }
}
