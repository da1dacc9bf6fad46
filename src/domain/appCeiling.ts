import type { ErrorDetail } from '../errors.js';
import { ALL_PURPOSES_MASK, allowedMask, maskOf, purposesOf } from './purposes.js';
import type { Purpose } from './purposes.js';
import type { Scope } from './scopes.js';

/**
 * What an app may use: its own choice within the operator's grant. Purposes: null is all, an empty list none.
 */
export interface AppReach {
  allowedScopes: Scope[];
  allowedConsentPurposes: Purpose[] | null;
  grantedScopes: Scope[];
  grantedConsentPurposes: Purpose[] | null;
}

/** Absent members and null scopes stay unchanged. */
export interface ReachChange {
  allowedScopes?: readonly Scope[] | null | undefined;
  allowedConsentPurposes?: readonly Purpose[] | null | undefined;
  grantedScopes?: readonly Scope[] | null | undefined;
  grantedConsentPurposes?: readonly Purpose[] | null | undefined;
}

/**
 * The reach after a change, or every problem of the change. The operator sets the grant: to `granted…`, or
 * else to the given `allowed…`; the app loses choices outside a reduced grant. The app chooses within the
 * grant only.
 */
export function changeReach(
  current: AppReach,
  change: ReachChange,
  byOperator: boolean,
): { reach: AppReach; problems: ErrorDetail[] } {
  const scopeCeiling = byOperator ? (change.grantedScopes ?? change.allowedScopes) : undefined;
  const purposeCeiling = byOperator
    ? given(change.grantedConsentPurposes, change.allowedConsentPurposes, current.grantedConsentPurposes)
    : current.grantedConsentPurposes;
  const grantedScopes = [...new Set(scopeCeiling ?? current.grantedScopes)];
  const grantedMask = allowedMask(purposeCeiling);
  const problems = [
    ...(byOperator ? [] : ceilingProblems(change)),
    ...scopeProblems(change.allowedScopes, grantedScopes),
    ...purposeProblems(change.allowedConsentPurposes, grantedMask),
  ];
  const scopes =
    change.allowedScopes ?? current.allowedScopes.filter((scope) => grantedScopes.includes(scope));
  const chosen = given(change.allowedConsentPurposes, current.allowedConsentPurposes);
  const isAll = chosen === null && purposeCeiling === null;
  const reach = {
    allowedScopes: [...new Set(scopes)],
    allowedConsentPurposes: isAll ? null : purposesOf(allowedMask(chosen) & grantedMask),
    grantedScopes,
    grantedConsentPurposes: purposeCeiling === null ? null : purposesOf(grantedMask),
  };
  return { reach, problems };
}

/** The first defined choice. Null is a choice. */
function given(...choices: (readonly Purpose[] | null | undefined)[]): readonly Purpose[] | null {
  return choices.find((choice) => choice !== undefined) ?? null;
}

function ceilingProblems({ grantedScopes, grantedConsentPurposes }: ReachChange): ErrorDetail[] {
  const message = 'is changed with an administrative key alone';
  return [
    ...(grantedScopes ? [notGranted('granted_scopes', message)] : []),
    ...(grantedConsentPurposes === undefined ? [] : [notGranted('granted_consent_purposes', message)]),
  ];
}

function scopeProblems(
  scopes: readonly Scope[] | null | undefined,
  granted: readonly Scope[],
): ErrorDetail[] {
  return (scopes ?? []).flatMap((scope, index) =>
    granted.includes(scope)
      ? []
      : [notGranted(`allowed_scopes[${index}]`, `${scope} is not among granted_scopes`)],
  );
}

function purposeProblems(
  purposes: readonly Purpose[] | null | undefined,
  grantedMask: number,
): ErrorDetail[] {
  if (purposes === undefined) return [];
  if (purposes === null)
    return (grantedMask & ALL_PURPOSES_MASK) === ALL_PURPOSES_MASK
      ? []
      : [notGranted('allowed_consent_purposes', 'null means all purposes, and not all are granted')];
  return purposes.flatMap((purpose, index) =>
    (maskOf([purpose]) & grantedMask) === 0
      ? [notGranted(`allowed_consent_purposes[${index}]`, `${purpose} is not among granted_consent_purposes`)]
      : [],
  );
}

export function notGranted(field: string, message: string): ErrorDetail {
  return { code: 'not_granted', message, field };
}
