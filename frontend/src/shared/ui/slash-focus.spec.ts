import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { keyName, SlashFocus } from './slash-focus';

@Component({
  imports: [SlashFocus],
  template: `
    <input id="found" swSlashFocus value="staging" />
    <textarea></textarea>
    <div role="dialog"><button type="button">In a dialog</button></div>
    <p tabindex="-1">The page</p>
  `,
})
class Page {}

describe('SlashFocus', () => {
  let page: HTMLElement;

  beforeEach(async () => {
    const fixture = TestBed.createComponent(Page);
    page = fixture.nativeElement as HTMLElement;
    document.body.append(page);
    await fixture.whenStable();
  });

  function press(where: string, more: KeyboardEventInit = {}): KeyboardEvent {
    const target = page.querySelector<HTMLElement>(where);
    if (!target) throw new Error(`There is no ${where}.`);
    target.focus();
    const event = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true, ...more });
    target.dispatchEvent(event);
    return event;
  }

  it('focuses the field and selects its text', () => {
    const event = press('p');
    const field = document.activeElement as HTMLInputElement;
    expect(field.id).toBe('found');
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'staging'.length]);
    expect(event.defaultPrevented).toBe(true);
  });

  it.each([
    ['textarea', {}],
    ['[role="dialog"] button', {}],
    ['p', { ctrlKey: true }],
    ['p', { key: '?' }],
  ])('leaves %s %j alone', (where, more) => {
    const event = press(where, more);
    expect(document.activeElement?.id).not.toBe('found');
    expect(event.defaultPrevented).toBe(false);
  });
});

describe('keyName', () => {
  it('depends on Shift only, not on Caps Lock', () => {
    const name = (key: string, shiftKey: boolean): string =>
      keyName(new KeyboardEvent('keydown', { key, shiftKey }));
    expect([name('n', false), name('N', false), name('N', true), name('n', true)]).toEqual([
      'n',
      'n',
      'N',
      'N',
    ]);
    expect([name('?', true), name('Enter', true), name('ß', false)]).toEqual(['?', 'Enter', 'ß']);
  });
});
