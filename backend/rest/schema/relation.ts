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
  columns: ReadonlyMap<string, Column>;
  /** Column numbers of the catalogue. */
  names: ReadonlyMap<number, string>;
  primaryKey: string[];
}
