import { describe, expect, it } from '@jest/globals';
import type { DiagnosticCheckDto, DiagnosticsDto } from '../../shared/api/api-types';
import { INSTALL_STEPS, orderChecks, readFix, readPlatform, verdictOf } from './diagnosis';

function check(name: string, level: DiagnosticCheckDto['level']): DiagnosticCheckDto {
  return { name, title: name, level, message: '', fix: null };
}

function found(ready: boolean, engine: string, ...levels: DiagnosticCheckDto['level'][]): DiagnosticsDto {
  return {
    ready,
    event_loop_delay: { p99_ms: 1, worst_ms: 1, worst_at: null },
    checks: levels.map((level, index) => check(String(index), level)),
    runtimes: [
      {
        id: engine,
        available: true,
        version: '1',
        reason: null,
        fix: null,
        since: '2026-11-21T09:00:00Z',
        attempts: [],
      },
    ],
    dropped_values: 0,
  };
}

describe('readFix', () => {
  it.each([
    ['sudo systemctl start docker', 'command'],
    ['sudo usermod -aG docker "$USER"   # then sign in again', 'command'],
    ['docker context use default', 'command'],
    ['https://kind.sigs.k8s.io/docs/user/quick-start/#installation', 'page'],
    ['Stop other clusters or programs, or make fewer nodes.', 'advice'],
    ['Boot with systemd.unified_cgroup_hierarchy=1, or use a newer system.', 'advice'],
  ])('reads “%s” as a %s', (text, kind) => {
    expect(readFix(text)).toEqual({ kind, text });
  });

  it('returns null without a text', () => {
    expect(readFix(null)).toBeNull();
    expect(readFix(' ')).toBeNull();
  });
});

describe('orderChecks and verdictOf', () => {
  it('sorts problems first, then warnings, and keeps the order otherwise', () => {
    const checks = [check('a', 'ok'), check('b', 'warning'), check('c', 'problem'), check('d', 'ok')];
    expect(orderChecks(checks).map(({ name }) => name)).toEqual(['c', 'b', 'a', 'd']);
  });

  it.each([
    [found(false, 'docker', 'problem'), 'problem', 'This host cannot create clusters yet'],
    [found(true, 'demo', 'ok'), 'warning', 'Demo mode only'],
    [found(true, 'docker', 'ok', 'ok'), 'ok', 'This host can create clusters'],
  ])('summarizes the checks: %#', (diagnostics, level, title) => {
    expect(verdictOf(diagnostics)).toMatchObject({ level, title });
  });

  it('counts the warnings', () => {
    expect(verdictOf(found(true, 'podman', 'warning')).text).toMatch(/^1 warning\.$/);
    expect(verdictOf(found(true, 'podman', 'warning', 'ok', 'warning')).text).toMatch(/^2 warnings\.$/);
  });
});

describe('INSTALL_STEPS', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140', 'linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605', 'mac'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
    ['', 'linux'],
  ] as const)('detects the platform of “%s” as %s', (userAgent, platform) => {
    expect(readPlatform(userAgent)).toBe(platform);
  });

  it('lists both engines and kind with an installation page', () => {
    for (const platform of ['linux', 'mac', 'windows'] as const) {
      const { engines, kind } = INSTALL_STEPS[platform];
      expect(engines.map(({ title }) => title.split(/[ ,]/)[0])).toEqual(['Docker', 'Podman']);
      for (const { page } of [...engines, kind]) expect(page).toMatch(/^https:\/\//);
    }
  });
});
