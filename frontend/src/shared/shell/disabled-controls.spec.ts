import { describe, expect, it, jest } from '@jest/globals';
import { DENIED, disableControls, OF_CHANGES, OF_FULL_SCOPE } from './disabled-controls';

describe('disableControls', () => {
  it('disables what acts or loads more, keeps what works in the page, and enables all again', () => {
    document.body.innerHTML = `
      <button id="save">Save</button><button id="filter" data-local>Filter</button>
      <a id="apply" data-acts href="/cluster/a/apply">Apply</a><a id="jobs" href="/jobs">Jobs</a>
      <a id="docs" target="_blank" href="/docs">API</a><a id="port" target="_blank" href="http://127.0.0.1:80">80</a>
      <sw-header-link><a id="board" href="http://127.0.0.1:2">Log board</a></sw-header-link>`;
    const disabled = (): string[] =>
      [...document.querySelectorAll('[aria-disabled=true][title=Gone]')].map(({ id }) => id);
    const enable = disableControls(document, 'Gone');
    expect(disabled()).toEqual(['save', 'apply', 'docs', 'board']);
    enable();
    expect(disabled()).toEqual([]);
  });

  it('disables only changes, and stops saving in editors, while changes are off', () => {
    document.body.innerHTML = `
      <button id="scale" data-changes>Scale</button><button id="forward">Forward</button>
      <div data-changes><textarea id="yaml"></textarea></div><textarea id="note"></textarea>
      <div class="dialog-pane"><i data-changes-off></i><button id="cancel">Cancel</button>
        <button id="delete" class="primary">Delete</button></div>
      <div class="dialog-pane"><button id="add" class="primary">Add</button></div>`;
    const saved: string[] = [];
    const save = ({ target }: Event): void => void saved.push((target as Element).id);
    document.body.addEventListener('keydown', save);
    const enable = disableControls(document, 'Off', OF_CHANGES);
    expect([...document.querySelectorAll('[title=Off]')].map(({ id }) => id)).toEqual(['scale', 'delete']);
    for (const field of document.querySelectorAll('textarea')) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true }));
    }
    expect(saved).toEqual(['note']);
    enable();
    document.body.removeEventListener('keydown', save);
    expect(document.querySelectorAll('[aria-disabled]')).toHaveLength(0);
  });

  it('disables all changes for a session of the scope read, also outside of clusters', () => {
    document.body.innerHTML = `
      <button id="scale" data-changes>Scale</button><button id="create" data-writes>Create</button>
      <button id="filter">Filter</button><a id="apply" data-acts data-changes href="#">Apply</a>`;
    const enable = disableControls(document, 'Read-only', OF_FULL_SCOPE);
    const ids = [...document.querySelectorAll('[title=Read-only]')].map(({ id }) => id);
    enable();
    expect(ids).toEqual(['scale', 'create', 'apply']);
  });

  it('gives each denied control its own reason, and enables it once it is allowed', async () => {
    document.body.innerHTML = `
      <button id="delete" data-changes data-denied="No delete" title="Deletes it">Delete</button>
      <button id="scale" data-changes>Scale</button>`;
    const titles = (): (string | null)[] =>
      [...document.querySelectorAll('button')].map((button) => button.getAttribute('title'));
    const reason = (control: Element): string => control.getAttribute('data-denied') ?? '';
    const allow = disableControls(document, reason, DENIED);
    expect(titles()).toEqual(['No delete', null]);
    const changesOn = disableControls(document, 'Off', OF_CHANGES);
    expect(titles()).toEqual(['No delete', 'Off']);
    changesOn();
    const button = document.querySelector('#delete');
    button?.removeAttribute('data-denied');
    await new Promise((resolve) => setTimeout(resolve));
    expect(titles()).toEqual(['Deletes it', null]);
    expect(button?.hasAttribute('aria-disabled')).toBe(false);
    allow();
  });

  it('releases removed controls, and disables them again when they come back', async () => {
    document.body.innerHTML = '<button title="Saves it">Save</button><button>Other</button>';
    const [save] = document.querySelectorAll('button');
    const enable = disableControls(document, 'Gone');
    const nextFrames = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
    save?.remove();
    await nextFrames();
    expect([save?.title, save?.hasAttribute('aria-disabled')]).toEqual(['Saves it', false]);
    if (save) document.body.append(save);
    await nextFrames();
    expect([save?.title, save?.getAttribute('aria-disabled')]).toEqual(['Gone', 'true']);
    enable();
  });

  it('queries the page once per frame while it changes', async () => {
    document.body.innerHTML = '';
    const enable = disableControls(document, 'Gone');
    const query = jest.spyOn(document, 'querySelectorAll');
    for (let index = 0; index < 20; index += 1) {
      document.body.append(document.createElement('button'));
      await Promise.resolve();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
    expect(document.querySelectorAll('[title=Gone]')).toHaveLength(20);
    enable();
  });
});
