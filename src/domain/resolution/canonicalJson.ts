import canonicalize from 'canonicalize';

// The package is CommonJS whose `module.exports` is the function, which its declaration file does not say.
const serialize = canonicalize as unknown as (value: unknown) => string | undefined;

/** RFC 8785 text of a JSON value. */
export function canonicalJson(value: unknown): string {
  return serialize(value) ?? 'null';
}
