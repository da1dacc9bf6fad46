import { isJsonObject } from '../domain/jsonValue.js';

/** The base64url of 1 to 1023 bytes, the lengths of an id that WebAuthn allows. */
const ID = /^[\w-]{2,1364}$/;

/**
 * Parses a browser's answer into an object with the id of a passkey and a response; undefined when it is not
 * one. The passkey library checks the rest.
 */
export function parsePasskeyAnswer<T extends { id: string; response: object }>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isAnswer(value) ? (value as unknown as T) : undefined;
  } catch {
    return undefined;
  }
}

function isAnswer(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return typeof value['id'] === 'string' && ID.test(value['id']) && isJsonObject(value['response']);
}
