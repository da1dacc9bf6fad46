import type { Database } from '../database/Database.js';

/** An app of which an account is a member. */
interface Membership {
  app_id: string;
  partner: string;
  scopes: string[];
  created_at: string;
  updated_at: string;
}

/** A session, grant, code or token of the authorization server, without its id. */
interface Artifact {
  kind: string;
  app_id: string | null;
  scope: string | null;
  issued_at: string;
  expires_at: string;
  consumed_at: string | null;
}

/** A session of the dashboard or GraphiQL for one app. */
interface AppSessionRow {
  app_id: string;
  expires_at: string;
}

export interface Access {
  memberships: Membership[];
  authorizations: Artifact[];
  app_sessions: AppSessionRow[];
}

/** What an account may do at apps, and what was issued to it for them. */
export async function readAccess(database: Database, accountId: string): Promise<Access> {
  const [memberships, authorizations, appSessions] = await Promise.all([
    database.read<Membership>(MEMBERSHIPS, [accountId]),
    database.read<Artifact>(ARTIFACTS, [accountId]),
    database.read<AppSessionRow>(APP_SESSIONS, [accountId]),
  ]);
  return { memberships, authorizations, app_sessions: appSessions };
}

const MEMBERSHIPS = {
  name: 'account_memberships',
  text: `SELECT m.app_id, a.name AS partner, m.scopes, m.created_at, m.updated_at
           FROM app_members m JOIN apps a USING (app_id)
          WHERE m.account_id = $1 ORDER BY m.created_at, m.app_id`,
};

const ARTIFACTS = {
  name: 'account_artifacts',
  text: `SELECT kind, app_id, scope, issued_at, expires_at, consumed_at FROM oauth_artifacts
          WHERE account_id = $1 ORDER BY issued_at, kind`,
};

const APP_SESSIONS = {
  name: 'account_app_sessions',
  text: 'SELECT app_id, expires_at FROM graphiql_sessions WHERE account_id = $1 ORDER BY expires_at',
};
