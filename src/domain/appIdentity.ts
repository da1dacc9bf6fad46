import type { ErrorDetail } from '../errors.js';
import { notGranted } from './appCeiling.js';

/** How an app is presented to a person, by the names of RFC 7591. The operator vouches for it. */
export interface AppIdentity {
  clientUri: string | null;
  tosUri: string | null;
  policyUri: string | null;
}

/** Absent members stay unchanged; null removes. */
export interface IdentityChange {
  clientUri?: string | null | undefined;
  tosUri?: string | null | undefined;
  policyUri?: string | null | undefined;
  logo?: string | null | undefined;
}

const FIELDS: readonly [keyof IdentityChange, string][] = [
  ['clientUri', 'client_uri'],
  ['tosUri', 'tos_uri'],
  ['policyUri', 'policy_uri'],
  ['logo', 'logo'],
];

export function changeIdentity(current: AppIdentity, change: IdentityChange): AppIdentity {
  return {
    clientUri: change.clientUri === undefined ? current.clientUri : change.clientUri,
    tosUri: change.tosUri === undefined ? current.tosUri : change.tosUri,
    policyUri: change.policyUri === undefined ? current.policyUri : change.policyUri,
  };
}

/** A partner must not choose what people trust it by: each member sent with its own token is a problem. */
export function identityProblems(change: IdentityChange, byOperator: boolean): ErrorDetail[] {
  const sent = byOperator ? [] : FIELDS.filter(([name]) => change[name] !== undefined);
  return sent.map(([, field]) => notGranted(field, 'is changed with an administrative key alone'));
}
