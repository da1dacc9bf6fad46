/**
 * Parses a browser's answer into an object with an id; undefined when it is not one. The passkey library
 * checks the rest.
 */
export function parsePasskeyAnswer<T extends { id: string }>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isAnswer =
      typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
    return isAnswer ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
