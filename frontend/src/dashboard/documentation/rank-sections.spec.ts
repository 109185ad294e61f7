import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { renderPage, toHtml } from './markdown';
import { rankSections } from './rank-sections';
import { type Section, sectionsOf } from './search-pages';

const ROOT = join(__dirname, '..', '..', '..', '..');
const OTHERS = {
  readme: 'README.md',
  architecture: 'ARCHITECTURE.md',
  'threat-model': 'SECURITY.md',
  changelog: 'CHANGELOG.md',
};

function pages(): Record<string, string> {
  const docs = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
  return { ...OTHERS, ...Object.fromEntries(docs.map((file) => [file.slice(0, -3), `docs/${file}`])) };
}

/** The pages as they are, since a search that ranks them wrongly is of no use. */
describe('rankSections', () => {
  let sections: Section[];

  beforeAll(() => {
    sections = Object.entries(pages()).flatMap(([name, file]) => {
      const markdown = readFileSync(join(ROOT, file), 'utf8');
      const page = { name, file, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name };
      return sectionsOf(page, renderPage(toHtml(markdown), document, { url: '', file, urls: new Map() }));
    });
  });

  it.each([
    ['port in use', 'troubleshooting'],
    ['too many open files', 'troubleshooting'],
    ['lost password', 'troubleshooting'],
    ['I forgot my password', 'troubleshooting'],
    ['change the port', 'troubleshooting'],
    ['environment variables', 'configuration'],
    ['APP_LOG_FORMAT', 'configuration'],
    ['how do I install slipway', 'install'],
    ['run as a service', 'install'],
    ['podman socket', 'install'],
    ['docker compose', 'container'],
    ['exit status', 'cli'],
    ['autocomplete bash', 'cli'],
    ['completion for zsh', 'cli'],
    ['AI assistant', 'mcp'],
    ['create a cluster', 'clusters'],
    ['edit config', 'clusters'],
    ['add a context', 'add-your-clusters'],
    ['allow changes in production', 'add-your-clusters'],
    ['exec plugin', 'add-your-clusters'],
    ['HTTPS_PROXY NO_PROXY', 'add-your-clusters'],
    ['kubeconfig for a container', 'kubeconfig'],
    ['merge kubeconfig', 'kubeconfig'],
    ['private chart repository', 'addons'],
    ['load image', 'images'],
    ['disk full', 'troubleshooting'],
    ['free disk space', 'images'],
    ['webhook', 'alerts'],
    ['access token', 'security'],
    ['when does my session end', 'security'],
    ['reset password', 'cli'],
    ['backup', 'data-folder'],
    ['restore a backup', 'data-folder'],
    ['where is my data', 'data-folder'],
    ['websocket close codes', 'log-board-socket'],
    ['victorialogs retention', 'victorialogs'],
    ['too many requests', 'api'],
    ['test suites', 'develop'],
    ['report a vulnerability', 'threat-model'],
  ])('finds “%s” first in %s', (query, page) => {
    const found = rankSections(sections, query).slice(0, 4);
    const shown = found.map(({ section }) => `${section.page.name}#${section.id}`);
    expect({ query, first: found[0]?.section.page.name, shown }).toMatchObject({ first: page });
  });

  it('finds the words of a phrase in their order before others', () => {
    const [first] = rankSections(sections, 'port in use');
    const text = first?.section.text.map((word) => word.text).join(' ');
    expect(text).toMatch(/port(?: \w+){0,2} in use/);
  });

  it('answers a question of which some words are in no section', () => {
    expect(rankSections(sections, 'zeppelin password lost')[0]?.section.page.name).toBe('troubleshooting');
    expect(rankSections(sections, 'zeppelin nothing')).toEqual([]);
  });
});
