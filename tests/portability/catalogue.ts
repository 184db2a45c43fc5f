import pg from 'pg';

// The objects that the product's migrations create, as far as they decide rights or constraints. Oids and
// owners of extensions differ between any two databases and are left out.
const OURS = "('public'::regnamespace, 'private'::regnamespace)";
/** Each grant separately, to the product's roles; owners have every right anyway. */
const rights = (acl: string, owner: string) => `(
  select string_agg(format('%s to %s', g.privilege_type, coalesce(nullif(g.grantee, 0)::regrole::text, 'public')), ', '
    order by g.privilege_type, coalesce(nullif(g.grantee, 0)::regrole::text, 'public'))
  from aclexplode(${acl}) g where g.grantee <> ${owner} and (g.grantee = 0 or g.grantee::regrole::text in ('anon', 'authenticated', 'service_role')))`;
/** The queries, by what they list. */
export const CATALOGUE: Record<string, string> = {
  tables: `select c.oid::regclass::text as name, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, obj_description(c.oid) as comment,
      ${rights('c.relacl', 'c.relowner')} as rights, case when c.relkind = 'v' then pg_get_viewdef(c.oid) end as definition
    from pg_class c where c.relnamespace in ${OURS} and c.relkind in ('r', 'v', 'm', 'p', 'S')`,
  columns: `select c.oid::regclass || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity,
      pg_get_expr(d.adbin, d.adrelid) as default, a.attcollation::regcollation::text, ${rights('a.attacl', 'c.relowner')} as rights
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace in ${OURS} and c.relkind in ('r', 'v', 'm', 'p')`,
  constraints: `select k.conrelid::regclass || '.' || k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k where k.connamespace in ${OURS}`,
  indexes: `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace in ${OURS}`,
  policies: `select p.polrelid::regclass || '.' || p.polname as name, p.polcmd, p.polpermissive, p.polroles::regrole[]::text[] as roles,
      pg_get_expr(p.polqual, p.polrelid) as using, pg_get_expr(p.polwithcheck, p.polrelid) as check
    from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace in (select unnest(array${OURS.replace('(', '[').replace(')', ']')}) union select 'storage'::regnamespace)`,
  triggers: `select t.tgrelid::regclass || '.' || t.tgname as name, pg_get_triggerdef(t.oid) as definition
    from pg_trigger t join pg_proc f on f.oid = t.tgfoid where not t.tgisinternal and f.pronamespace in ${OURS}`,
  functions: `select f.oid::regprocedure::text as name, pg_get_functiondef(f.oid) as definition, ${rights('f.proacl', 'f.proowner')} as rights
    from pg_proc f where f.pronamespace in ${OURS} and f.prokind <> 'a'`,
  schemas: `select n.nspname as name, ${rights('n.nspacl', 'n.nspowner')} as rights from pg_namespace n where n.nspname in ('public', 'private')`,
  publication: `select format('%I.%I', schemaname, tablename) as name, attnames, rowfilter from pg_publication_tables where pubname = 'supabase_realtime'`,
};

/** What a query lists in a database, by name. */
export async function catalogueOf(url: string, sql: string): Promise<Record<string, object>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`${sql} order by 1`);
    return Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest]));
  } finally {
    await client.end();
  }
}
