import { Tree, TreeItem, TreeItemGroup } from '@angular/aria/tree';
import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

const ROWS = 100;

@Component({
  selector: 'sw-aria-tree',
  imports: [Tree, TreeItem, TreeItemGroup],
  template: `
    <ul #tree="ngTree" ngTree multi>
      <li #group="ngTreeItem" ngTreeItem value="group" [parent]="tree"></li>
      <ng-template #rows="ngTreeItemGroup" ngTreeItemGroup [ownedBy]="group">
        @for (row of values; track row) {
          <li ngTreeItem [parent]="rows" [value]="row" [label]="row"></li>
        }
      </ng-template>
    </ul>
  `,
})
class AriaTree {
  protected readonly values = Array.from({ length: ROWS }, (_row, index) => `row ${index}`);
}

/**
 * Why the source tree is not Aria's tree (docs/decisions/0038-grids.md). If one of these fails after an update of
 * `@angular/aria`, look at the decision again.
 */
describe('Aria tree of @angular/aria', () => {
  let element: HTMLElement;
  let settle: () => Promise<unknown>;

  beforeEach(() => {
    const fixture = TestBed.createComponent(AriaTree);
    element = fixture.nativeElement as HTMLElement;
    settle = () => fixture.whenStable();
    document.body.append(element);
  });

  afterEach(() => {
    element.remove();
    jest.restoreAllMocks();
  });

  const row = (index: number): HTMLElement | undefined =>
    element.querySelectorAll<HTMLElement>('[role=treeitem]')[index];

  async function press(key: string): Promise<void> {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    await settle();
  }

  async function expand(): Promise<void> {
    await settle();
    row(0)?.focus();
    await press('ArrowRight');
    expect(element.querySelectorAll('[role=treeitem]')).toHaveLength(ROWS + 1);
  }

  it('sorts all rows again for each row that it renders', async () => {
    const compare = jest.spyOn(Node.prototype, 'compareDocumentPosition');
    await expand();
    expect(compare.mock.calls.length).toBeGreaterThan(ROWS * (ROWS / 2));
  });

  it('selects and expands a group with one click', async () => {
    await settle();
    row(0)?.click();
    await settle();
    expect([row(0)?.ariaSelected, row(0)?.ariaExpanded]).toEqual(['true', 'true']);
  });

  it('moves from its own row, not from the one that a screen reader or a script focused', async () => {
    await expand();
    row(5)?.focus();
    await press('ArrowDown');
    expect(document.activeElement).toBe(row(1));
  });

  it('keeps the key / from the page', async () => {
    const pressed = jest.fn();
    document.addEventListener('keydown', pressed, { once: true });
    await settle();
    row(0)?.focus();
    await press('/');
    document.removeEventListener('keydown', pressed);
    expect(pressed).not.toHaveBeenCalled();
  });
});
