import { siteName } from '#app/site.ts';
import { type EvidenceFilters, evidenceUrl, LICENCE_URL } from './data.ts';

const downloads = [
  { path: '/evidence/outcomes.csv', encodingFormat: 'text/csv' },
  { path: '/evidence/outcomes.json', encodingFormat: 'application/json' },
];

/**
 * The reported outcomes as schema.org describes a dataset, for searches of datasets.
 *
 * @param measure name of the one measure that is shown; all of them when undefined
 */
export const datasetOf = (
  origin: string,
  filters: EvidenceFilters,
  { name, description, measure }: { name: string; description: string; measure: string | undefined },
) => ({
  '@context': 'https://schema.org',
  '@type': 'Dataset',
  '@id': origin + evidenceUrl(filters),
  url: origin + evidenceUrl(filters),
  name,
  description,
  license: LICENCE_URL,
  isAccessibleForFree: true,
  creator: { '@type': 'Organization', name: siteName(), url: origin },
  variableMeasured: measure ?? 'Scores on standard outcome measures, before and after',
  distribution: downloads.map(({ path, encodingFormat }) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: origin + evidenceUrl(filters, path),
  })),
});
