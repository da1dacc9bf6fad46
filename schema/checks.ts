import { fieldProblems } from '../src/domain/catalog/fieldProblems.js';
import { displayNameProblem } from '../src/domain/displayName.js';
import { findForbiddenData } from '../src/domain/forbiddenData.js';
import { oversize } from '../src/domain/jsonValue.js';
import { redirectUriProblem } from '../src/domain/redirectUri.js';
import { isUri, isWebUrl } from '../src/domain/uri.js';
import { endpointUrlProblems } from '../src/domain/webhooks/endpointUrl.js';
import { EVENT_TYPES, EVERY_TYPE, isSubscribable } from '../src/domain/webhooks/eventCatalogue.js';
import type { Constraints, Problem } from '../src/access/constrained.js';

/** A rule for one text or, on a list, for each of its items. */
function each(rule: (text: string) => Problem | undefined): (value: unknown) => Problem[] {
  return (value) => {
    if (!Array.isArray(value))
      return typeof value === 'string' ? [rule(value)].filter((p) => p !== undefined) : [];
    return value.flatMap((item, index) => {
      const problem = typeof item === 'string' ? rule(item) : undefined;
      return problem === undefined ? [] : [{ ...problem, path: `[${index}]` }];
    });
  };
}

/** A URI, or a list of URIs, by a rule that tells what is wrong with one. */
function uris(problemOf: (text: string) => string | undefined): Constraints {
  const check = each((text) => {
    const message = problemOf(text);
    return message === undefined ? undefined : { code: 'invalid_uri', message };
  });
  return { maxLength: 2048, format: 'uri', check };
}

export const redirectUri = uris(redirectUriProblem);

/** An absolute http(s) URL. */
export const webUrl = uris((text) => (isWebUrl(text) ? undefined : 'must be an absolute http or https URL'));

/** Any absolute URI (RFC 3986). */
export const anyUri = uris((text) => (isUri(text) ? undefined : 'must be an absolute URI'));

const MAX_PICTURE_BYTES = 256 * 1024;

/** A picture in base64 (RFC 4648, 4), bounded by the number of its decoded bytes. */
export const picture: Constraints = {
  minLength: 4,
  maxLength: Math.ceil(MAX_PICTURE_BYTES / 3) * 4,
  pattern: /^[A-Za-z0-9+/]+={0,2}$/,
};

/**
 * The URL of a webhook receiver, by the rules of every installation. The command checks those of this one.
 */
export const receiverUrl: Constraints = {
  minLength: 1,
  maxLength: 2048,
  check: receiverProblems,
};

/** The same of an app's `webhookDefaultUrl`, in the bounds that clients know. */
export const defaultReceiver: Constraints = {
  maxLength: 2048,
  format: 'uri',
  check: (value) => {
    const problems = receiverProblems(value);
    return problems.length > 0 ? problems : (anyUri.check?.(value) ?? []);
  },
};

function receiverProblems(value: unknown): Problem[] {
  if (typeof value !== 'string') return [];
  const problems = endpointUrlProblems(value, { allowHttp: true, allowLoopback: true });
  return problems.map(({ code, message }) => ({ code, message }));
}

/** The app's default URL is looked up later. A body that is refused anyway also names the missing URL. */
export const namedReceiver: Constraints = {
  check: (value) => {
    const { url, enabledEvents } = value as Record<string, unknown>;
    if ((url ?? enabledEvents ?? null) !== null) return [];
    return [
      { path: 'url', code: 'required', message: 'is required unless the app has a webhook_default_url' },
    ];
  },
};

/** Names of webhook events, or `*`. */
export const eventTypes: Constraints = {
  minItems: 1,
  maxItems: 50,
  minLength: 1,
  maxLength: 64,
  check: each((text) =>
    isSubscribable(text)
      ? undefined
      : { code: 'unknown_event_type', message: `must be one of ${[...EVENT_TYPES, EVERY_TYPE].join(', ')}` },
  ),
};

/** Free-form customer data without forbidden values. */
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
  const problem = oversize(value);
  return problem === undefined ? [] : [{ code: 'too_long', message: problem }];
}

/** A name that the service shows to people in its own sentences. */
export const displayName: Constraints = {
  minLength: 1,
  maxLength: 200,
  check: each((text) => {
    const message = displayNameProblem(text);
    return message === undefined ? undefined : { code: 'invalid_format', message };
  }),
};

/** A displayed text of a customer's profile. */
export function displayText(maxLength: number): Constraints {
  return { maxLength, check: forbidden };
}

export const profileUrl: Constraints = {
  maxLength: 2048,
  format: 'uri',
  check: (value) => [...(webUrl.check?.(value) ?? []), ...forbidden(value)],
};

/** Names of attributes (docs/contract.md#profiles). */
export const attributeName: Constraints = { pattern: /^[a-z][a-z0-9_.]{0,127}$/ };

/** Any JSON value within the bounds of storage. */
export const storedValue: Constraints = { check: tooLarge };

/**
 * `scopes` is an alias of `allowedScopes`: one of them is required, and both must be equal
 * (docs/contract.md#authentication).
 */
export const agreeingScopes: Constraints = {
  check: (value) => {
    const { allowedScopes, scopes } = value as Record<string, unknown>;
    const [one, other] = [allowedScopes ?? scopes, scopes ?? allowedScopes];
    if (one === null || one === undefined)
      return [{ path: 'allowedScopes', code: 'required', message: 'is required' }];
    return sameItems(one, other)
      ? []
      : [
          {
            path: 'scopes',
            code: 'conflicting_fields',
            message: 'must equal allowed_scopes when both are given',
          },
        ];
  },
};

/** Whether two lists have the same items in any order. Other values are checked by another rule. */
function sameItems(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return true;
  return new Set([...one, ...other]).size === new Set(one).size && new Set(one).size === new Set(other).size;
}

/** Identity fields are required. The GraphQL type stays nullable, as a change would break the schema. */
export const ontologyDefinition: Constraints = {
  check: (value) => {
    const given = (value as Record<string, unknown>)['identityFields'];
    return given === null || given === undefined
      ? [{ path: 'identityFields', code: 'required', message: 'is required' }]
      : [];
  },
  alsoRefused: fieldProblems,
};

/** A merge patch may omit `externalId` but not remove it. */
export const keptExternalId: Constraints = {
  check: (value) =>
    (value as Record<string, unknown>)['externalId'] === null
      ? [{ path: 'externalId', code: 'required', message: 'cannot be removed' }]
      : [],
};
