import { describe, expect, it } from 'vitest';
import { articleOf, citationTags, dataciteOf, itemsOf, linkHeader, recordOf, signposts } from './record.ts';

const ID = '0a1b2c3d-0000-4000-8000-000000000000';
const SOURCE = '1a1b2c3d-0000-4000-8000-000000000000';
const author = {
  id: SOURCE,
  username: 'amara',
  full_name: 'Amara\u202E Okafor',
  profession: null,
  avatar_url: null,
  registration_level: null,
  registration_register: null,
  registration_checked_on: null,
  orcid: null,
  earned: [],
};
const published = (version: number) => ({
  version,
  published_at: `2026-1${version}-12T23:30:00Z`,
  change_note: null,
  removed_at: null,
});
const solution = {
  id: ID,
  user_id: SOURCE,
  author,
  versions: [published(2), published(1)],
  safety_kind: null,
};
const content = {
  title: 'Violin bow adapter',
  description: 'Holds a bow.',
  amputation_level: 'Transradial (Below Elbow)',
  prosthesis_type: 'Passive',
  occupation: '',
  custom_tags: ['violin'],
  licence: 'CC BY-SA 4.0',
  language: 'en',
};
const recordAt = (version: number, changes = {}) =>
  recordOf('https://example.org', { ...solution, ...changes }, version, content, [SOURCE]);

describe('the record of a version', () => {
  const record = recordAt(2);
  if (!record) throw new Error('There is a version 2.');

  it('names author, days and permanent address for reference managers', () => {
    expect(Object.fromEntries(citationTags(record).map(({ name, content }) => [name, content]))).toEqual({
      citation_title: 'Violin bow adapter',
      citation_author: 'Amara Okafor',
      citation_publication_date: '2026/12/12',
      citation_language: 'en',
      citation_publisher: 'Limb Commons',
      citation_public_url: `https://example.org/solutions/${ID}/versions/2`,
    });
  });

  it('says what readers are warned of in each form, and leaves the title as it is', () => {
    const recalled = recordAt(2, { safety_kind: 'part_recall' });
    if (!recalled) throw new Error('There is a version 2.');
    const said = 'Safety notice: Do not use a part of it. Holds a bow.';
    expect(citationTags(recalled)).toContainEqual({ name: 'citation_abstract', content: said });
    expect(articleOf(recalled)).toMatchObject({ headline: 'Violin bow adapter', description: said });
    expect(dataciteOf(recalled, 'Our Clinic')).toMatchObject({
      titles: [{ title: 'Violin bow adapter' }],
      descriptions: [
        { description: 'Safety notice: Do not use a part of it', descriptionType: 'Other' },
        { description: 'Holds a bow.', descriptionType: 'Abstract' },
      ],
    });
  });

  it('says for search engines when it was first published and changed, and what it is based on', () => {
    expect(articleOf(record)).toMatchObject({
      version: '2',
      datePublished: '2026-11-12T23:30:00Z',
      dateModified: '2026-12-12T23:30:00Z',
      isBasedOn: [`https://example.org/solutions/${SOURCE}`],
      keywords: ['Transradial (Below Elbow)', 'Passive', 'violin'],
      author: { name: 'Amara Okafor', url: 'https://example.org/members/amara' },
    });
  });

  it('leads in DataCite’s terms to the solution, the version before and what it is based on', () => {
    expect(dataciteOf(record, 'Our Clinic').relatedIdentifiers).toEqual(
      [
        ['IsVersionOf', `https://example.org/solutions/${ID}`],
        ['IsNewVersionOf', `https://example.org/solutions/${ID}/versions/1`],
        ['IsDerivedFrom', `https://example.org/solutions/${SOURCE}`],
      ].map(([relationType, relatedIdentifier]) => ({
        relatedIdentifier,
        relatedIdentifierType: 'URL',
        relationType,
      })),
    );
    const earlier = recordAt(1);
    expect(earlier && dataciteOf(earlier, 'Our Clinic').relatedIdentifiers).toContainEqual({
      relatedIdentifier: `https://example.org/solutions/${ID}/versions/2`,
      relatedIdentifierType: 'URL',
      relationType: 'IsPreviousVersionOf',
    });
  });

  it('says under which licence texts and images are, for those who have one', () => {
    const deed = 'https://creativecommons.org/licenses/by-sa/4.0/';
    expect(articleOf(record)).toMatchObject({ license: deed });
    expect(dataciteOf(record, 'Our Clinic').rightsList).toMatchObject([
      { rights: 'CC BY-SA 4.0', rightsUri: deed, rightsIdentifier: 'CC-BY-SA-4.0' },
    ]);
    expect(signposts(record)).toContainEqual([deed, 'license']);
    const reserved = { ...record, licence: 'All rights reserved' };
    expect(articleOf(reserved)).not.toHaveProperty('license');
    expect(dataciteOf(reserved, 'Our Clinic').rightsList).toEqual([{ rights: 'All rights reserved' }]);
    expect(dataciteOf({ ...record, licence: null }, 'Our Clinic')).not.toHaveProperty('rightsList');
  });

  it('names the author’s ORCID iD where they show it', () => {
    const shown = recordAt(2, { author: { ...author, orcid: '0000-0002-1825-0097' } });
    if (!shown) throw new Error('There is a version 2.');
    const address = 'https://orcid.org/0000-0002-1825-0097';
    expect(citationTags(shown)).toContainEqual({ name: 'citation_author_orcid', content: address });
    expect(articleOf(shown)).toMatchObject({ author: { '@id': address, sameAs: address } });
    expect(dataciteOf(shown, 'Our Clinic').creators).toMatchObject([
      { name: 'Amara Okafor', nameIdentifiers: [{ nameIdentifier: address, nameIdentifierScheme: 'ORCID' }] },
    ]);
    expect(signposts(shown)).toContainEqual([address, 'author']);
    const said = [
      citationTags(record),
      articleOf(record),
      dataciteOf(record, 'Our Clinic'),
      signposts(record),
    ];
    expect(JSON.stringify(said)).not.toContain('orcid');
  });

  it('does not name a member who has left', () => {
    const left = recordAt(2, { user_id: null, author: { ...author, orcid: '0000-0002-1825-0097' } });
    if (!left) throw new Error('There is a version 2.');
    expect(articleOf(left)).not.toHaveProperty('author');
    expect(citationTags(left).map(({ name }) => name)).not.toContain('citation_author');
    expect(dataciteOf(left, 'Our Clinic').creators).toEqual([{ name: ':unal' }]);
    expect(signposts(left).map(([, rel]) => rel)).not.toContain('author');
  });

  it('is of versions that there are', () => {
    expect([recordAt(0), recordAt(3)]).toEqual([null, null]);
  });

  describe('and its files', () => {
    const zip = `https://example.org/functions/v1/download-solutions?solution=${ID}`;
    const stored = '/storage/v1/object/public/solution-media/1/plan.pdf';
    const file = (stored_url: string, file_url = stored_url) =>
      ({ stored_url, file_url, file_type: 'pdf' }) as Parameters<typeof itemsOf>[1]['files'][number];

    it('are all in one ZIP, and each with its type once everyone can open it', () => {
      const waiting = '/storage/v1/object/authenticated/pending-media/1/plan.pdf';
      const files = [file(stored), file(waiting, '/storage/v1/object/sign/pending-media/1/plan.pdf?token=x')];
      expect(itemsOf(record, { id: ID, files })).toEqual([
        [zip, 'item', 'application/zip'],
        [`https://example.org${stored}`, 'item', 'application/pdf'],
      ]);
      expect(itemsOf(record, { id: ID, files: [file(`https://project.example${stored}`)] })[1]?.[0]).toBe(
        `https://project.example${stored}`,
      );
    });

    it('are not those of an earlier version, of which none are kept', () => {
      const earlier = recordAt(1);
      expect(earlier && itemsOf(earlier, { id: ID, files: [file(stored)] })).toEqual([]);
    });

    it('are the ZIP alone where the header would be too long', () => {
      const files = (count: number) =>
        Array.from({ length: count }, (_, at) => file(stored.replace('/1/', `/${'a'.repeat(80)}${at}/`)));
      const headerOf = (count: number) =>
        linkHeader(signposts(record), itemsOf(record, { id: ID, files: files(count) })).link;
      expect(headerOf(10).match(/rel="item"/g)).toHaveLength(11);
      const cut = headerOf(30);
      expect(cut.match(/<[^>]+>; rel="item"[^,]*/g)).toEqual([
        `<${zip}>; rel="item"; type="application/zip"`,
      ]);
      expect(cut).toContain('rel="cite-as"');
      expect(Buffer.byteLength(headerOf(10))).toBeLessThanOrEqual(4096);
    });
  });

  it('can put nothing else into a header', () => {
    const { link } = linkHeader([['https://example.org/a>; rel="next"\r\nX-Evil: 1', 'cite-as']]);
    expect(link).toBe('<https://example.org/a%3E;%20rel=%22next%22%0D%0AX-Evil:%201>; rel="cite-as"');
  });
});
