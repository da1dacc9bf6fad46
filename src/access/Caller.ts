import type { Scope } from '../domain/scopes.js';

/**
 * Who makes a request. Its rights were computed when the token was verified: scope ∩ app's scopes ∩ member's
 * scopes.
 */
export type Caller = AppCaller | AdminCaller | AnonymousCaller;

export interface AppCaller {
  kind: 'app';
  appId: string;
  clientId: string;
  scopes: ReadonlySet<Scope>;
  /** The account that signed in; absent for client credentials. */
  accountId?: string;
  /** Whether the client may know the account's address; absent for client credentials. */
  mayKnowEmail?: boolean;
}

/** The holder of an administrative registration key (`x-service-admin-key`). */
export interface AdminCaller {
  kind: 'admin';
  /** The fingerprint of the key. */
  key: string;
}

/** No credential, or an invalid one. `reason` tells the client what is wrong with it. */
export interface AnonymousCaller {
  kind: 'anonymous';
  reason: string;
  /** An access token was sent, and it is malformed, unknown, expired or revoked (RFC 6750, 3.1). */
  invalidToken?: true;
}

/** The name under which its work is counted: the app's id, else the kind of caller. */
export function nameOf(caller: Caller): string {
  return caller.kind === 'app' ? caller.appId : caller.kind;
}
