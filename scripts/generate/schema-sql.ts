import type pg from 'pg';

/** Every table and view: columns, constraints, indexes, triggers, policies and grants, as PostgreSQL itself writes them. */
const RELATIONS = `
select c.oid::regclass::text as name, c.relkind = 'v' as is_view, c.relrowsecurity as has_rls,
  obj_description(c.oid, 'pg_class') as comment,
  case when c.relkind = 'v' then pg_get_viewdef(c.oid) end as view,
  array(
    select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
      || case when a.attidentity <> '' then ' generated always as identity' else '' end
      || case when a.attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
      || case when a.attnotnull then ' not null' else '' end
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
  ) || array(
    select format('constraint %I %s', conname, pg_get_constraintdef(oid)) from pg_constraint
    where conrelid = c.oid and contype not in ('n', 't') order by position(contype in 'pufcx'), conname
  ) as parts,
  array(
    select pg_get_indexdef(i.indexrelid) from pg_index i
    where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
    order by i.indexrelid::regclass::text
  ) || array(
    select pg_get_triggerdef(t.oid, true) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname
  ) || array(
    select format('create policy %I on %s as %s for %s to %s%s%s', p.policyname, c.oid::regclass, lower(p.permissive), lower(p.cmd),
      array_to_string(p.roles, ', '), ' using (' || p.qual || ')', ' with check (' || p.with_check || ')')
    from pg_policies p where p.schemaname = n.nspname and p.tablename = c.relname order by p.policyname
  ) || array(
    select format('grant %s on %s to %s', string_agg(lower(g.privilege_type), ', ' order by g.privilege_type), c.oid::regclass, g.grantee::regrole)
    from aclexplode(c.relacl) g where g.grantee <> c.relowner group by g.grantee order by g.grantee::regrole::text
  ) || array(
    select format('grant %s (%s) on %s to %s', lower(g.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum), c.oid::regclass, g.grantee::regrole)
    from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = c.oid
    group by g.privilege_type, g.grantee order by g.grantee::regrole::text, g.privilege_type
  ) as statements
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('public', 'private') and c.relkind in ('r', 'v')
order by n.nspname desc, c.relname`;

/** Every function by its signature; its body is in the one migration that creates it. */
const FUNCTIONS = `
select format('function %s.%I(%s) returns %s%s', n.nspname, p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
    case when p.prosecdef then ' security definer' else '' end) as signature,
  obj_description(p.oid, 'pg_proc') as comment,
  array(select distinct g.grantee::regrole::text from aclexplode(p.proacl) g where g.grantee not in (0, p.proowner) order by 1) as callers
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname in ('public', 'private') and p.prorettype <> 'trigger'::regtype
order by n.nspname desc, p.proname, pg_get_function_arguments(p.oid)`;

interface RelationRow {
  name: string;
  is_view: boolean;
  has_rls: boolean;
  comment: string | null;
  view: string | null;
  parts: string[];
  statements: string[];
}

interface FunctionRow {
  signature: string;
  comment: string | null;
  callers: string[];
}

const PREFACE = `-- Made by "npm run generate": what the migrations result in, for reading. The migrations are what is applied.
-- Of functions it shows the signature and the roles that may call them; triggers' functions are named by their triggers.
`;

/** The schema that the migrations result in, as text to read; the same for the same migrations. */
export async function schemaSql(client: pg.Pool): Promise<string> {
  const relations = await client.query<RelationRow>(RELATIONS);
  const functions = await client.query<FunctionRow>(FUNCTIONS);
  const comment = (text: string | null) => (text ? `-- ${text.replaceAll('\n', '\n-- ')}\n` : '');
  return [
    PREFACE,
    ...relations.rows.map((row) => {
      const body = row.is_view
        ? `create view ${row.name} as\n${row.view ?? ''}`
        : `create table ${row.name} (\n  ${row.parts.join(',\n  ')}\n);`;
      const security = row.has_rls ? `alter table ${row.name} enable row level security;\n` : '';
      return `${comment(row.comment)}${body}\n${security}${row.statements.map((sql) => `${sql};\n`).join('')}`;
    }),
    ...functions.rows.map(
      (row) =>
        `${comment(row.comment)}${row.signature};\n${row.callers.length > 0 ? `-- callable by ${row.callers.join(', ')}\n` : ''}`,
    ),
  ].join('\n');
}
