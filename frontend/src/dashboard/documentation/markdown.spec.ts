import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SecurityContext } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { DomSanitizer } from '@angular/platform-browser';
import { type RenderedPage, renderPage, slug, toHtml } from './markdown';

/** Renders Markdown as the page does: Markdown, Angular's sanitizer, then the page's additions. */
function read(markdown: string, file = 'README.md'): RenderedPage & { host: HTMLElement } {
  const safe = TestBed.inject(DomSanitizer).sanitize(SecurityContext.HTML, toHtml(markdown)) ?? '';
  const urls = new Map([
    ['README.md', '/documentation'],
    ['docs/install.md', '/documentation/install'],
  ]);
  const rendered = renderPage(safe, document, { url: '/documentation', file, urls });
  const host = document.createElement('div');
  host.append(rendered.content);
  return { ...rendered, host };
}

describe('renderPage', () => {
  beforeEach(() => {
    // In development, the sanitizer logs what it removes.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('gives headings unique ids as GitHub does', () => {
    const { headings, host } = read(
      '# Slipway\n## Two commands: `npm start`\n## Usage\n### Usage\n## 日本\n## ???',
    );
    expect(headings).toEqual([
      { id: 'slipway', text: 'Slipway', level: 1 },
      { id: 'two-commands-npm-start', text: 'Two commands: npm start', level: 2 },
      { id: 'usage', text: 'Usage', level: 2 },
      { id: 'usage-1', text: 'Usage', level: 3 },
      { id: '日本', text: '日本', level: 2 },
      { id: 'section', text: '???', level: 2 },
    ]);
    expect(host.querySelector('h2')?.id).toBe('two-commands-npm-start');
    expect(host.querySelector('h3 .anchor')?.getAttribute('href')).toBe('/documentation#usage-1');
    expect(slug(' A & B ')).toBe('a--b');
  });

  it('keeps internal links on the page and opens external ones in a new window', () => {
    const { host } = read('[down](#usage) [kind](https://kind.sigs.k8s.io) [write](mailto:a@example.org)');
    const [within, outside, mail] = host.querySelectorAll('a');
    expect(within?.getAttribute('href')).toBe('/documentation#usage');
    expect(within?.hasAttribute('target')).toBe(false);
    expect(outside?.getAttribute('target')).toBe('_blank');
    expect(outside?.getAttribute('rel')).toBe('noopener noreferrer');
    expect(mail?.getAttribute('href')).toBe('mailto:a@example.org');
  });

  it('links pages of the documentation by their files, relative to the page', () => {
    const targetsOf = (markdown: string, file?: string): (string | null)[] =>
      [...read(markdown, file).host.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    expect(targetsOf('[install](docs/install.md) [socket](docs/install.md#podman)')).toEqual([
      '/documentation/install',
      '/documentation/install#podman',
    ]);
    expect(targetsOf('[self](install.md#podman) [home](../README.md)', 'docs/install.md')).toEqual([
      '/documentation/install#podman',
      '/documentation',
    ]);
  });

  it('shows project files as text instead of broken links', () => {
    const { host } = read('See [the **architecture**](ARCHITECTURE.md) and [`docs`](./docs/a%20b.md#x).');
    expect(host.querySelector('a')).toBeNull();
    const [first, second] = host.querySelectorAll<HTMLElement>('.file');
    expect(first?.innerHTML).toBe('the <strong>architecture</strong>');
    expect(second?.title).toBe('./docs/a b.md#x, in the project folder');
  });

  it('shows images shipped with the product and the description of others', () => {
    const { host } = read(
      '![Ours](./docs/screenshots/list.png) ![Away](docs/../x.png) ![Spy](https://example.org/p.png) ![](/api/v1/jobs)',
    );
    expect([...host.querySelectorAll('img')].map((image) => image.getAttribute('src'))).toEqual([
      '/readme/docs/screenshots/list.png',
    ]);
    expect([...host.querySelectorAll('.picture')].map((image) => image.textContent)).toEqual([
      'Away',
      'Spy',
      'Image',
    ]);
  });

  it('adds Copy buttons to code blocks, also in lists', () => {
    const { host } = read('```sh\nnpm start\n```\n\n- first:\n\n  ```sh\n  npm test\n  ```');
    const blocks = [...host.querySelectorAll('.code')];
    expect(blocks.map((block) => block.querySelector('pre')?.textContent.trim())).toEqual([
      'npm start',
      'npm test',
    ]);
    expect(blocks.every((block) => block.querySelector('button')?.textContent === 'Copy')).toBe(true);
  });

  it('lets wide tables scroll', () => {
    const { host } = read('| a | b |\n|---|---|\n| 1 | 2 |');
    expect(host.querySelector('.wide > table td')?.textContent).toBe('1');
  });

  it('removes scripts in every form', () => {
    const { host } = read(
      [
        '<script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '<a href="javascript:alert(1)">x</a>',
        '[y](javascript:alert(1))',
        '[z](data:text/html,<script>alert(1)</script>)',
        '<iframe src="https://example.org"></iframe><style>*{display:none}</style>',
        '<form action="/api/v1/jobs"><button formaction="javascript:alert(1)">b</button></form>',
        '<svg><a xlink:href="javascript:alert(1)">s</a></svg>',
      ].join('\n\n'),
    );
    expect(host.querySelector('script, iframe, style, form, svg, [onerror], [formaction]')).toBeNull();
    for (const link of host.querySelectorAll('a')) {
      expect(link.getAttribute('href')).not.toMatch(/^\s*(javascript|data):/i);
    }
  });
});
