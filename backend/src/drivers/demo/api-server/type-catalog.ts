import { groupVersion } from '../../kubernetes/index.js';
import { BUILT_IN_TYPES, VERBS, type ApiType } from './api-types.js';
import type { ObjectStore } from './object-store.js';
import { TablePrinter } from './printing/table.js';
import type { CustomResourceDefinition } from './shapes.js';

const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';

interface Served {
  type: ApiType;
  crd?: CustomResourceDefinition;
  printer?: TablePrinter;
}

/** All kinds that the server serves: the built-in ones and those of the stored CRDs. */
export class TypeCatalog {
  private served: Map<string, Served> | undefined;

  constructor(private readonly store: ObjectStore) {
    store.subscribe(({ type }) => {
      if (type === CRDS) this.served = undefined;
    });
  }

  all(): ApiType[] {
    return [...this.entries().values()].map(({ type }) => type);
  }

  find(group: string, version: string, plural: string): ApiType | undefined {
    return this.entries().get(`${group}/${version}/${plural}`)?.type;
  }

  findKind(apiVersion: string, kind: string): ApiType | undefined {
    const { group, version } = groupVersion(apiVersion);
    return this.all().find((type) => type.group === group && type.version === version && type.kind === kind);
  }

  printer(type: ApiType): TablePrinter {
    const found = this.entries().get(nameOf(type));
    if (!found) return new TablePrinter(type);
    found.printer ??= new TablePrinter(type, found.crd);
    return found.printer;
  }

  private entries(): Map<string, Served> {
    this.served ??= new Map(
      [
        ...BUILT_IN_TYPES.map((type): Served => ({ type })),
        ...this.store.list<CustomResourceDefinition>(CRDS).flatMap(customTypes),
      ].map((served) => [nameOf(served.type), served]),
    );
    return this.served;
  }
}

function nameOf({ group, version, plural }: ApiType): string {
  return `${group}/${version}/${plural}`;
}

function customTypes(crd: CustomResourceDefinition): Served[] {
  const { group = '', scope, names = {}, versions = [] } = crd.spec ?? {};
  const { plural = '', kind = '', shortNames = [] } = names;
  return versions
    .filter(({ served }) => served === true)
    .map(({ name, subresources = {} }) => ({
      crd,
      type: {
        group,
        version: name,
        plural,
        kind,
        namespaced: scope === 'Namespaced',
        verbs: VERBS,
        shortNames,
        subresources: Object.keys(subresources),
        custom: true,
      },
    }));
}
