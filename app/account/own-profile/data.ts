import { queryOptions } from '@tanstack/react-query';
import { DECLARATION_VERSION } from '#app/account/credentials/rules.ts';
import { dataOf, functionMessage, readAnswer, throwUnlessThere } from '#app/errors.ts';
import type { Client, ClientSource } from '#app/supabase.ts';
import { chosenLanguage } from '#app/ui/languages/language-choice.tsx';
import type { ProfileForm } from './form-schema.ts';
import { looksLikeEmail } from './rules.ts';

/** The member’s own profile, as its page shows it and its form changes it; null before there is one. */
export const ownProfileQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'profile', userId],
    queryFn: async () => {
      const db = await client();
      return dataOf(
        await db
          .from('profiles')
          .select(
            'username,full_name,profession,workplace,location,bio,bio_language,interests,avatar_url,registration_level,registration_register,registration_checked_on,orcid,declarations:member_declarations(text_version)',
          )
          .eq('id', userId)
          .maybeSingle(),
      );
    },
  });

/** The name that a provider gives of the person who signed in by it; blank when it gives none. */
export const providerNameQuery = (client: ClientSource, userId: string) =>
  queryOptions({
    queryKey: ['account', 'provider-name', userId],
    queryFn: async (): Promise<string> => {
      const { data } = await (await client()).auth.getSession();
      const { full_name, name } = data.session?.user.user_metadata ?? {};
      return [full_name, name].find((given) => typeof given === 'string' && !looksLikeEmail(given)) ?? '';
    },
  });

/** Stores that the member declared who they are, with the version of the wording they saw. */
export async function declareProfessional(db: Client, userId: string): Promise<void> {
  throwUnlessThere(
    await db.from('member_declarations').insert({
      user_id: userId,
      statement: 'adult_healthcare_professional',
      text_version: DECLARATION_VERSION,
    }),
  );
}

/** Why the member cannot have these names: taken, reserved or passing for staff; null where nothing is in the way. */
export async function nameRefusals(
  db: Client,
  username: string,
  fullName: string,
): Promise<{ username: string | null; full_name: string | null }> {
  const answer = await readAnswer(db.rpc('name_refusals', { username, full_name: fullName }), (z) =>
    z.object({ username_refusal: z.nullable(z.string()), full_name_refusal: z.nullable(z.string()) }),
  );
  return { username: answer.username_refusal, full_name: answer.full_name_refusal };
}

/** Uploads a photo as the avatar and returns its URL. */
export async function uploadAvatar(db: Client, userId: string, file: File): Promise<string> {
  const form = new FormData();
  form.set('userId', userId);
  form.set('file', file);
  const { data, error } = await db.functions.invoke<{ avatarUrl: string }>('process-avatar-upload', {
    body: form,
  });
  if (error || !data) throw new Error(await functionMessage(error, 'Your photo couldn’t be uploaded'));
  return data.avatarUrl;
}

/** Shows an uploaded photo as the avatar; the photo it had is removed from storage. */
export async function setAvatar(db: Client, userId: string, avatarUrl: string): Promise<void> {
  dataOf(await db.from('profiles').update({ avatar_url: avatarUrl }).eq('id', userId));
}

/** Stores the profile form, but for the photo, which is uploaded once the profile is completed. */
export async function saveProfile(db: Client, userId: string, form: ProfileForm): Promise<void> {
  const { interests, declared: _declared, bio_language, ...fields } = form;
  const { error } = await db.from('profiles').upsert({
    id: userId,
    ...fields,
    bio_language: form.bio ? chosenLanguage(bio_language, form.bio) : null,
    interests: interests.join(', '),
    updated_at: new Date().toISOString(),
  });
  if (error?.code === '23505') throw new Error('This username is already taken');
  if (error) throw error;
}
