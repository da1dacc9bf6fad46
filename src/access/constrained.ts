import { Extensions } from 'type-graphql';

/** A problem found in a value; `path` leads from the value to its place, empty for the value itself. */
export interface Problem {
  path?: string;
  code: string;
  message: string;
}

/** Most items of a list that says nothing else. */
export const MAX_ITEMS = 1000;

/**
 * Bounds of an input field, checked alike behind both doors and shown in OpenAPI. Lengths are in characters.
 */
export interface Constraints {
  minLength?: number;
  maxLength?: number;
  /** Anchored by its author. */
  pattern?: RegExp;
  /** A format of JSON Schema, for OpenAPI; `check` enforces it. */
  format?: 'uri';
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  /** A list whose bad items are rejected one by one instead of refusing the whole request. */
  batch?: boolean;
  /**
   * A rule of the domain: pure, with all the problems of the value. In a list, an item that breaks another
   * rule is undefined.
   */
  check?: (value: unknown) => readonly Problem[];
}

/**
 * Bounds an input field. On a list, the length and pattern rules hold for each item. On an input type,
 * `check` sees the object as it was sent, by the names of its fields, and its paths begin with such a name.
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
