import type { Volume } from 'kubernetes-types/core/v1';
import type { NamespaceReference } from './container-view';

export interface VolumeView {
  name: string;
  /** As in the API: `emptyDir`, `hostPath`. */
  type: string;
  from: NamespaceReference | null;
  detail: string;
}

const REFERENCES: Readonly<Record<string, readonly [NamespaceReference['kind'], field: string]>> = {
  configMap: ['ConfigMap', 'name'],
  secret: ['Secret', 'secretName'],
  persistentVolumeClaim: ['PersistentVolumeClaim', 'claimName'],
};
/** Fields that identify the source of a volume of another type. */
const DETAILS = ['path', 'driver', 'server', 'medium', 'sizeLimit'];

export function volumeView({ name, ...sources }: Volume): VolumeView {
  const [[type, source] = ['', {}]] = Object.entries<unknown>(sources);
  const fields = (source ?? {}) as Record<string, unknown>;
  const [kind, field = ''] = REFERENCES[type] ?? [];
  const detail = DETAILS.flatMap((each) => (typeof fields[each] === 'string' ? [fields[each]] : []));
  return {
    name,
    type,
    from: kind ? { kind, name: String(fields[field]) } : null,
    detail: detail.join(' '),
  };
}
