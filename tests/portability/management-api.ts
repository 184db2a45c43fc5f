import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** A project's reference, as the tool wants it. */
export const PROJECT = 'abcdefghijklmnopqrst';

interface Change {
  path: string;
  body: Record<string, unknown>;
}

/** The settings that the tool wants to see in an answer about sign-in, whatever their values. */
const authSettings = Object.fromEntries(
  readFileSync(join(import.meta.dirname, 'auth-settings.txt'), 'utf8')
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) => [name, null]),
);

/** A project as it is made, apart from the mail server that its operator has set up. */
const newProject = () => ({
  auth: {
    ...authSettings,
    site_url: 'http://localhost:3000',
    uri_allow_list: '',
    disable_signup: false,
    external_email_enabled: true,
    smtp_host: 'smtp.example.org',
    smtp_port: '587',
    smtp_user: 'limb',
    smtp_pass: 'a digest',
    smtp_admin_email: 'hello@example.org',
    mailer_otp_exp: 3600,
    mfa_phone_otp_length: 6,
    sms_otp_length: 6,
    passkey_enabled: false,
    oauth_server_enabled: false,
    oauth_server_allow_dynamic_registration: false,
    custom_oauth_enabled: false,
    custom_oauth_max_providers: 1,
  } as Record<string, unknown>,
  api: {
    db_schema: 'public,graphql_public',
    max_rows: 100,
    db_extra_search_path: 'public,extensions',
    db_pool: null,
    db_pool_acquisition_timeout: 10,
    db_pool_max_lifetime: 1800,
    db_pool_max_idletime: 30,
  },
  storage: {
    file_size_limit: 1_000_000,
    features: {
      image_transformation: { enabled: false },
      s3_protocol: { enabled: true },
      iceberg_catalog: { enabled: false, max_namespaces: 1, max_tables: 1, max_catalogs: 1 },
      vector_buckets: { enabled: false, max_buckets: 1, max_indexes: 1 },
    },
    capabilities: { list_v2: true, iceberg_catalog: false },
    upstream_target: 'main',
    migration_version: 'x',
  },
});

/**
 * Answers what the official tool asks of Supabase's management API about one new project, and keeps what the tool
 * changes there.
 */
export async function startManagementApi() {
  const project = newProject();
  const changes: Change[] = [];
  const overview = {
    id: PROJECT,
    ref: PROJECT,
    organization_id: 'clinic',
    organization_slug: 'clinic',
    name: 'clinic',
    region: 'eu-west-2',
    created_at: '2026-01-01T00:00:00Z',
    status: 'ACTIVE_HEALTHY',
    database: { host: '127.0.0.1', version: '17', postgres_engine: '17', release_channel: 'ga' },
  };
  const answers: Record<string, () => object> = {
    [`/v1/projects/${PROJECT}`]: () => overview,
    [`/v1/projects/${PROJECT}/billing/addons`]: () => ({ selected_addons: [], available_addons: [] }),
    [`/v2/projects/${PROJECT}/config`]: () => ({
      data: { id: PROJECT, type: 'project_config', attributes: project },
    }),
    [`/v1/projects/${PROJECT}/postgrest`]: () => project.api,
    [`/v1/projects/${PROJECT}/config/auth`]: () => project.auth,
    [`/v1/projects/${PROJECT}/config/storage`]: () => ({}),
    [`/v1/projects/${PROJECT}/functions`]: () => [],
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.method !== 'GET') {
      const body = JSON.parse(text);
      changes.push({ path: pathname.slice(`/v1/projects/${PROJECT}/`.length), body });
      if (pathname.endsWith('/config/auth')) Object.assign(project.auth, body);
    }
    const answer = answers[pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? { message: `${pathname} is not there` }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    auth: project.auth,
    changes,
    close: () => new Promise((closed) => server.close(closed)),
  };
}
