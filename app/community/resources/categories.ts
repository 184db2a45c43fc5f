export const categories = [
  { name: 'Professional Organizations', slug: 'organizations' },
  { name: 'Educational Resources', slug: 'education' },
  { name: 'Research & Publications', slug: 'research' },
  { name: 'Design & Manufacturing Tools', slug: 'tools' },
  { name: 'Standards & Guidelines', slug: 'standards' },
  { name: 'Patient Resources', slug: 'patients' },
] as const;

export type CategoryName = (typeof categories)[number]['name'];

/** The category an address names; null for all of them. */
export function readCategory(params: URLSearchParams): CategoryName | null {
  return categories.find(({ slug }) => slug === params.get('category'))?.name ?? null;
}

/** The address that `readCategory` reads; null leads to all categories. */
export function resourcesUrl(name: CategoryName | null): string {
  const slug = categories.find((category) => category.name === name)?.slug;
  return slug ? `/resources?category=${slug}` : '/resources';
}
