import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { textOf } from './source-tree.js';

/** Syntax that the classic builder of Docker rejects or ignores. */
const BUILDKIT_ONLY = [
  /^# *(syntax|check) *=/im,
  /^RUN .*--(mount|network|security)=/m,
  /^(COPY|ADD) .*--(link|chmod|parents|exclude|checksum)\b/m,
  /^(RUN|COPY|ADD) .*<<-?\s*["']?\w/m,
];
const PINNED = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

/** @returns what a Dockerfile must not have: syntax of BuildKit, and bases that are fixed or not pinned. */
function problemsIn(dockerfile: string): string[] {
  const text = dockerfile.replace(/\\\n\s*/g, '');
  const defaults = new Map(
    [...text.matchAll(/^ARG (\w+)=(\S*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const stages = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
  return [
    ...BUILDKIT_ONLY.flatMap((syntax) => syntax.exec(text)?.[0] ?? []),
    ...stages.filter((base) => !PINNED.test(defaults.get(/^\$\{(\w+)\}$/.exec(base)?.[1] ?? '') ?? '')),
  ];
}

describe('Dockerfile', () => {
  const text = textOf('Dockerfile');

  it('is built without BuildKit, from bases that are pinned by digest and replaceable by build arguments', () => {
    expect(text.match(/^FROM /gm)).toHaveLength(3);
    expect(problemsIn(text)).toEqual([]);
  });

  it.each([
    ['a syntax line', '# syntax=docker/dockerfile:1\n'],
    ['a mounted cache', 'RUN --mount=type=cache,target=/root/.npm npm ci\n'],
    ['a mount on a continued line', 'RUN \\\n  --mount=type=bind npm ci\n'],
    ['a linked layer', 'COPY --from=package --link /a /b\n'],
    ['a here-document', 'RUN <<EOF\nnpm ci\nEOF\n'],
    ['a default base without a digest', 'ARG NODE=node:24\nFROM ${NODE}\n'],
    ['a base that cannot be replaced', `FROM debian:12@sha256:${'0'.repeat(64)}\n`],
  ])('would fail for %s', (_what, line) => {
    expect(problemsIn(line)).toHaveLength(1);
  });

  it('labels the image with the version of this checkout', () => {
    expect(text).toContain(`\nARG VERSION=${readProject().version}\n`);
  });
});
