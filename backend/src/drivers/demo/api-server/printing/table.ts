import type { CustomResourceColumnDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { TableColumn } from '../../../kubernetes/index.js';
import { recordedJson } from '../../recorded.js';
import type { ApiType } from '../api-types.js';
import type { ApiObject, CustomResourceDefinition } from '../shapes.js';
import { cellTemplate, valueAt, type CellTemplate } from './cell-template.js';
import { since } from './durations.js';

interface RecordedColumn {
  name: string;
  type?: string;
  cell?: string;
  description?: string;
}

interface Column {
  shown: TableColumn;
  cell: CellTemplate;
}

const AGE = '{.metadata.creationTimestamp|age|or <unknown>}';
const NAME: RecordedColumn = {
  name: 'Name',
  cell: '{.metadata.name}',
  description: 'Name is unique within a namespace.',
};
const TABLES = recordedJson<Record<string, RecordedColumn[]>>('tables.json');

export class TablePrinter {
  readonly columns: TableColumn[];
  private readonly cells: CellTemplate[];

  constructor(type: ApiType, crd?: CustomResourceDefinition) {
    const columns = crd ? customColumns(crd, type.version) : builtInColumns(type.plural);
    this.columns = columns.map(({ shown }) => shown);
    this.cells = columns.map((column) => column.cell);
  }

  /** A row with the metadata of its object (`includeObject=Metadata`). */
  row(object: ApiObject, now: number): object {
    const { metadata } = object;
    return {
      cells: this.cells.map((print) => print(object, now)),
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    };
  }
}

function builtInColumns(plural: string): Column[] {
  const columns = TABLES[plural] ?? [
    { name: 'Created At', type: 'date', cell: '{.metadata.creationTimestamp}' },
  ];
  // Only events print their name last.
  const all = plural === 'events' ? columns : [NAME, ...columns];
  return all.map(({ name: recordedName, type = 'string', cell: template = AGE, description = '' }) => {
    const name = recordedName.replace(/^\+/, '');
    const format = name === 'Name' ? 'name' : '';
    const priority = recordedName.startsWith('+') ? 1 : 0;
    return { shown: { name, type, format, description, priority }, cell: cellTemplate(template) };
  });
}

const AGE_COLUMN = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function customColumns({ spec }: CustomResourceDefinition, version: string): Column[] {
  const found = spec?.versions?.find(({ name }) => name === version)?.additionalPrinterColumns;
  const columns = (found ?? [AGE_COLUMN]) as CustomResourceColumnDefinition[];
  return [
    {
      shown: { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
      cell: ({ metadata }) => metadata.name,
    },
    ...columns.map(({ name, type, format = '', description = '', priority = 0, jsonPath }): Column => ({
      shown: { name, type, format, description, priority },
      cell: (object, now) => {
        const value = valueAt(object, jsonPath);
        return type === 'date' && typeof value === 'string' ? since(value, now) : value;
      },
    })),
  ];
}
