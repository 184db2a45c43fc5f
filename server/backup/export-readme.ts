import { PRODUCT_NAME } from '#app/site.ts';
import { commandLine } from '../version.mjs';

const title = `Moving ${PRODUCT_NAME} to a Supabase project`;

/** Lies beside an export. */
export const README = `${title}
${'='.repeat(title.length)}

data.sql        accounts with their password hashes, and all rows of the site but those that follow from others
objects.jsonl   what lies in storage/, one object a line
storage/        pictures, clips and avatars, by bucket and name
contents.json   how many rows each table has, and how many files there are

These files hold what members entrusted to the site. Delete them when the move is done.

1. Make a project, and install the Supabase CLI, 2.106 or newer. In the folder of the same version of ${PRODUCT_NAME}, with
   the site's address, which the project puts into its mails and lets people return to:

     supabase link --project-ref REF
     supabase db push
     SITE_URL=https://limbs.example.org supabase config push

2. Let no one write to the old site from here on, or make the export again after you have stopped it.

3. Set these in .env. Those of the project are on its page "Connect" and in its API settings:

     NODE_ENV           production, or the site keeps its mail instead of sending it
     SITE_URL           the site's address
     SMTP_URL           the mail server of the site, which sends notifications itself
     SUPABASE_URL, SUPABASE_ANON_KEY, SUPABASE_SERVICE_ROLE_KEY
     SUPABASE_DB_URL    the connection string (session pooler or direct), with the password

4. Bring in rows and files, and have the result checked:

     ${commandLine('export', 'THIS_FOLDER --load')}

   The rows are one transaction and want a project without accounts: when it fails, nothing has happened. After an
   interruption, run it again. At the end it compares the rows of every table and all files with this folder, signs one
   member in by a link as mails carry it, and says whether that leads to the site. With --check instead of --load it
   only compares, which tells the truth until someone writes.

5. Set up mail (SMTP) for sign-in and, if members sign in with it, Google in the project's settings.

6. Start the site with these settings: it serves pages and functions, the project
   everything else. "supabase functions deploy" has nothing to do.

Members keep their passwords and sign in anew, since the keys of their sessions are not the project's. Second steps
(authenticator apps, recovery codes) are encrypted with a key of the old site and are set up anew; remember that
moderators may need one. Where the project has recovery codes switched off, the settings say so. Identity providers of organisations (SAML) are added to the project anew. Mail that was
waiting is sent by the new site.
`;
