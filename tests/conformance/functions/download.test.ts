import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { unzipSync } from 'fflate';
import { parse } from 'smol-toml';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileName } from '../../../supabase/functions/download-solutions/contents.ts';
import { isRemoved } from '../../../supabase/functions/is-removed.ts';
import { seedDemoData } from '../../../supabase/seed/seed.ts';
import { operator, person } from '../auth/fixtures.ts';
import { ownBackend } from '../own-backend.ts';

const { backend, database } = await ownBackend();
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

let solution: { id: string; title: string; user_id: string };
const address = (query: string) => `${backend.url}/functions/v1/download-solutions?${query}`;
const ask = (query: string, init: RequestInit = {}) => fetch(address(query), { redirect: 'manual', ...init });
const filesIn = async (response: Response) => unzipSync(new Uint8Array(await response.arrayBuffer()));
const change = (columns: string) =>
  database.query(`update public.solutions set ${columns} where id = $1`, [solution.id]);
const byForm = (field: string, id: string, token: string) =>
  ask('', { method: 'POST', body: new URLSearchParams({ [field]: id, access_token: token }) });

beforeAll(async () => {
  await seedDemoData(operator(backend));
  const found = await database.query(
    `select s.id, s.title, s.user_id from public.solutions s where s.status = 'approved' and s.audience = 'public'
     and exists (select from public.solution_files f where f.solution_id = s.id)
     and exists (select from public.solution_media m where m.solution_id = s.id)
     and exists (select from public.solution_parts p where p.solution_id = s.id) order by s.title limit 1`,
  );
  solution = found.rows[0];
  await change("licence = 'CC BY-SA 4.0'");
  await database.query(
    `update public.solution_files set file_name = 'bracket #2 50%' || substring(file_name from '[.][a-z0-9]+$') where solution_id = $1`,
    [solution.id],
  );
});

describe('a solution', () => {
  it('comes whole: what is stored byte by byte, its texts, parts, reference and manifest', async () => {
    const response = await ask(`solution=${solution.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const files = await filesIn(response);
    const { rows: stored } = await database.query(
      `select media_url as url from public.solution_media where solution_id = $1 and trial_id is null and hidden_at is null
       union all select file_url from public.solution_files where solution_id = $1`,
      [solution.id],
    );
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    const taken = Object.entries(files).filter(([name]) => /^(images|videos|files)\//.test(name));
    const kept = await Promise.all(
      stored.map(async ({ url }) => new Uint8Array(await (await fetch(backend.url + url)).arrayBuffer())),
    );
    expect(taken.map(([, bytes]) => digest(bytes)).toSorted()).toEqual(kept.map(digest).toSorted());
    const page = text(files['read-me.html']);
    expect(page).toContain(solution.title);
    expect(page).toContain(`/solutions/${solution.id}`);
    for (const [, name = ''] of page.matchAll(/(?:src|href)="((?:images|videos|files)\/[^"]+)"/g))
      expect(Object.keys(files)).toContain(
        decodeURIComponent(new URL(name, 'https://example.org/').pathname.slice(1)),
      );
    expect(text(files['citation.bib'])).toContain(`/solutions/${solution.id}/versions/1`);
    expect(text(files['parts.csv'])).toMatch(
      /^\uFEFF?component,maker,part_number,quantity,cost,link,currency\r\n/,
    );
    const manifest = parse(text(files['okh.toml']));
    expect(manifest).toMatchObject({ okhv: '2.4', name: solution.title, version: '1', bom: 'parts.csv' });
    expect(manifest.license).toContain('CC-BY-SA-4.0');
    for (const name of [manifest.export, manifest.image].flat()) expect(Object.keys(files)).toContain(name);
  });

  it('that was broken off goes on from there, unless something has changed', async () => {
    const whole = await ask(`solution=${solution.id}`);
    const bytes = new Uint8Array(await whole.arrayBuffer());
    expect(Number(whole.headers.get('content-length'))).toBe(bytes.length);
    const tag = whole.headers.get('etag') ?? '';
    const start = Math.floor(bytes.length / 2);
    const range = { range: `bytes=${start}-`, 'if-range': tag };
    const rest = await ask(`solution=${solution.id}`, { headers: range });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
    ]);
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(start))).toBe(true);
    const past = await ask(`solution=${solution.id}`, { headers: { range: `bytes=${bytes.length}-` } });
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    await change("description = description || ' More.'");
    const changed = await ask(`solution=${solution.id}`, { headers: range });
    expect(changed.status).toBe(200);
    expect(Object.keys(await filesIn(changed))).toContain('read-me.html');
    const head = await ask(`solution=${solution.id}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('whose author keeps the rights comes without texts, images and videos, and says so', async () => {
    for (const licence of ['null', "'All rights reserved'"]) {
      await change(`licence = ${licence}`);
      const files = await filesIn(await ask(`solution=${solution.id}`));
      const names = Object.keys(files);
      expect(names.filter((name) => /^(images|videos)\/|^parts/.test(name))).toEqual([]);
      expect(names.filter((name) => name.startsWith('files/'))).not.toEqual([]);
      const { rows } = await database.query('select description from public.solutions where id = $1', [
        solution.id,
      ]);
      const page = text(files['read-me.html']);
      expect(page).toContain('The author keeps the rights');
      expect(page).not.toContain('Measured outcomes');
      expect(page + text(files['okh.toml'])).not.toContain(rows[0].description.slice(0, 60));
    }
    await change("licence = 'CC BY-SA 4.0'");
  });

  it('begins with its safety notices', async () => {
    await database.query(
      "insert into public.safety_notices (solution_id, user_id, kind, content) values ($1, $2, 'recall', 'The <clamp> breaks.')",
      [solution.id, solution.user_id],
    );
    const page = text((await filesIn(await ask(`solution=${solution.id}`)))['read-me.html']);
    expect(page.indexOf('The &lt;clamp&gt; breaks.')).toBeGreaterThan(0);
    expect(page.indexOf('The &lt;clamp&gt; breaks.')).toBeLessThan(page.indexOf('<h1'));
  });

  it('comes in each language into which this version is translated, with who translated it', async () => {
    const { rows } = await database.query(
      `select n.name, n.original, m.id as translator, m.full_name
       from public.solution_versions v cross join private.translatable_texts(v.content) n,
         (select p.id, p.full_name from public.profiles p where p.full_name is not null order by p.full_name limit 1) m
       where v.solution_id = $1 and v.version = 1`,
      [solution.id],
    );
    const texts = Object.fromEntries(rows.map(({ name, original }) => [name, `«${original}»`]));
    await database.query(
      `insert into public.solution_translations (solution_id, version, language, user_id, status, texts)
       values ($1, 1, 'fr', $2, 'approved', $3), ($1, 1, 'de', $2, 'pending', $3)`,
      [solution.id, rows[0].translator, JSON.stringify(texts)],
    );
    const files = await filesIn(await ask(`solution=${solution.id}`));
    expect(Object.keys(files).filter((name) => name.startsWith('read-me'))).toEqual([
      'read-me.html',
      'read-me.fr.html',
    ]);
    const page = text(files['read-me.fr.html']);
    expect(page).toContain(`<h1 lang="fr" dir="ltr">«${solution.title}»</h1>`);
    expect(page).toContain(`Translated into French by <bdi>${rows[0].full_name}</bdi>.`);
    for (const { original } of rows)
      expect(page.replaceAll('&quot;', '"').replaceAll('&#39;', "'")).toContain(`«${original}»`);
    await database.query('delete from public.solution_translations where solution_id = $1', [solution.id]);
  });

  it('comes with a translation of an earlier version, which says that it is out of date, as that version was licensed', async () => {
    const languages = async () =>
      Object.keys(await filesIn(await ask(`solution=${solution.id}`))).filter((name) =>
        name.startsWith('read-me.'),
      );
    const licensed = (licence: string | null) =>
      database.query(
        `update public.solution_versions set content = content || jsonb_build_object('licence', $2::text, 'title', 'As it was called')
         where solution_id = $1 and version = 1`,
        [solution.id, licence],
      );
    await database.query('set session_replication_role = replica');
    await licensed('CC BY 4.0');
    await database.query(
      `insert into public.solution_translations (solution_id, version, language, user_id, status, texts)
       values ($1, 1, 'es', $2, 'approved', '{"title": "Como era", "description": "Lo que decía."}')`,
      [solution.id, solution.user_id],
    );
    await database.query(
      `insert into public.solution_versions (solution_id, version, content, audience, change_note)
       select solution_id, 2, content || '{"title": "As it is called now"}', audience, 'Longer' from public.solution_versions
       where solution_id = $1 and version = 1`,
      [solution.id],
    );
    await change("version = 2, title = 'As it is called now'");
    try {
      const files = await filesIn(await ask(`solution=${solution.id}`));
      const page = text(files['read-me.es.html']);
      expect(page).toContain('Como era');
      expect(page).toContain('This translation is out of date.');
      expect(page).toContain('It is of version 1, and the original is at version 2.');
      expect(page).toContain('[As it was called]. Version 1.');
      expect(page).toContain('<img src="images/1.webp"');
      expect(page).not.toContain('Measured outcomes');
      expect(text(files['read-me.html'])).not.toContain('out of date');
      await licensed(null);
      expect(await languages()).toEqual(['read-me.html']);
      await licensed('CC BY 4.0');
      expect(await languages()).toEqual(['read-me.html', 'read-me.es.html']);
      await database.query(
        'update public.solution_versions set content = null, removed_at = now() where solution_id = $1 and version = 1',
        [solution.id],
      );
      expect(await languages()).toEqual(['read-me.html']);
    } finally {
      await database.query('delete from public.solution_translations where solution_id = $1', [solution.id]);
      await change('version = 1');
      await database.query('set session_replication_role = origin');
    }
  });

  it('of members comes to a member’s form and leads everyone else to its page', async () => {
    await change("audience = 'members'");
    const { client } = await person(backend, database);
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const taken = await byForm('solution', solution.id, token);
    expect(taken.status).toBe(200);
    expect(text((await filesIn(taken))['read-me.html'])).toContain('Members can see this solution.');
    const page = expect.stringMatching(new RegExp(`/solutions/${solution.id}$`));
    for (const refused of [
      await ask(`solution=${solution.id}`),
      await byForm('solution', solution.id, ''),
      await byForm('solution', solution.id, 'forged'),
      // An address is kept in histories and logs.
      await ask(`solution=${solution.id}&access_token=${token}`),
    ])
      expect([refused.status, refused.headers.get('location')]).toEqual([303, page]);
    await change("audience = 'public'");
  });

  it('with what cannot be asked for leads to its page, or is refused, and nothing is read', async () => {
    for (const query of [
      '',
      'solution=x',
      'solution=0a1b2c3d-0000-4000-8000-000000000000',
      'collection=x%0d%0a',
    ])
      expect([query, (await ask(query)).status]).toEqual([query, 303]);
    const large = await ask('', { method: 'POST', body: 'x'.repeat(20_000) });
    expect(large.status).toBe(413);
    expect((await ask(`solution=${solution.id}`, { method: 'DELETE' })).status).toBe(405);
  });
});

describe('a file that cannot be read', () => {
  const refused = (status: number, statusCode: string) => Response.json({ statusCode }, { status });

  it('is left out only where it was removed, and else ends the download', async () => {
    expect(await isRemoved(refused(400, '404'), '/a')).toBe(true);
    expect(await isRemoved(refused(404, '404'), '/a')).toBe(true);
    for (const answer of [refused(400, '403'), refused(429, '429'), new Response('busy', { status: 503 })])
      await expect(isRemoved(answer, '/a')).rejects.toThrow('/a could not be read');
  });
});

it('a name fits every file system, in every script', () => {
  const long = fileName(`${'कृत्रिम पैर के लिए '.repeat(12)}.stl`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(210);
  expect(long).toMatch(/^कृत्रिम .*\.stl$/);
  expect(long).not.toContain('\ufffd');
});

describe('a collection', () => {
  it('comes with a folder for each solution that the reader sees', async () => {
    const { client, id } = await person(backend, database);
    const { data: collection } = await client
      .from('collections')
      .insert({ title: 'For: the <bench>/..', user_id: id })
      .select('id')
      .single();
    const { rows } = await database.query(
      "select id from public.solutions where status = 'approved' and audience = 'public' order by title limit 3",
    );
    for (const { id: solution_id } of rows)
      await client
        .from('collection_items')
        .insert({ collection_id: collection?.id, user_id: id, solution_id });
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const taken = await byForm('collection', collection?.id, token);
    expect(taken.headers.get('content-disposition')).toContain('Limb Commons For the bench');
    const names = Object.keys(await filesIn(taken));
    const folders = new Set(names.map((name) => name.split('/')[0]));
    expect(folders.size).toBe(3);
    for (const folder of folders) expect(names).toContain(`${folder}/read-me.html`);
    expect((await ask(`collection=${collection?.id}`)).status).toBe(303);
    await client.from('collections').update({ is_shared: true }).eq('id', collection?.id);
    expect(Object.keys(await filesIn(await ask(`collection=${collection?.id}`)))).toEqual(names);
  });

  it('has no outcome of one patient without their written consent, which the page of its case alone tells', async () => {
    await change("licence = 'CC BY-SA 4.0'");
    const { client, id } = await person(backend, database);
    const { data: collection } = await client
      .from('collections')
      .insert({ title: 'Walking', user_id: id })
      .select('id')
      .single();
    await client
      .from('collection_items')
      .insert({ collection_id: collection?.id, user_id: id, solution_id: solution.id });
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const measured = async () => {
      const one = await filesIn(await ask(`solution=${solution.id}`));
      const many = await filesIn(await byForm('collection', collection?.id, token));
      const page = Object.keys(many).find((name) => name.endsWith('read-me.html')) ?? '';
      return [one['read-me.html'], many[page]].map((bytes) => text(bytes).includes('(TUG): 17.5'));
    };
    await database.query(
      "insert into public.solution_outcomes (solution_id, measure, score_after, people, position) values ($1, 'TUG', 17.5, 10, 9)",
      [solution.id],
    );
    expect(await measured()).toEqual([true, true]);
    // A statement is fixed once its solution was decided on; this one is as if it had said less from the start.
    await database.query(`alter table public.solution_consents disable trigger user;
      update public.solution_consents set basis = 'no_identifiable_person';
      alter table public.solution_consents enable trigger user`);
    await database.query(
      'update public.solution_outcomes set people = 1, solution_id = solution_id where score_after = 17.5',
    );
    expect(await measured()).toEqual([true, false]);
  });
});

it('a reader who leaves in the middle leaves nothing open', async () => {
  await new Promise<void>((resolve, reject) => {
    request(address(`solution=${solution.id}`), (response) => {
      response.once('data', () => {
        response.destroy();
        resolve();
      });
    })
      .once('error', reject)
      .end();
  });
  // The next one is answered whole.
  expect(Object.keys(await filesIn(await ask(`solution=${solution.id}`)))).toContain('read-me.html');
});
