import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DASHBOARD_PAGES } from '../../backend/src/apps/dashboard/create-dashboard.js';
import { LOG_BOARD_PAGES } from '../../backend/src/apps/log-board/create-log-board.js';
import { readProject } from '../../backend/src/core/config/project.js';

const { root } = readProject();

function matchesOf(file: string, pattern: RegExp): string[] {
  return [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, text]) => text ?? '');
}

describe('page routes', () => {
  it.each([
    ['dashboard', DASHBOARD_PAGES],
    ['log-board', LOG_BOARD_PAGES],
  ])('are known to the server of %s, so it sends 200', (application, served) => {
    const paths = matchesOf(`frontend/src/${application}/routes.ts`, /\b(?:path: |page\(\s*)'([^']+)'/g)
      .filter((path) => path !== '**' && path !== 'login')
      .map((path) => `/${path.replaceAll(/:\w+/g, 'x')}`);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !served.some((pattern) => pattern.test(path)))).toEqual([]);
  });
});
