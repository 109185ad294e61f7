import { describe, expect, it } from '@jest/globals';
import { renderPage, toHtml } from './markdown';
import { searchSections, type Section, sectionsOf } from './search-pages';

const INSTALL = { name: 'install', title: 'Install an engine', file: 'docs/install.md' };

function sections(markdown: string): Section[] {
  const context = { url: '/documentation/install', file: INSTALL.file, urls: new Map<string, string>() };
  return sectionsOf(INSTALL, renderPage(toHtml(markdown), document, context));
}

const PAGE = sections(
  [
    '# Install an engine',
    'Slipway needs Docker or Podman.',
    '## Podman socket',
    `Start the socket.\n\n\`\`\`sh\nsystemctl --user enable podman.socket\n\`\`\`\n\n${'More text. '.repeat(60)}The end.`,
    '## Settings',
    '| Setting | Default |\n|---|---|\n| `APP_PORT` | 8080 |',
  ].join('\n\n'),
);

function find(query: string): string[] {
  return searchSections(PAGE, query).map(({ section }) => section.id);
}

describe('sectionsOf', () => {
  it('splits a page at its headings', () => {
    expect(PAGE.map(({ id, title }) => [id, title])).toEqual([
      ['install-an-engine', 'Install an engine'],
      ['podman-socket', 'Podman socket'],
      ['settings', 'Settings'],
    ]);
  });

  it('separates cells of tables and leaves out Copy buttons', () => {
    expect(PAGE[2]?.body).toContain('APP_PORT 8080');
    expect(PAGE[1]?.body).not.toContain('Copy');
  });
});

describe('searchSections', () => {
  it('finds sections with every word in heading or text, in any case', () => {
    expect(find('docker')).toEqual(['install-an-engine']);
    expect(find('SOCKET systemctl')).toEqual(['podman-socket']);
    expect(find('app_port')).toEqual(['settings']);
    expect(find('podman 8080')).toEqual([]);
    expect(find('  ')).toEqual([]);
    expect(find('(sock')).toEqual(['podman-socket']);
  });

  it('lists matching headings first', () => {
    expect(find('podman')).toEqual(['podman-socket', 'install-an-engine']);
  });

  it('marks the words in heading and excerpt', () => {
    const [found] = searchSections(PAGE, 'socket');
    expect(found?.heading).toEqual([
      { text: 'Podman ', hit: false },
      { text: 'socket', hit: true },
    ]);
    expect(found?.excerpt.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['socket', 'socket']);
  });

  it('cuts excerpts around the first match', () => {
    const [found] = searchSections(PAGE, 'end.');
    const excerpt = found?.excerpt.map(({ text }) => text).join('') ?? '';
    expect(excerpt).toMatch(/^… .*The end\.$/);
    expect(excerpt.length).toBeLessThan(120);
  });
});
