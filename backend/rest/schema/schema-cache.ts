import type { Database } from '../../database/database.ts';
import { milliseconds } from '../../duration.ts';
import { withoutClientLimit } from '../../http/client-concurrency.ts';
import type { Logger } from '../../log.ts';
import { type Catalogue, type CatalogueFunction, readCatalogue } from './catalogue.ts';
import type { Column, Relation } from './relation.ts';
import { buildRelationships, type Relationships } from './relationships.ts';
import { readViewColumns, type ViewColumns } from './view-columns.ts';

interface Parameter {
  /** Empty for the only parameter of a function that takes the whole body. */
  name: string;
  type: string;
  /** The type in which an argument is read. */
  unlimitedType: string;
  variadic: boolean;
  required: boolean;
}

export interface Routine {
  schema: string;
  name: string;
  volatile: boolean;
  parameters: Parameter[];
  returns: 'void' | 'scalar' | 'composite';
  returnsSet: boolean;
  relation: Relation | undefined;
  /** Replaces the caller's limit, since a function's own setting comes too late for the statement that calls it. */
  timeoutMs: number | undefined;
}

export interface Schema {
  /** By schema, then name. */
  relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>;
  /** Overloads by schema, then name. */
  routines: ReadonlyMap<string, ReadonlyMap<string, Routine[]>>;
  relationships: Relationships;
  /** The way in which a request's transaction ends, and whether its `Prefer: tx` decides. */
  transactions: { rollback: boolean; mayChoose: boolean };
  /** Called at the start of each request's transaction. */
  preRequest: { schema: string; name: string } | undefined;
}

/** The types whose value can be a whole request body. */
const UNNAMED_TYPES = ['json', 'jsonb', 'text', 'xml', 'bytea'];

/** The settings of PostgREST that are read from the database. */
const SETTINGS = ['db_tx_end', 'db_pre_request'];

/**
 * The API's knowledge of the database. Loads at the first request, again after `notify pgrst`, which event
 * triggers send too, and keeps the last good state when that fails.
 */
export class SchemaCache {
  readonly #database: Database;
  readonly #exposed: readonly string[];
  readonly #log: Logger;
  #current: Promise<Schema> | undefined;
  #isQueued = false;
  #ignored = '';

  constructor(database: Database, exposed: readonly string[], log: Logger) {
    this.#database = database;
    this.#exposed = exposed;
    this.#log = log;
  }

  async get(): Promise<Schema> {
    this.#current ??= this.#load();
    const loading = this.#current;
    try {
      return await loading;
    } catch (error) {
      // The next request tries again.
      if (this.#current === loading) this.#current = undefined;
      throw error;
    }
  }

  /** Reads the database again, at most once more while it is being read: each of many statements asks for it. */
  reload(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    const before = this.#current;
    const again = async () => {
      await before?.catch(() => undefined);
      this.#isQueued = false;
      try {
        return await this.#load();
      } catch (error) {
        this.#log.warn({ err: error }, 'the schema cache could not be reloaded');
        if (!before) throw error;
        return before;
      }
    };
    this.#current = again();
    // There may be no request waiting for it yet.
    this.#current.catch(() => {});
  }

  async #load(): Promise<Schema> {
    const catalogue = await withoutClientLimit(() => readCatalogue(this.#database, this.#exposed));
    const ignored = Object.keys(catalogue.settings).filter((name) => !SETTINGS.includes(name));
    if (ignored.join() !== this.#ignored) {
      this.#ignored = ignored.join();
      if (ignored.length > 0)
        this.#log.warn({ settings: ignored }, 'settings of the role authenticator that have no effect');
    }
    return buildSchema(catalogue, this.#exposed);
  }
}

function buildSchema(catalogue: Catalogue, exposed: readonly string[]): Schema {
  const viewColumns = readViewColumns(catalogue.views);
  const relations = buildRelations(catalogue, viewColumns);
  const exposedRelations = [...relations.values()].filter((relation) => exposed.includes(relation.schema));
  return {
    relations: new Map(
      exposed.map((schema) => [
        schema,
        new Map(
          exposedRelations
            .filter((relation) => relation.schema === schema)
            .map((relation) => [relation.name, relation]),
        ),
      ]),
    ),
    routines: new Map(
      exposed.map((schema) => [
        schema,
        Map.groupBy(
          catalogue.functions
            .filter((routine) => routine.schema === schema && isCallable(routine))
            .map((routine) => toRoutine(routine, relations))
            .sort(inOrderOfListing),
          (routine) => routine.name,
        ),
      ]),
    ),
    relationships: buildRelationships(catalogue, relations, viewColumns, exposed),
    transactions: {
      rollback: catalogue.settings.db_tx_end?.startsWith('rollback') ?? false,
      mayChoose: catalogue.settings.db_tx_end?.endsWith('-allow-override') ?? false,
    },
    preRequest: preRequestOf(catalogue.settings.db_pre_request),
  };
}

/** `schema.function`, or a function of `public`. */
function preRequestOf(text: string | undefined): Schema['preRequest'] {
  if (!text) return undefined;
  const [, schema = 'public', name = ''] = /^(?:([^.]*)\.)?(.*)$/s.exec(text) ?? [];
  return { schema, name };
}

function buildRelations(catalogue: Catalogue, viewColumns: ViewColumns): Map<number, Relation> {
  const keys = new Map(
    catalogue.constraints.filter((key) => key.kind === 'p').map((key) => [key.table, key.columns]),
  );
  const defaults = new Map(
    catalogue.relations.flatMap((relation) =>
      relation.columns.map((column) => [`${relation.oid}.${column.number}`, column.default] as const),
    ),
  );
  return new Map(
    catalogue.relations.map((row) => {
      const origins = viewColumns.get(row.oid);
      const names = new Map(row.columns.map((column) => [column.number, column.name]));
      const columns = row.columns.map((column): Column => {
        const origin = origins?.get(column.number);
        const fallback = column.default ?? (origin && defaults.get(`${origin.table}.${origin.column}`));
        return {
          name: column.name,
          type: column.type,
          baseType: column.baseType,
          default: fallback ?? undefined,
        };
      });
      const primaryKey = origins ? viewPrimaryKey(origins, keys) : (keys.get(row.oid) ?? []);
      return [
        row.oid,
        {
          schema: row.schema,
          name: row.name,
          kind: row.kind,
          writes: [
            ...(row.insertable ? (['POST'] as const) : []),
            ...(row.updatable ? (['PATCH'] as const) : []),
            ...(row.deletable ? (['DELETE'] as const) : []),
          ],
          columns: new Map(columns.map((column) => [column.name, column])),
          names,
          primaryKey: primaryKey.flatMap((number) => names.get(number) ?? []),
        },
      ];
    }),
  );
}

/** A view has the primary keys of the tables whose whole keys it passes on. */
function viewPrimaryKey(
  origins: ReadonlyMap<number, { table: number; column: number }>,
  keys: ReadonlyMap<number, number[]>,
): number[] {
  return [...new Set([...origins.values()].map((origin) => origin.table))].flatMap((table) => {
    const passed = (keys.get(table) ?? []).map(
      (column) => [...origins].find(([, origin]) => origin.table === table && origin.column === column)?.[0],
    );
    return passed.every((number) => number !== undefined) ? passed : [];
  });
}

/** PostgreSQL's notation, in which a bare number means milliseconds; 0 would be no limit at all. */
const timeoutOf = (text: string) =>
  milliseconds(text.replace(/^\d+$/, '$&ms').replace(/min$/, 'm')) || undefined;

/** The order in which PostgREST lists overloads: by the number of their parameters, then by names and types. */
function inOrderOfListing(a: Routine, b: Routine): number {
  const key = ({ parameters }: Routine) => parameters.map(({ name, type }) => `${name}\0${type}`).join('\0');
  return a.parameters.length - b.parameters.length || (key(a) < key(b) ? -1 : 1);
}

function isCallable(routine: CatalogueFunction): boolean {
  const [only] = routine.parameters;
  if (routine.parameters.length === 1 && only?.name === '') return UNNAMED_TYPES.includes(only.type);
  return routine.parameters.every((parameter) => parameter.name !== '');
}

function toRoutine(row: CatalogueFunction, relations: ReadonlyMap<number, Relation>): Routine {
  const required = row.parameters.length - row.defaults;
  return {
    schema: row.schema,
    name: row.name,
    volatile: row.volatility === 'v',
    parameters: row.parameters.map((parameter, index) => ({
      name: parameter.name,
      type: parameter.type,
      unlimitedType: parameter.unlimitedType,
      variadic: parameter.variadic,
      required: index < required,
    })),
    returns: row.returnsVoid ? 'void' : row.returnsComposite ? 'composite' : 'scalar',
    returnsSet: row.returnsSet,
    timeoutMs: timeoutOf(row.timeout ?? ''),
    relation: row.returnRelation ? relations.get(row.returnRelation) : undefined,
  };
}
