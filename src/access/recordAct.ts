import type { JsonObject } from '../domain/jsonValue.js';
import type { RequestContext } from './RequestContext.js';

/** Arguments whose values are logged: they are not personal data. */
const TOLD = ['status'];

const MAX_ID = 128;

/** Runs a root field for the holder of an administrative key, between its two rows of the operators' log. */
export function recordAct<T>(
  action: string,
  args: Readonly<Record<string, unknown>>,
  { caller, requestId, services }: RequestContext,
  work: () => Promise<T>,
): Promise<T> {
  const operator = `key:${caller.kind === 'admin' ? caller.key : ''}`;
  return services.operatorLog.recorded(
    { operator, via: 'request', action, target: targetOf(args), requestId },
    work,
  );
}

/** The ids among the arguments, the names of the given fields, and the requested status; no other value. */
function targetOf({ id, input }: Readonly<Record<string, unknown>>): JsonObject {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const told = TOLD.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : []));
  const names = Object.keys(fields).toSorted();
  return {
    ...(typeof id === 'string' ? { id: storable(id.slice(0, MAX_ID)) } : {}),
    ...(names.length === 0 ? {} : { fields: names }),
    ...(Object.fromEntries(told) as JsonObject),
  };
}

/** The arguments are checked later, and PostgreSQL stores no NUL and no half of a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
