import { expect, inject, it } from 'vitest';
import { CATALOGUE, catalogueOf } from './catalogue.ts';

// The other files of this layer are those whose tests depend on Supabase's own objects; the product's objects
// have the same definition in both places, so their tests need one of them.
it.each(Object.entries(CATALOGUE))(
  'a Supabase project ends with the same %s as our own database',
  async (_what, sql) => {
    const [project, site] = await Promise.all([
      catalogueOf(inject('clusterUrl'), sql),
      catalogueOf(inject('siteUrl') ?? '', sql),
    ]);
    expect(Object.keys(site).length).toBeGreaterThan(0);
    expect(project).toEqual(site);
  },
);
