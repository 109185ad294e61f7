import type { Volume } from 'kubernetes-types/core/v1';
import type { NamespaceReference, PageOf } from './container-view';
import type { DetailRow } from './detail-rows';

const REFERENCES: Readonly<Record<string, readonly [NamespaceReference['kind'], field: string]>> = {
  configMap: ['ConfigMap', 'name'],
  secret: ['Secret', 'secretName'],
  persistentVolumeClaim: ['PersistentVolumeClaim', 'claimName'],
};
/** Fields that identify the source of a volume of another type. */
const DETAILS = ['path', 'driver', 'server', 'medium', 'sizeLimit'];

/** The source of a volume: an object, or its type as in the API, such as `emptyDir`. */
export function volumeRow({ name: title, ...sources }: Volume, pageOf: PageOf): DetailRow {
  const [[type, source] = ['', {}]] = Object.entries<unknown>(sources);
  const fields = (source ?? {}) as Record<string, unknown>;
  const [kind, field = ''] = REFERENCES[type] ?? [];
  if (kind) {
    const name = String(fields[field]);
    return { title, parts: [{ text: kind }, { text: name, look: 'mono', page: pageOf({ kind, name }) }] };
  }
  const detail = DETAILS.flatMap((each) => (typeof fields[each] === 'string' ? [fields[each]] : []));
  return { title, parts: [{ text: type }, { text: detail.join(' '), look: 'mono xs' }] };
}
