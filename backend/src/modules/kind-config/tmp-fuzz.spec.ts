import { it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { kindConfigs, withoutZeros } from '../../../../test/support/kind-configs/corpus.js';
import { parseKindConfig } from './parse-kind-config.js';
const canon = (v: any): string => JSON.stringify(v, (k, x) => x && typeof x === 'object' && !Array.isArray(x) ? Object.fromEntries(Object.entries(x).sort(([p], [q]) => p < q ? -1 : 1)) : x);
it('x', () => {
  const all = [...kindConfigs()];
  const answers = JSON.parse(execFileSync('/tmp/kc/oracle', { input: JSON.stringify(all.map(([, t]) => t)), maxBuffer: 1e9 }).toString());
  const out: string[] = []; let ok = 0; const refusals: Record<string, string[]> = {};
  all.forEach(([name, text], i) => {
    const mine = parseKindConfig(text); const its = answers[i];
    if (mine.parsed && its.config) {
      const [a, b] = [withoutZeros(mine.parsed.config), withoutZeros(its.config)];
      if (canon(a) === canon(b)) ok++; else out.push(`VALUES ${name}\n   mine ${JSON.stringify(a)}\n   kind ${JSON.stringify(b)}`);
    } else if (!mine.parsed && its.error) ok++;
    else if (mine.parsed) out.push(`LAX ${name}: ${its.error}\n   mine ${JSON.stringify(mine.parsed.config)}`);
    else { const k = mine.problems.map((p) => p.path.replace(/\d+/g, 'N') + ' ' + p.problem.replace(/".*"/, 'Q')).join(' | '); (refusals[k] ??= []).push(name); }
  });
  require('fs').writeFileSync('/tmp/kc/out.txt', `${all.length} configs, ${ok} agree\n` + out.join('\n') + '\n\nREFUSED ONLY BY US\n' + Object.entries(refusals).map(([k, v]) => `${k}: ${v.length}  ${v.slice(0, 6).join(' ; ')}`).join('\n'));
});
