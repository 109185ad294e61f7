import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { JOB_KINDS } from '../../backend/src/modules/jobs/job.dto.js';
import { PAGES } from '../../backend/src/modules/documentation/pages.js';
import { sourceFiles, textOf } from './source-tree.js';

const { root } = readProject();
const documents = [...sourceFiles('.', /^\/[A-Z]+\.md$/), ...sourceFiles('docs', /\.md$/)];

/** Markdown without code blocks and code spans, which may contain brackets and `#`. */
function prose(file: string): string {
  return textOf(file)
    .replace(/^```[^]*?^```/gm, '')
    .replace(/`[^`\n]+`/g, (span) => span.replaceAll(/[[\]#]/g, ''));
}

/** Anchors of the headings, as GitHub and the documentation page build them. */
function anchorsOf(file: string): string[] {
  return [...prose(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .trim()
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

/** Each API path as a pattern, with its methods. */
const routes = ['openapi.json', 'openapi.log-board.json'].flatMap((file) =>
  Object.entries((JSON.parse(textOf(file)) as { paths: Record<string, object> }).paths).map(
    ([path, methods]) => ({
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: Object.keys(methods).map((method) => method.toUpperCase()),
    }),
  ),
);
/** OpenAPI has no WebSockets. */
routes.push({ pattern: /^\/api\/v1\/clusters\/[^/]+\/shells$/, methods: [] });

/** API paths that a document names, with the method if it names one: `GET /api/v1/jobs` or `$api/jobs` in commands. */
function routesIn(file: string): { method: string | undefined; path: string }[] {
  const text = textOf(file)
    .replace(/<!-- generated: errors -->[^]*?<!-- end -->/, '')
    .replaceAll('$api/', '/api/v1/')
    .replaceAll('$board/', '/');
  return (
    [...text.matchAll(/(?:\b([A-Z]{3,6}) )?[^\s`"'(<]*?(\/api\/[\w{}/.-]*[\w}])/g)]
      // The dashboard serves routes of the log board below this path.
      .map(([, method, path = '']) => ({ method, path: path.replace('/api/v1/logs/', '/api/') }))
      .filter(({ path }) => !['/api/v1', '/api/v1/logs'].includes(path) && !path.endsWith('.ts'))
  );
}

describe('documents', () => {
  it('link to existing files and headings', () => {
    const broken = documents.flatMap((file) =>
      [...prose(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g)].flatMap(
        ([, path = '', anchor]) => {
          const target = path === '' ? file : join(dirname(file), path);
          if (!existsSync(join(root, target))) return [`${file}: ${path}`];
          const isFound = anchor === undefined || anchorsOf(target).includes(anchor);
          return isFound ? [] : [`${file}: ${path}#${anchor}`];
        },
      ),
    );
    expect(broken).toEqual([]);
  });

  it('name only API routes that exist', () => {
    const named = documents.flatMap((file) => routesIn(file).map((route) => ({ file, ...route })));
    const unknown = named.filter(
      ({ method, path }) =>
        !routes.some(
          ({ pattern, methods }) => pattern.test(path) && (method === undefined || methods.includes(method)),
        ),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(unknown.map(({ file, method = '', path }) => `${file}: ${method} ${path}`)).toEqual([]);
  });

  it('write API routes with their prefix', () => {
    const outside = /^\/(docs|openapi\.json)$/;
    const short = documents.flatMap((file) =>
      [...textOf(file).matchAll(/`(?:GET|POST|PUT|DELETE|PATCH) (\/[^`\s]*)/g)]
        .map(([, path = '']) => path)
        .filter((path) => !path.startsWith('/api/') && !outside.test(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(short).toEqual([]);
  });

  it('include every file of docs/ among the pages, except decisions', () => {
    const pages = sourceFiles('docs', /\.md$/).filter((file) => !file.startsWith('docs/decisions/'));
    expect(pages).toEqual(
      Object.values<string>(PAGES)
        .filter((file) => file.startsWith('docs/'))
        .sort(),
    );
    expect(Object.values(PAGES).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('describe every kind of job', () => {
    const [table = ''] = textOf('docs/api.md').split('## Errors');
    expect(JOB_KINDS.filter((kind) => !table.includes(`\`${kind}\``))).toEqual([]);
  });

  it('describe every kind of journal entry', () => {
    const kinds = sourceFiles('backend/src', /(?<!\.spec)\.ts$/)
      .filter((file) => /\bjournal\b/i.test(textOf(file)))
      .flatMap((file) => [
        ...textOf(file).matchAll(
          /'((?:resource|node|pod|kubeconfig|secret|session|token|password|log|journal|chart|forward)-(?:apply|edit|delete|scale|restart|cordon|uncordon|started|stopped|paused|resumed|removed|added|renewed|download|reveal|sign-in|sign-out|end|create|revoke|change|export|repository|upload|open|close|logs))'/g,
        ),
      ])
      .map(([, kind]) => kind ?? '');
    expect(new Set(kinds).size).toBeGreaterThan(25);
    expect([...new Set(kinds)].filter((kind) => !textOf('docs/security.md').includes(`\`${kind}\``))).toEqual(
      [],
    );
  });

  it('name only classes and functions that exist', () => {
    const code = [...sourceFiles('backend/src', /\.ts$/), ...sourceFiles('frontend/src', /\.ts$/)]
      .map(textOf)
      .join('\n');
    const words = new Set(code.match(/\b\w+\b/g));
    const names = [...textOf('ARCHITECTURE.md').matchAll(/`([A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+)`/g)];
    expect(names.length).toBeGreaterThan(50);
    expect(names.map(([, name = '']) => name).filter((name) => !words.has(name))).toEqual([]);
  });

  it('keep README.md and ARCHITECTURE.md short', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(8000);
    expect(Buffer.byteLength(textOf('ARCHITECTURE.md'))).toBeLessThanOrEqual(15_000);
  });
});
