import { BUILT_IN, type ApiType } from './api-types.js';
import type { ObjectStore } from './object-store.js';
import { TablePrinter } from './printing/table.js';
import type { Definition } from './shapes.js';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

interface Served {
  type: ApiType;
  definition?: Definition;
  printer?: TablePrinter;
}

/** Every kind that the server knows: its own, and those of the definitions that are stored. */
export class TypeCatalogue {
  private served: Map<string, Served> | undefined;

  constructor(private readonly store: ObjectStore) {
    store.subscribe(({ type }) => {
      if (type === DEFINITIONS) this.served = undefined;
    });
  }

  all(): ApiType[] {
    return [...this.entries().values()].map(({ type }) => type);
  }

  find(group: string, version: string, plural: string): ApiType | undefined {
    return this.entries().get(`${group}/${version}/${plural}`)?.type;
  }

  findKind(apiVersion: string, kind: string): ApiType | undefined {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    return this.all().find((type) => type.group === group && type.version === version && type.kind === kind);
  }

  definition(type: ApiType): Definition | undefined {
    return this.entries().get(nameOf(type))?.definition;
  }

  printer(type: ApiType): TablePrinter {
    const found = this.entries().get(nameOf(type));
    if (!found) return new TablePrinter(type);
    found.printer ??= new TablePrinter(type, found.definition);
    return found.printer;
  }

  private entries(): Map<string, Served> {
    this.served ??= new Map(
      [
        ...BUILT_IN.map((type): Served => ({ type })),
        ...this.store.list(DEFINITIONS).flatMap((object) => customTypes(object as Definition)),
      ].map((served) => [nameOf(served.type), served]),
    );
    return this.served;
  }
}

function nameOf({ group, version, plural }: ApiType): string {
  return `${group}/${version}/${plural}`;
}

function customTypes(definition: Definition): Served[] {
  const { group = '', scope, names = {}, versions = [] } = definition.spec ?? {};
  const { plural = '', kind = '', singular = kind.toLowerCase(), shortNames = [], categories = [] } = names;
  return versions
    .filter(({ served }) => served === true)
    .map(({ name = '', subresources = {} }) => ({
      definition,
      type: {
        group,
        version: name,
        plural,
        kind,
        singular,
        namespaced: scope === 'Namespaced',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames,
        categories,
        subresources: Object.keys(subresources),
        custom: true,
      },
    }));
}
