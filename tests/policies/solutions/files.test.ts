import { describe, expect, it } from 'vitest';
import { brokenAmong, INVARIANTS } from '../../invariants.ts';
import { type Actor, openDatabase } from '../fixtures.ts';

const { as, ask, owner, column, value, approve, resubmit, revisionOf, ...world } = openDatabase();
const { solution, buildFile, moveFiles, jobs } = world;

type Listed = { file_url?: string; licence?: string; description?: string };

const submit = (files: unknown, actor: Actor = 'author') => world.submit({ files }, { actor });
const submitted = (...files: Listed[]) => world.submitted({ files });
const removed = () => value<string[]>("select object_names from media_jobs where object_names <> '{}'");
const stored = () =>
  owner<{
    id: string;
    file_url: string;
    licence: string;
    description: string | null;
    copy_of: string | null;
  }>(
    'select id, solution_id, file_url, file_name, licence, description, facts, downloads, copy_of from solution_files order by position',
  );
const visible = async (actor: Actor, id: string) =>
  (await as(actor, 'select id from solution_files where solution_id = $1', [id])).rowCount;

/** A published solution with these files. */
async function published(...files: Listed[]) {
  const id = await world.published({ files });
  await moveFiles(id);
  return id;
}

describe('the build files of a submission', () => {
  it('are stored in their order with what processing measured, and leave the uploads', async () => {
    const [drawing, guide] = [await buildFile(), await buildFile('author', 'guide.pdf')];
    const forged = { downloads: 900, file_name: 'x.exe' };
    await submit([
      { file_url: guide, licence: 'CC0 1.0', description: ' Step by step ', ...forged },
      { file_url: drawing },
    ]);
    expect(await stored()).toMatchObject([
      {
        file_url: guide,
        file_name: 'guide.pdf',
        licence: 'CC0 1.0',
        description: 'Step by step',
        facts: { pages: 2 },
        downloads: 0,
      },
      { file_url: drawing, file_name: 'clamp.pdf', licence: 'CC BY 4.0', description: null },
    ]);
    expect(await owner('select id from pending_uploads')).toEqual([]);
  });

  it.each([
    ['a licence in one’s own words', { licence: 'All rights reserved' }, 'Choose one of the listed licences'],
    [
      'a file of no upload',
      { file_url: '/storage/v1/object/public/solution-media/x/y.pdf' },
      'A build file must be a file you have uploaded. It expires after a day: choose it again.',
    ],
    [
      'no address',
      { file_url: undefined },
      'A build file must be a file you have uploaded. It expires after a day: choose it again.',
    ],
  ])('%s is refused, and nothing is lost', async (_name, wrong, message) => {
    const file_url = await buildFile();
    expect(await submit([{ file_url, ...wrong }])).toMatchObject({
      code: '23514',
      message: expect.stringContaining(message),
    });
    expect(await stored()).toEqual([]);
    expect(await owner('select id from pending_uploads')).toHaveLength(1);
    expect((await submit([{ file_url }])).rowCount).toBe(1);
  });

  it.each([[{}], ['x'], [['x']], [[null]]])('%j is no list of build files', async (files) => {
    expect(await submit(files)).toMatchObject({ code: '23514', message: 'Build files must be a list' });
    expect((await submit([])).rowCount).toBe(1);
  });

  it('are at most 10', async () => {
    const files = await Promise.all(
      Array.from({ length: 11 }, async () => ({ file_url: await buildFile() })),
    );
    expect(await submit(files)).toMatchObject({
      code: '23514',
      message: 'A solution can have at most 10 build files',
    });
    expect((await submit(files.slice(1))).rowCount).toBe(1);
    expect(await stored()).toHaveLength(10);
  });

  it('are the member’s own uploads, of build files, each once', async () => {
    const file_url = await buildFile('colleague');
    const { media_url } = await world.upload();
    for (const url of [file_url, media_url])
      expect(await submit([{ file_url: url }])).toMatchObject({ code: '23514' });
    expect((await submit([{ file_url }], 'colleague')).rowCount).toBe(1);
    expect(await submit([{ file_url }], 'colleague')).toMatchObject({ code: '23514' });
  });

  it('are written by their author’s submission alone, while it waits', async () => {
    const id = await published({ file_url: await buildFile() });
    const files = JSON.stringify([{ file_url: await buildFile() }]);
    for (const actor of ['author', 'colleague', 'moderator'] as const)
      expect(await as(actor, 'select private.set_files($1, $2)', [id, files])).toMatchObject({
        code: '42501',
      });
    expect(await stored()).toMatchObject([{ licence: 'CC BY 4.0', downloads: 0 }]);
  });

  it('are seen by everyone, and moved, once they are approved', async () => {
    const id = await submitted({ file_url: await buildFile() });
    await approve(id);
    expect(await visible('visitor', id)).toBe(1);
    expect(await jobs()).toEqual(['move']);
  });

  it('are searched for patient identifiers, their pages as well', async () => {
    const url = await buildFile();
    await owner(
      `update pending_uploads set made = made || jsonb_build_object('page_texts',
         array[repeat('Cast of the left arm. ', 20000), 'Call 020 7946 0018 about it'])`,
    );
    const id = await submitted({ file_url: url });
    expect(await ask('moderator', 'identifiers_found', [id])).toEqual(['phone number']);
  });

  it('are part of the author’s own data, and leave with their solution and its files', async () => {
    const id = await submitted({ file_url: await buildFile() });
    expect(await ask('author', 'export_account')).toMatchObject({
      solution_files: [{ solution_id: id, file_name: 'clamp.pdf' }],
    });
    expect(await ask('colleague', 'export_account')).toMatchObject({ solution_files: [] });
    await owner('delete from media_jobs');
    expect((await as('author', 'delete from solutions where id = $1', [id])).rowCount).toBe(1);
    expect((await removed()).map((name) => name.split('/').at(-1)).sort()).toEqual([
      'file.pdf',
      'page-1.webp',
      'page-2.webp',
    ]);
  });
});

describe('the files behind the rows', () => {
  it('are told to the jobs with those of pictures, and follow the solution’s state', async () => {
    const id = await published({ file_url: await buildFile() });
    const told = await owner<{ url: string; is_public: boolean }>('select * from files_of_solution($1)', [
      id,
    ]);
    expect(told.map(({ url, is_public }) => [url.split('/').at(-1), is_public])).toEqual([
      ['file.pdf', true],
      ['page-1.webp', true],
      ['page-2.webp', true],
    ]);
    expect(told.every(({ url }) => url.startsWith('/storage/v1/object/public/solution-media/'))).toBe(true);
  });

  it('that no one submits are given up after a day', async () => {
    await buildFile();
    const young = await buildFile();
    await owner("update pending_uploads set created_at = now() - interval '25 hours' where url <> $1", [
      young,
    ]);
    await owner('select expire_uploads()');
    expect(await column('select url from pending_uploads')).toEqual([young]);
    expect(await removed()).toHaveLength(3);
  });

  it('are withheld and given back by a removal request', async () => {
    const id = await published({ file_url: await buildFile() });
    const request = '00000000-0000-4000-8000-00000000000a';
    await ask('visitor', 'request_removal', [request, id, 'patient']);
    await as('moderator', "update removal_requests set status = 'hidden' where solution_id = $1", [id]);
    expect([await visible('visitor', id), await visible('moderator', id)]).toEqual([0, 1]);
    const told = () =>
      as('visitor', 'select withheld_media, withheld_files from solutions where id = $1', [id]);
    expect((await told()).rows).toEqual([{ withheld_media: 0, withheld_files: 1 }]);
    expect(await value('select is_public from files_of_solution($1) limit 1', [id])).toBe(false);
    expect(await value("select content -> 'files' from solution_versions")).toMatchObject([
      { removed: true },
    ]);
    await as(
      'moderator',
      "update removal_requests set status = 'kept', answer = 'Nobody is in it' where solution_id = $1",
      [id],
    );
    expect(await visible('visitor', id)).toBe(1);
    expect((await told()).rows).toEqual([{ withheld_media: 0, withheld_files: 0 }]);
    expect(await brokenAmong(INVARIANTS, (sql) => owner(sql))).toEqual([]);
  });
});

it('a removal request is over once the last build file that it names is gone', async () => {
  const id = await published(
    { file_url: await buildFile() },
    { file_url: await buildFile('author', 'b.pdf') },
  );
  await ask('visitor', 'request_removal', ['00000000-0000-4000-8000-00000000000b', id, 'patient']);
  const state = () => value('select status from removal_requests where solution_id = $1', [id]);
  await owner('delete from solution_files where position = 0');
  expect(await state()).toBe('received');
  await owner('delete from solution_files');
  expect(await state()).toBe('removed');
});

describe('a new version', () => {
  it('keeps, changes, adds and removes build files, and readers keep the published ones until then', async () => {
    const [kept, gone] = [await buildFile(), await buildFile('author', 'old.pdf')];
    const id = await published({ file_url: kept }, { file_url: gone });
    const before = await stored();
    const added = await buildFile('author', 'new.pdf');
    const changed = { licence: 'CC BY-SA 4.0', description: 'Now right' };
    await resubmit(id, { files: [{ file_url: added }, { file_url: kept, ...changed }] });
    expect(await visible('visitor', id)).toBe(2);
    const revision = await revisionOf(id);
    expect([await visible('author', revision), await visible('visitor', revision)]).toEqual([2, 0]);
    // The published file is still named.
    expect(await removed()).toBeUndefined();
    await approve(revision);
    expect(await stored()).toMatchObject([
      { solution_id: id, file_name: 'new.pdf' },
      { solution_id: id, id: before[0]?.id, ...changed, copy_of: null },
    ]);
    expect(await removed()).toHaveLength(3);
    const versions = await column(
      "select array(select coalesce(f ->> 'name', 'removed') from jsonb_array_elements(content -> 'files') f) from solution_versions order by version",
    );
    expect(versions).toEqual([
      ['clamp.pdf', 'removed'],
      ['new.pdf', 'clamp.pdf'],
    ]);
  });

  it('of a form that knows of no build files keeps them', async () => {
    const id = await published({ file_url: await buildFile() });
    await resubmit(id);
    await approve(id);
    expect(await stored()).toHaveLength(1);
  });
});

it('are found by their folder through an index, also for readers whose rows are filtered', async () => {
  // Without statistics, and with a table this small, only the choice between having an index and not having one is left.
  await owner('set local enable_seqscan = off');
  for (const actor of ['visitor', 'colleague', 'moderator'] as const) {
    const { rows } = await as<{ 'QUERY PLAN': string }>(
      actor,
      "explain (costs off) select from solution_files f where f.folder = '/storage/v1/object/authenticated/pending-media/x/'",
    );
    expect(rows.map((row) => row['QUERY PLAN']).join(' '), actor).toMatch(/Index Cond: \(folder/);
  }
});

describe('the count of downloads', () => {
  it('grows for public files alone, records no one, and not without end', async () => {
    const id = await published({ file_url: await buildFile() });
    const waiting = await submitted({ file_url: await buildFile() });
    const download = async (of: string, actor: Actor = 'visitor') =>
      ask(actor, 'count_download', [
        await value('select id from solution_files where solution_id = $1', [of]),
      ]);
    await download(id);
    await download(waiting);
    const counts = () => owner('select solution_id, downloads from solution_files order by downloads');
    expect(await counts()).toEqual([
      { solution_id: waiting, downloads: 0 },
      { solution_id: id, downloads: 1 },
    ]);
    for (let more = 0; more < 3; more++) await download(id);
    expect((await counts())[1]).toMatchObject({ downloads: 1 });
    await download(id, 'colleague');
    await download(id, 'author');
    expect((await counts())[1]).toMatchObject({ downloads: 2 });
    // The next minute.
    await owner("update private.rate_limit_counters set minute = minute - interval '1 minute'");
    await download(id);
    expect((await counts())[1]).toMatchObject({ downloads: 3 });
    expect(JSON.stringify(await owner('select * from private.rate_limit_counters'))).not.toContain(id);
    for (let more = 0; more < 70; more++) await ask('visitor', 'count_download', [crypto.randomUUID()]);
    await owner("delete from private.rate_limit_counters where action <> 'download'");
    await download(id);
    expect((await counts())[1]).toMatchObject({ downloads: 3 });
  });
});

it('the filter finds public solutions with build files', async () => {
  const browse = () => ask('visitor', 'browse_solutions', { filters: ['Has build files'] });
  await solution('approved');
  const id = await submitted({ file_url: await buildFile() });
  expect(await browse()).toMatchObject({ total: 0 });
  await approve(id);
  expect(await browse()).toMatchObject({ total: 1, items: [{ id, has_files: true }] });
});
