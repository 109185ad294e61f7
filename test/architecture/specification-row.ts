/** A test that shows a row: its file below test/ or backend/src/, and its title as written there. */
type ShownBy = readonly [file: string, title: string];

export interface SpecificationRow {
  row: string;
  tests: readonly ShownBy[];
}

export const API = (spec: string, title: string): ShownBy => [`test/api/${spec}.spec.ts`, title];
export const BROWSER = (spec: string, title: string): ShownBy => [`test/browser/${spec}.spec.ts`, title];
export const REAL = (file: string, title: string): ShownBy => [`test/real/${file}.ts`, title];
export const FAULT = (spec: string, title: string): ShownBy => [`test/faults/${spec}.spec.ts`, title];
export const UNIT = (spec: string, title: string): ShownBy => [`backend/src/${spec}.spec.ts`, title];

export const row = (text: string, ...tests: ShownBy[]): SpecificationRow => ({ row: text, tests });
