import type { TableCell, TableColumn } from '../../../kubernetes/index.js';
import type { ApiType } from '../api-types.js';
import type { ApiObject, Definition, Pod } from '../shapes.js';
import { columnsOf } from './columns.js';
import { customCells, customColumns, tableColumns } from './custom-cells.js';
import { RESOURCE_PRINTERS } from './resource-cells.js';
import { WORKLOAD_PRINTERS } from './workload-cells.js';

/** The cells of an object, those of `-o wide` too. */
export type Printer = (object: ApiObject, now: number) => TableCell[];

/** What is sent of each object beside its cells (`includeObject`). */
export type Included = 'None' | 'Metadata' | 'Object';

const PRINTERS: Readonly<Record<string, Printer>> = { ...WORKLOAD_PRINTERS, ...RESOURCE_PRINTERS };

/** How objects of one type are printed. */
export class TablePrinter {
  readonly columns: TableColumn[];
  private readonly cellsOf: Printer;

  /** @param definition of a custom type */
  constructor(type: ApiType, definition?: Definition) {
    if (definition) {
      const columns = customColumns(definition, type.version);
      this.columns = tableColumns(columns);
      this.cellsOf = (object, now) => customCells(object, columns, now);
    } else {
      this.columns = columnsOf(type.plural);
      this.cellsOf =
        PRINTERS[type.plural] ??
        (({ metadata }) => [metadata.name, metadata.creationTimestamp ?? '<unknown>']);
    }
  }

  row(object: ApiObject, included: Included, now: number): object {
    const cells = this.cellsOf(object, now);
    const conditions = completion(object);
    return {
      cells,
      ...(conditions ? { conditions } : {}),
      ...(included === 'None' ? {} : { object: included === 'Object' ? object : partial(object) }),
    };
  }
}

export function partial({ metadata }: ApiObject): object {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** Pods that have ended carry a mark, so that a client can leave them out. */
function completion(object: ApiObject): object[] | undefined {
  if (object.kind !== 'Pod') return undefined;
  const { phase } = (object as Pod).status ?? {};
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined;
  return [
    {
      type: 'Completed',
      status: 'True',
      reason: phase,
      message: phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.',
    },
  ];
}
