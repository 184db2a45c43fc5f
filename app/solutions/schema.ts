import { z } from '#app/zod.ts';
import {
  ageGroups,
  amputationLevels,
  costRanges,
  functionalCapabilities,
  materials,
  prosthesisTypes,
} from './options.ts';

const shortestTitle = 10;
export const longestTitle = 150;
export const shortestDescription = 50;
export const longestDescription = 10_000;
export const longestSection = 5000;
const mostTags = 20;
export const longestTag = 40;
export const mostMedia = 20;

const oneOf = (values: readonly string[], message: string) =>
  z.string().refine((value) => values.includes(value), message);
const section = z.string().max(longestSection, `Please keep this under ${longestSection} characters`);

/** The submission form with the specification's messages; in the order of the page, which the summary follows. */
export const solutionSchema = z.object({
  title: z
    .string()
    .trim()
    .min(shortestTitle, `Title must be at least ${shortestTitle} characters`)
    .max(longestTitle, `Title must be at most ${longestTitle} characters`),
  description: z
    .string()
    .trim()
    .min(shortestDescription, `Description must be at least ${shortestDescription} characters`)
    .max(longestDescription, `Description must be at most ${longestDescription} characters`),
  functionInMind: oneOf(functionalCapabilities, 'Please select a function'),
  amputationLevel: oneOf(amputationLevels, 'Please select amputation level'),
  prosthesisType: oneOf(prosthesisTypes, 'Please select prosthesis type'),
  costRange: oneOf(costRanges, 'Please select cost range'),
  ageGroup: z.array(z.enum(ageGroups)).min(1, 'Please select at least one age group'),
  materials: z.array(z.enum(materials)),
  customTags: z.array(z.string()).max(mostTags, `Please use at most ${mostTags} tags`),
  durabilityTesting: section,
  patientOutcomes: section,
  challengesOvercome: section,
  consent: oneOf(
    ['patient_written', 'guardian_written', 'nobody_recognisable'],
    'Please choose a consent statement',
  ),
});

export type SolutionForm = z.infer<typeof solutionSchema>;

export const emptySolution: SolutionForm = {
  title: '',
  description: '',
  functionInMind: '',
  amputationLevel: '',
  prosthesisType: '',
  costRange: '',
  ageGroup: [],
  materials: [],
  customTags: [],
  durabilityTesting: '',
  patientOutcomes: '',
  challengesOvercome: '',
  consent: '',
};

/** Adds what was typed to the tags: trimmed, not empty, not twice. */
export function addTag(tags: string[], typed: string): string[] {
  const tag = typed.trim().slice(0, longestTag).trim();
  return tag && !tags.includes(tag) && tags.length < mostTags ? [...tags, tag] : tags;
}

/** Adds several at once, as they are pasted: set apart by commas or lines. */
export function addTags(tags: string[], typed: string): string[] {
  return typed.split(/[,\n\r]+/).reduce(addTag, tags);
}

export const acceptedTypes = ['image/jpeg', 'image/png', 'image/webp', 'video/mp4', 'video/webm'];

const megabyte = 1024 * 1024;
const limits = {
  image: { bytes: 10 * megabyte, tooBig: 'Image Too Large', says: 'Images must be under 10MB.' },
  video: { bytes: 50 * megabyte, tooBig: 'Video Too Large', says: 'Videos must be under 50MB.' },
};

/** Why a file cannot be taken, as title and text, or null. The server looks again, at the bytes. */
export function refusalOf(file: {
  name: string;
  type: string;
  size: number;
}): { title: string; text: string } | null {
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name)) {
    return {
      title: 'Invalid Image Format',
      text: `${file.name}: Only JPEG, PNG, and WebP images are accepted. This is an HEIC picture; save it as JPEG and choose it again.`,
    };
  }
  const kind = mediaKind(file.type);
  if (!acceptedTypes.includes(file.type)) {
    return kind === 'video'
      ? { title: 'Invalid Video Format', text: `${file.name}: Only MP4 and WebM videos are accepted.` }
      : {
          title: 'Invalid Image Format',
          text: `${file.name}: Only JPEG, PNG, and WebP images are accepted.`,
        };
  }
  const { bytes, tooBig, says } = limits[kind];
  return file.size >= bytes ? { title: tooBig, text: `${file.name}: ${says}` } : null;
}

export function mediaKind(type: string): 'image' | 'video' {
  return type.startsWith('video/') ? 'video' : 'image';
}
