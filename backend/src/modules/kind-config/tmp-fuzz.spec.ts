import { it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { kindConfigs, withoutZeros } from '../../../../test/support/kind-configs/corpus.js';
import { parseKindConfig } from './parse-kind-config.js';
const canon = (v: any): string =>
  JSON.stringify(v, (k, x) =>
    x && typeof x === 'object' && !Array.isArray(x)
      ? Object.fromEntries(Object.entries(x).sort(([p], [q]) => (p < q ? -1 : 1)))
      : x,
  );
it('x', () => {
  let all = [...kindConfigs()];
  if (process.env.FUZZ) {
    let seed = Number(process.env.FUZZ);
    const rnd = (n: number): number => {
      seed = (seed + 0x6d2b79f5) | 0;
      let z = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
      return ((z ^ (z >>> 14)) >>> 0) % n;
    };
    const base = all.filter(([n]) => !n.includes(' = '));
    const pieces = [
      '\n',
      ' ',
      '  ',
      '\t',
      ':',
      ': ',
      '- ',
      '#',
      ' #',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '&a ',
      '*a',
      '<<: ',
      '|',
      '>',
      '~',
      '!',
      '!!str ',
      '%',
      '---\n',
      '...\n',
      '?',
      '? ',
      '0',
      'null',
      'true',
      '\\',
      '\r',
      '\n\n',
      '@',
      '`',
      '-',
      '_',
      '\u00a0',
      '\u2028',
      '\u0085',
      '\ufeff',
    ];
    all = Array.from({ length: 20000 }, (_, i): [string, string] => {
      const [n, t] = base[rnd(base.length)]!;
      let x = t;
      for (let k = 0; k <= rnd(2); k++) {
        const at = rnd(x.length + 1);
        const kind = rnd(4);
        x =
          kind === 0
            ? x.slice(0, at) + x.slice(at + 1 + rnd(3))
            : kind === 1
              ? (() => {
                  const l = x.split('\n');
                  const a = rnd(l.length);
                  l.splice(a, 0, l[rnd(l.length)]!);
                  return l.join('\n');
                })()
              : x.slice(0, at) + pieces[rnd(pieces.length)]! + x.slice(at);
      }
      return [n + '#' + i + JSON.stringify(x), x];
    });
  }
  const answers = JSON.parse(
    execFileSync('/tmp/kc/oracle', {
      input: JSON.stringify(all.map(([, t]) => t)),
      maxBuffer: 1e9,
    }).toString(),
  );
  const out: string[] = [];
  let ok = 0;
  const refusals: Record<string, string[]> = {};
  all.forEach(([name, text], i) => {
    const mine = parseKindConfig(text);
    const its = answers[i];
    if (mine.parsed && its.config) {
      const [a, b] = [withoutZeros(mine.parsed.config), withoutZeros(its.config)];
      if (canon(a) === canon(b)) ok++;
      else out.push(`VALUES ${name}\n   mine ${JSON.stringify(a)}\n   kind ${JSON.stringify(b)}`);
    } else if (!mine.parsed && its.error) ok++;
    else if (mine.parsed)
      out.push(
        `LAX ${name}: ${its.error.replace(/\n/g, ' ')}\n   mine ${JSON.stringify(mine.parsed.config)}`,
      );
    else {
      const k = mine.problems
        .map((p) => p.path.replace(/\d+/g, 'N') + ' ' + p.problem.replace(/".*"/, 'Q'))
        .join(' | ');
      (refusals[k] ??= []).push(name);
    }
  });
  require('fs').writeFileSync(
    '/tmp/kc/out.txt',
    `${all.length} configs, ${ok} agree\n` +
      out.join('\n') +
      '\n\nREFUSED ONLY BY US\n' +
      Object.entries(refusals)
        .map(([k, v]) => `${k}: ${v.length}  ${v.slice(0, 6).join(' ; ')}`)
        .join('\n'),
  );
});
