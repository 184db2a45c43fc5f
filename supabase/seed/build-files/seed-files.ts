import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { idOf, must } from '../rows.ts';
import { demoFiles } from './demo-files.ts';
import { RENDERED, type RenderedFile } from './rendered-file.ts';

/** Stores the build files of a demo solution as processing makes them, which is done in advance. */
export async function seedFiles(
  client: SupabaseClient,
  solution: { id: string; title: string; author: string; isPublic: boolean },
): Promise<void> {
  const bucket = solution.isPublic ? 'solution-media' : 'pending-media';
  const access = solution.isPublic ? 'public' : 'authenticated';
  for (const [position, demo] of (demoFiles[solution.title] ?? []).entries()) {
    const folder = join(RENDERED, demo.name);
    const { files, file } = JSON.parse(await readFile(join(folder, 'rendered.json'), 'utf8')) as RenderedFile;
    const path = `${solution.author}/${idOf(solution.title, 'file', position)}`;
    let size = 0;
    for (const [index, name] of files.entries()) {
      const body = await readFile(join(folder, name));
      if (index === 0) size = body.length;
      const contentType = name.endsWith('.webp') ? 'image/webp' : 'application/octet-stream';
      await must(
        client.storage
          .from(bucket)
          .upload(`${path}/${name}`, body, { contentType, upsert: true, cacheControl: '31536000' }),
      );
    }
    await must(
      client.from('solution_files').insert({
        id: idOf(solution.title, 'file', position, 'row'),
        solution_id: solution.id,
        position,
        file_url: `/storage/v1/object/${access}/${bucket}/${path}/${files[0]}`,
        file_name: demo.name,
        file_type: file.type,
        byte_size: size,
        licence: demo.licence ?? 'CC BY 4.0',
        description: demo.description,
        facts: file.facts,
        previews: files.slice(1),
        page_texts: file.pageTexts,
        downloads: demo.downloads,
      }),
    );
  }
}
