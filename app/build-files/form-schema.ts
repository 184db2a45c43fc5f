import type { Json } from '#app/database.types.ts';
import { z } from '#app/zod.ts';
import { leftOutText } from './build-file.ts';
import { licences, MAX_FILES } from './kinds.ts';

export const MAX_DESCRIPTION = 500;

const fields = z.object({
  /** Its own while the form is open. */
  key: z.string(),
  /** As the server stores it; empty while the file is on its way. */
  url: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  /** What processing did not keep, in words. */
  leftOut: z.optional(z.string()),
  licence: z.string(),
  description: z.string(),
});

/** A build file of the form. */
export type FileForm = z.infer<typeof fields>;

const file = fields.check(({ value, issues }) => {
  const problem = (field: keyof FileForm, message: string) =>
    issues.push({ code: 'custom', path: [field], message, input: value[field] });
  if (value.url === '') problem('url', 'Wait until the file is uploaded, or remove it');
  if (!licences.some(({ name }) => name === value.licence))
    problem('licence', 'Choose one of the listed licences');
  if (value.description.length > MAX_DESCRIPTION)
    problem('description', `Use at most ${MAX_DESCRIPTION} characters`);
});

export const filesSchema = z
  .array(file)
  .check(z.maxLength(MAX_FILES, `A solution can have at most ${MAX_FILES} build files`));

/** As a draft keeps it: a file that did not arrive must be chosen again. */
export const draftFilesSchema = z.pipe(
  z.array(fields),
  z.transform((files: FileForm[]) => files.filter(({ url }) => url !== '')),
);

/** The build files as `submit_solution` takes them. */
export const fileRows = (files: FileForm[]) =>
  files.map(({ url, licence, description }) => ({ file_url: url, licence, description }));

/** A stored build file as the form shows it for a change. */
export const chosenFile = (row: {
  id: string;
  stored_url: string;
  file_name: string;
  file_type: string;
  byte_size: number;
  facts: Json;
  licence: string;
  description: string | null;
}): FileForm => ({
  key: row.id,
  url: row.stored_url,
  name: row.file_name,
  type: row.file_type,
  size: row.byte_size,
  leftOut: leftOutText(row.facts) ?? '',
  licence: row.licence,
  description: row.description ?? '',
});
