import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DASHBOARD_PAGES } from '../../backend/src/apps/dashboard/create-dashboard.js';
import { LOG_BOARD_PAGES } from '../../backend/src/apps/log-board/create-log-board.js';
import { publicUrl } from '../../backend/src/core/config/variable-parsers.js';
import { readProject } from '../../backend/src/core/config/project.js';

const { root } = readProject();

function matchesOf(file: string, pattern: RegExp): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, text]) => text ?? '');
}

function routesOf(application: string): string[] {
  return matchesOf(`frontend/src/${application}/routes.ts`, /\b(?:path: |page\(\s*)'([^']+)'/g).filter(
    (path) => path !== '**',
  );
}

describe('page routes', () => {
  it.each([
    ['dashboard', DASHBOARD_PAGES],
    ['log-board', LOG_BOARD_PAGES],
  ])('are known to the server of %s, so it sends 200', (application, served) => {
    const paths = routesOf(application)
      .filter((path) => path !== 'login')
      .map((path) => `/${path.replaceAll(/:\w+/g, 'x')}`);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !served.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it('are rejected as the path of a public URL, which a proxy may remove', () => {
    const beside = matchesOf('backend/src/apps/dashboard/create-dashboard.ts', /path: '\/([^']+)'/g);
    beside.push(...matchesOf('backend/src/apps/log-board/create-log-board.ts', /path: '\/([^']+)'/g));
    expect(beside).toHaveLength(2);
    for (const path of [...routesOf('dashboard'), ...routesOf('log-board'), ...beside]) {
      expect(() => publicUrl(`https://slipway.test/${path.replaceAll(/:\w+/g, 'x')}`)).toThrow('begins like');
    }
  });
});
