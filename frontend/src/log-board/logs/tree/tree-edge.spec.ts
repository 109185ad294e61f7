import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { storedOptions, ViewOptions } from '../../../shared/lines/view-options';
import { TreeEdge } from './tree-edge';

describe('TreeEdge', () => {
  beforeEach(() => localStorage.clear());

  it('changes the width by arrow keys within its limits, and keeps it', async () => {
    const fixture = TestBed.createComponent(TreeEdge);
    await fixture.whenStable();
    const edge = fixture.nativeElement as HTMLElement;
    const { tree } = TestBed.inject(ViewOptions);
    const press = (key: string): number => {
      edge.dispatchEvent(new KeyboardEvent('keydown', { key }));
      return tree();
    };
    const keys = ['ArrowRight', 'ArrowLeft', 'Home', 'ArrowLeft', 'End', 'ArrowRight', 'a'];
    expect([tree(), ...keys.map(press)]).toEqual([268, 284, 268, 200, 200, 560, 560, 560]);
    await fixture.whenStable();
    expect(edge.getAttribute('aria-valuenow')).toBe('560');
    expect(storedOptions().tree).toBe(560);
    edge.dispatchEvent(new MouseEvent('dblclick'));
    expect(tree()).toBe(268);
  });
});
