import { SITE_NAME } from '#app/site.ts';

const title = `Moving ${SITE_NAME} to a Supabase project`;

/** Lies beside an export. */
export const README = `${title}
${'='.repeat(title.length)}

data.sql        accounts with their password hashes, and all rows of the site
objects.jsonl   what lies in storage/, one object a line
storage/        pictures, clips and avatars, by bucket and name

These files hold what members entrusted to the site. Delete them when the move is done.

1. Make a project, and install the Supabase CLI. In the folder of the same version of ${SITE_NAME}:

     supabase link --project-ref REF
     supabase db push
     supabase config push

2. Let nobody write to the old site from here on, or make the export again after you have stopped it.

3. Bring in the rows, with the connection string that the project's page shows ("Connect", session pooler or direct):

     psql "CONNECTION STRING" --set ON_ERROR_STOP=1 --file data.sql

   It is one transaction and wants a project without accounts: when it fails, nothing has happened. A small data.sql
   can be run in the project's SQL editor instead.

4. Bring in the files, with the three SUPABASE_ settings of .env.example set to the project's. It may be repeated:

     npm run export -- THIS_FOLDER --upload

5. Set up mail (SMTP) and, if members sign in with it, Google in the project's settings.

6. Start the site with the three SUPABASE_ settings: it serves pages and functions, the project everything else.

Members keep their passwords and sign in anew, since the keys of their sessions are not the project's. Second steps
(authenticator apps, recovery codes) are encrypted with a key of the old site and are set up anew; remember that
moderators may need one. Identity providers of organisations (SAML) are added to the project anew. Mail that was
waiting is sent by the new site.
`;
