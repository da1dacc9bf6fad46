import { Extensions } from 'type-graphql';

/** A problem of a value. `path` is the place within the value, empty for the value itself. */
export interface Problem {
  path?: string;
  code: string;
  message: string;
}

/** Default maximum of items in a list. */
export const MAX_ITEMS = 1000;

/** Bounds of an input field, equal in GraphQL and REST and shown in OpenAPI. Lengths are in characters. */
export interface Constraints {
  minLength?: number;
  maxLength?: number;
  /** Must contain its own anchors. */
  pattern?: RegExp;
  /** A format of JSON Schema, for OpenAPI; `check` enforces it. */
  format?: 'uri';
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** Bad items of the list are rejected one by one, without refusing the whole request. */
  batch?: boolean;
  /**
   * A pure rule of the domain that returns all problems of the value. In a list, an item that breaks another
   * rule is undefined.
   */
  check?: (value: unknown) => readonly Problem[];
  /**
   * On an input type: what its command refuses anyway, so that an input with other problems names these too.
   * The value may have any shape.
   */
  alsoRefused?: (value: Readonly<Record<string, unknown>>) => readonly Problem[];
}

/**
 * Bounds an input field. In a list, length and pattern apply to each item. On an input type, `check` gets the
 * sent object with its field names, and its paths begin with such a name.
 */
export function Constrained(constraints: Constraints): PropertyDecorator & MethodDecorator & ClassDecorator {
  return Extensions({ constraints });
}

/** The bounds of an input field or type that `Constrained` marked. */
export function constraintsOf(field: {
  extensions?: Readonly<Record<string, unknown>> | null;
}): Constraints | undefined {
  return field.extensions?.['constraints'] as Constraints | undefined;
}
