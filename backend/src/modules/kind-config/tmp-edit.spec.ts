import { it } from '@jest/globals';
import { kindConfigs } from '../../../../test/support/kind-configs/corpus.js';
import { parseKindConfig } from './parse-kind-config.js';
import { completeKindConfig, cloneKindConfig } from './render-kind-config.js';
const canon = (v: any): string =>
  JSON.stringify(v, (_k, x) =>
    x && typeof x === 'object' && !Array.isArray(x)
      ? Object.fromEntries(Object.entries(x).sort(([p], [q]) => (p < q ? -1 : 1)))
      : x,
  );
it('x', () => {
  const out: string[] = [];
  let n = 0;
  for (const [name, text] of kindConfigs()) {
    const { parsed } = parseKindConfig(text);
    if (!parsed) continue;
    n++;
    try {
      const c = completeKindConfig(parsed, 'given', 'kindest/node:v1.34.4');
      const again = parseKindConfig(c.text);
      if (!again.parsed) {
        out.push(`BROKEN ${name}\n${c.text}\n${JSON.stringify(again.problems)}`);
        continue;
      }
      if (canon(again.parsed.config) !== canon(c.config)) out.push(`DIFF ${name} ${c.text}`);
      // every original line survives or is extended
      if (!name.includes(' = ')) out.push(`--- ${name}\n${c.text}`);
      const k = cloneKindConfig(parsed.text, 'copy', []);
      if (!parseKindConfig(k, 'copy').parsed) out.push(`CLONE ${name}\n${k}`);
    } catch (e) {
      out.push(`THROWS ${name} ${e}`);
    }
  }
  require('fs').writeFileSync('/tmp/kc/edit.txt', n + '\n' + out.join('\n'));
});
