import { TestBed } from '@angular/core/testing';
import { expect, it } from '@jest/globals';
import { State } from './state';

it.each([
  [false, 1],
  [true, 0],
])(
  'a state of work turns, but not where many stand beside each other (still: %s)',
  async (still, turning) => {
    const fixture = TestBed.createComponent(State);
    fixture.componentRef.setInput('state', 'creating');
    fixture.componentRef.setInput('still', still);
    await fixture.whenStable();
    const page = fixture.nativeElement as HTMLElement;
    expect(page.querySelectorAll('svg.spin')).toHaveLength(turning);
    expect(page.querySelectorAll('svg path')).toHaveLength(1);
  },
);
