export interface Column {
  name: string;
  /** As in SQL, with schema and modifiers. */
  type: string;
  /** The same type below any domain. */
  baseType: string;
  default: string | undefined;
}

export interface Relation {
  schema: string;
  name: string;
  kind: 'table' | 'view';
  /** Methods that write it and that it allows at all; rights are another matter. */
  writes: ('POST' | 'PATCH' | 'DELETE')[];
  columns: ReadonlyMap<string, Column>;
  /** Column numbers of the catalogue. */
  names: ReadonlyMap<number, string>;
  primaryKey: string[];
}
