import { describe, expect, it } from '@jest/globals';
import { disableControls } from './disabled-controls';

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
});
