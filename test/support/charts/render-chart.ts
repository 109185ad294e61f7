import { list } from 'tar';

/** Values for templates. */
export interface TemplateScope {
  Release: { Name: string; Namespace: string };
  Chart: { Name: string; Version: string };
  Values: Record<string, unknown>;
}

/** Rendered templates of a packed chart by path. */
export async function renderChart(file: string, scope: TemplateScope): Promise<Map<string, string>> {
  const rendered = new Map<string, string>();
  await list({
    file,
    onReadEntry: (entry) => {
      const path = entry.path.split('/').slice(1).join('/');
      if (!/^templates\/[^/]+\.(yaml|txt)$/.test(path)) return;
      const pieces: Buffer[] = [];
      entry.on('data', (piece: Buffer) => pieces.push(piece));
      entry.on('end', () => rendered.set(path, render(Buffer.concat(pieces).toString('utf8'), scope)));
    },
  });
  return rendered;
}

/** Supports only values of Go templates, quoted or not. */
function render(template: string, scope: TemplateScope): string {
  return template.replaceAll(/\{\{ (.+?) \}\}/g, (_whole, action: string) => {
    const [, path = '', quote] = /^\.([\w.]+)( \| quote)?$/.exec(action) ?? [];
    let value: unknown = scope;
    for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`unsupported template action {{ ${action} }}`);
    }
    return quote === undefined ? String(value) : JSON.stringify(String(value));
  });
}
