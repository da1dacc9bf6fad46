import type { Route } from './Route.js';

/** The status of a success: fixed, or for upserts 201 only when something was created (docs/contract.md#success-codes). */
export function successStatus({ success }: Route, body: unknown): number {
  if (success !== 'upsert') return success;
  return (body as { status?: unknown }).status === 'created' ? 201 : 200;
}

/** `Location` of what was created (201) or accepted (202). */
export function successHeaders({ location }: Route, status: number, body: unknown): Record<string, string> {
  if (location === undefined || (status !== 201 && status !== 202)) return {};
  return { Location: location.replace(/\{([\w.]+)\}/g, (_match, path: string) => memberAt(body, path)) };
}

function memberAt(body: unknown, path: string): string {
  let value: unknown = body;
  for (const name of path.split('.')) value = (value as Record<string, unknown>)[name];
  return String(value);
}
