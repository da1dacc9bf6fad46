import { findForbiddenData } from '../src/domain/forbiddenData.js';
import { redirectUriProblem } from '../src/domain/redirectUri.js';
import type { Constraints, Problem } from './constrained.js';

/** Longest free-form object, in characters of JSON. */
const MOST_JSON = 65_536;

/** A rule for one text or, on a list, for each of its items. */
function each(rule: (text: string) => Problem | undefined): (value: unknown) => Problem[] {
  return (value) => {
    if (!Array.isArray(value)) return typeof value === 'string' ? [rule(value)].filter((p) => p !== undefined) : [];
    return value.flatMap((item, index) => {
      const problem = typeof item === 'string' ? rule(item) : undefined;
      return problem === undefined ? [] : [{ ...problem, path: `[${index}]` }];
    });
  };
}

export const redirectUri: Constraints = {
  maxLength: 2048,
  check: each((text) => {
    const problem = redirectUriProblem(text);
    return problem === undefined ? undefined : { code: 'invalid_uri', message: problem };
  }),
};

/** An absolute http(s) URL. */
export const webUrl: Constraints = {
  maxLength: 2048,
  check: each((text) => {
    const fine = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    return fine ? undefined : { code: 'invalid_uri', message: 'must be an absolute http or https URL' };
  }),
};

/** Any absolute URI (RFC 3986). */
export const anyUri: Constraints = {
  maxLength: 2048,
  check: each((text) => {
    const fine = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) && URL.canParse(text);
    return fine ? undefined : { code: 'invalid_uri', message: 'must be an absolute URI' };
  }),
};

/** Free-form customer data, free of what must not be sent. */
export const customerData: Constraints = {
  check: (value) => {
    const size = tooLarge(value);
    return size.length > 0 ? size : forbidden(value);
  },
};

function forbidden(value: unknown): Problem[] {
  return findForbiddenData(value).map(({ path, kind }) => ({
    path: path === '' || path.startsWith('[') ? path : `.${path}`,
    code: 'forbidden_data',
    message: `must not hold data that looks like a ${kind}`,
  }));
}

function tooLarge(value: unknown): Problem[] {
  const size = typeof value === 'object' ? JSON.stringify(value).length : 0;
  return size > MOST_JSON
    ? [{ code: 'too_long', message: `must not be longer than ${MOST_JSON} characters of JSON` }]
    : [];
}

/** A displayed text of a customer's profile. */
export function displayText(maxLength: number): Constraints {
  return { maxLength, check: forbidden };
}

export const profileUrl: Constraints = {
  maxLength: 2048,
  check: (value) => [...(webUrl.check?.(value) ?? []), ...forbidden(value)],
};

/** Names of attributes (decisions 12). */
export const attributeName: Constraints = { pattern: /^[a-z][a-z0-9_.]{0,127}$/ };

/** Any JSON value that is kept whole. */
export const storedValue: Constraints = { check: tooLarge };
