import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from '@jest/globals';
import { anObject } from '../../../shared/testing/resource-records';
import { ObjectTree } from './object-tree';

describe('ObjectTree', () => {
  it('shows spec and status as a tree, without conditions, and folds what is deep', async () => {
    const fixture = TestBed.createComponent(ObjectTree);
    fixture.componentRef.setInput(
      'object',
      anObject({
        spec: { schedule: '0 3 * * *', suspend: false, target: { hosts: ['a', 'b'], options: {} } },
        status: { conditions: [{ type: 'Ready' }], lastRun: null },
      }),
    );
    await fixture.whenStable();
    const page = fixture.nativeElement as HTMLElement;
    expect([...page.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
      'Spec',
      'Status',
    ]);
    expect(page.textContent).toContain('schedule: 0 3 * * *');
    expect(page.textContent).toContain('suspend: false');
    expect(page.textContent).toContain('options: {}');
    expect(page.textContent).toContain('lastRun: null');
    expect(page.textContent).not.toContain('Ready');
    expect([...page.querySelectorAll('details')].map((each) => each.open)).toEqual([true, false]);
  });
});
