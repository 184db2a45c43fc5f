import type { Database } from '../../database/database.ts';

/** Rows of the system catalogue, as the one query below returns them. */
export interface Catalogue {
  relations: {
    oid: number;
    schema: string;
    name: string;
    kind: 'table' | 'view';
    insertable: boolean;
    updatable: boolean;
    deletable: boolean;
    columns: CatalogueColumn[];
  }[];
  constraints: {
    name: string;
    kind: 'p' | 'u' | 'f';
    table: number;
    columns: number[];
    foreignTable: number;
    foreignColumns: number[] | null;
  }[];
  views: { oid: number; rule: string }[];
  functions: CatalogueFunction[];
  /** The settings of the role that signs in whose names begin with `pgrst.`, without that. */
  settings: Record<string, string>;
}

interface CatalogueColumn {
  number: number;
  name: string;
  type: string;
  baseType: string;
  default: string | null;
}

export interface CatalogueFunction {
  schema: string;
  name: string;
  volatility: 'i' | 's' | 'v';
  returnsSet: boolean;
  /** Planner's guess; 1 says that a set has at most one row. */
  rows: number;
  returnsVoid: boolean;
  returnsComposite: boolean;
  /** The table, view or composite type returned, or null. */
  returnRelation: number | null;
  parameters: {
    name: string;
    type: string;
    /** The type in which an argument is read, whose length a bare `character` or `bit` would cut to one. */
    unlimitedType: string;
    variadic: boolean;
    relation: number | null;
  }[];
  defaults: number;
  /** Its own `statement_timeout`, or null. */
  timeout: string | null;
}

const RELATIONS = `
  select coalesce(json_agg(json_build_object(
    'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname,
    'kind', case when c.relkind in ('v', 'm') then 'view' else 'table' end,
    'insertable', events.bits & 8 > 0, 'updatable', events.bits & 4 > 0, 'deletable', events.bits & 16 > 0,
    'columns', (
      select coalesce(json_agg(json_build_object(
        'number', a.attnum, 'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'baseType', (
          with recursive base (oid, next) as (
            select t.oid, t.typbasetype
            union all select y.oid, y.typbasetype from base join pg_type y on y.oid = base.next
          )
          select format_type(oid, null) from base where next = 0
        ),
        'default', case
          when a.attgenerated <> '' then null
          when a.attidentity <> '' then (
            select format('nextval(%L::regclass)', s.objid::regclass) from pg_depend s
            where s.classid = 'pg_class'::regclass and s.deptype = 'i' and s.refobjid = c.oid and s.refobjsubid = a.attnum
          )
          else coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0))
        end
      ) order by a.attnum), '[]')
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    )
  )), '[]')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace,
    lateral (select pg_relation_is_updatable(c.oid, true)) as events(bits)
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`;

const CONSTRAINTS = `
  select coalesce(json_agg(json_build_object(
    'name', conname, 'kind', contype, 'table', conrelid::bigint, 'columns', conkey,
    'foreignTable', confrelid::bigint, 'foreignColumns', confkey
  ) order by conrelid, conname), '[]')
  from pg_constraint where contype in ('p', 'u', 'f') and conparentid = 0`;

const VIEWS = `
  select coalesce(json_agg(json_build_object('oid', r.ev_class::bigint, 'rule', r.ev_action::text)), '[]')
  from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm') and r.ev_type = '1'
    and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'`;

const FUNCTIONS = `
  select coalesce(json_agg(json_build_object(
    'schema', n.nspname, 'name', p.proname, 'volatility', p.provolatile, 'returnsSet', p.proretset, 'rows', p.prorows,
    'returnsVoid', t.oid = 'void'::regtype,
    'returnsComposite', t.typtype = 'c' or b.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
    'returnRelation', nullif(coalesce(nullif(t.typrelid, 0), b.typrelid), 0)::bigint,
    'defaults', p.pronargdefaults,
    'timeout', (select substr(setting, 19) from unnest(p.proconfig) as setting where setting like 'statement\\_timeout=%'),
    'parameters', (
      select coalesce(json_agg(json_build_object(
        'name', coalesce(x.name, ''), 'type', format_type(x.type, null), 'unlimitedType', case x.type
          when 'bpchar'::regtype then 'character varying' when 'bpchar[]'::regtype then 'character varying[]'
          when 'bit'::regtype then 'bit varying' when 'bit[]'::regtype then 'bit varying[]'
          else format_type(x.type, null) end,
        'variadic', coalesce(x.mode, 'i') = 'v',
        'relation', (select nullif(y.typrelid, 0)::bigint from pg_type y where y.oid = x.type)
      ) order by x.ordinality), '[]')
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes::text[])
        with ordinality as x(type, name, mode, ordinality)
      where coalesce(x.mode, 'i') in ('i', 'b', 'v')
    )
  ) order by n.nspname, p.proname, p.pronargs, p.oid), '[]')
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type t on t.oid = p.prorettype
  left join pg_type b on b.oid = t.typbasetype
  where p.prokind = 'f' and n.nspname = any($1) and t.oid not in ('trigger'::regtype, 'event_trigger'::regtype)`;

/** Those for this database count before those for all. */
const SETTINGS = `
  select coalesce(json_object_agg(name, value), '{}') from (
    select distinct on (name) substr(split_part(setting, '=', 1), 7) as name, substr(setting, strpos(setting, '=') + 1) as value
    from pg_db_role_setting s, unnest(s.setconfig) as setting
    where s.setrole = session_user::regrole and setting like 'pgrst.%'
      and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    order by name, s.setdatabase desc
  ) as chosen`;

/** All facts about the database that the API needs, in one query. */
export async function readCatalogue(database: Database, schemas: readonly string[]): Promise<Catalogue> {
  return database.transaction(async (query) => {
    // So that every type and default is written with its schema and means the same under any search path.
    await query(`set local search_path = ''`);
    const { rows } = await query<Catalogue>(
      `select (${RELATIONS}) as relations, (${CONSTRAINTS}) as constraints, (${VIEWS}) as views, (${FUNCTIONS}) as functions, (${SETTINGS}) as settings`,
      [schemas],
    );
    const [catalogue] = rows;
    if (!catalogue) throw new Error('The catalogue query returned nothing.');
    return catalogue;
  });
}
