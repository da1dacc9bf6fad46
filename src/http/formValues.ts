import type { Request } from 'express';

/** The texts of a posted form with a name, in order; other values are omitted. */
export function formTexts(request: Request, name: string): string[] {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  const value = (body as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

/** The first text with a name, or an empty one. */
export function formText(request: Request, name: string): string {
  return formTexts(request, name)[0] ?? '';
}

/** A query parameter; undefined unless given exactly once. */
export function queryText(request: Request, name: string): string | undefined {
  const value = request.query[name];
  return typeof value === 'string' ? value : undefined;
}
