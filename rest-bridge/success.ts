/** The status of an upsert: 201 only when something was created (docs/contract.md#success-codes). */
export function upsertStatus(body: unknown): number {
  return (body as { status?: unknown }).status === 'created' ? 201 : 200;
}

/**
 * The `Location` of a created (201) or accepted (202) resource.
 *
 * @param location `{name}` in it is a member of the answer
 */
export function locationHeader(location: string, status: number, body: unknown): Record<string, string> {
  if (status !== 201 && status !== 202) return {};
  return { Location: location.replace(/\{([\w.]+)\}/g, (_match, path: string) => memberAt(body, path)) };
}

function memberAt(body: unknown, path: string): string {
  let value: unknown = body;
  for (const name of path.split('.')) value = (value as Record<string, unknown>)[name];
  return String(value);
}
