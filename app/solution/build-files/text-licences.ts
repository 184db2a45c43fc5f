import { licences } from './kinds.ts';

const OWN = [{ name: 'All rights reserved', says: 'Others can read it here, but not copy it' }] as const;

/** What an author can choose for texts, images and videos, the first preset; with the deed of each that has one. */
export const textLicences: readonly { name: string; says: string; url?: string }[] = [...licences, ...OWN];

/** The deed of a licence by which others can copy texts and images; undefined where they can’t. */
export const deedOf = (licence: string | null): string | undefined =>
  textLicences.find(({ name }) => name === licence)?.url;

/** The short name of a Creative Commons licence in the list of SPDX. */
export const spdxOf = (licence: string): string => licence.replaceAll(' ', '-');
