import { getDirectiveValues } from 'graphql';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Purpose } from '../domain/purposes.js';
import type { Scope } from '../domain/scopes.js';
import { ServiceError, unauthenticated } from '../errors.js';
import type { Caller } from './Caller.js';

/** Who may see a field, by its directives. */
export interface FieldAccess {
  /** Alternative combinations; undefined when the field needs no scope. */
  scopes?: Scope[][] | undefined;
  admin: boolean;
  /** The reason why the field is open to all. */
  publicReason?: string | undefined;
  consent?: { purpose?: Purpose; argument?: string } | undefined;
}

/** Reads the access directives of a field; undefined when it has none. */
export function accessOf(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): FieldAccess | undefined {
  const read = (name: string): Record<string, unknown> | undefined => {
    const directive = schema.getDirective(name);
    if (!directive || !field.astNode) return undefined;
    return getDirectiveValues(directive, field.astNode);
  };
  const scopes = read('requiresScopes')?.['scopes'] as Scope[][] | undefined;
  const publicReason = read('public')?.['reason'] as string | undefined;
  const consent = read('consent') as FieldAccess['consent'] | undefined;
  const admin = read('admin') !== undefined;
  if (!(scopes ?? publicReason ?? consent ?? admin)) return undefined;
  return { admin, scopes, publicReason, consent };
}

/** @throws ServiceError `unauthenticated` or `insufficient_scope` when the caller may not use the field */
export function authorize(access: FieldAccess, caller: Caller): void {
  if (access.publicReason !== undefined) return;
  if (caller.kind === 'admin') return authorizeAdmin(access);
  if (caller.kind === 'anonymous') throw unauthenticated(caller);
  if (access.scopes === undefined) {
    if (access.admin) throw new ServiceError('unauthenticated', 'An administrative key is required.');
    return;
  }
  const missing = missingScopes(access.scopes, caller.scopes);
  if (missing.length > 0) throw insufficientScope(missing);
}

/**
 * @throws ServiceError `insufficient_scope` when the caller lacks a scope for an argument, in addition to its
 *   field's
 */
export function requireScopes(caller: Caller, ...scopes: Scope[]): void {
  const missing = caller.kind === 'app' ? missingScopes([scopes], caller.scopes) : scopes;
  if (missing.length > 0) throw insufficientScope(missing);
}

function authorizeAdmin(access: FieldAccess): void {
  if (!access.admin)
    throw new ServiceError(
      'unauthenticated',
      'An access token is required here; the administrative key does not count.',
    );
}

/** The missing scopes of the alternative that lacks the fewest; empty when one is complete. */
function missingScopes(alternatives: Scope[][], held: ReadonlySet<Scope>): Scope[] {
  const lacking = alternatives.map((combination) => combination.filter((scope) => !held.has(scope)));
  return lacking.reduce((best, next) => (next.length < best.length ? next : best));
}

function insufficientScope(missing: Scope[]): ServiceError {
  return new ServiceError('insufficient_scope', `The access token lacks the scope ${missing.join(' ')}.`, {
    missingScopes: missing,
    gate: 'scope',
    details: missing.map((scope) => ({ code: 'missing_scope', message: `The scope ${scope} is required.` })),
  });
}
