import { Field } from 'type-graphql';
import type { GraphQLScalarType } from 'graphql';
import { Constrained } from '../src/access/constrained.js';
import type { Constraints } from '../src/access/constrained.js';
import type { StoredText } from '../src/documents/StoredText.js';

/**
 * The TypeScript type of a GraphQL type's values: strings for an enum; a list may also be its stored text.
 */
type ValueOf<Type> = Type extends StringConstructor
  ? string
  : Type extends BooleanConstructor
    ? boolean
    : Type extends GraphQLScalarType<infer Value>
      ? Value
      : Type extends readonly (infer Item)[]
        ? readonly ValueOf<Item>[] | StoredText
        : Type extends abstract new () => infer Instance
          ? Instance
          : string;

/**
 * The description of a field, unless the vocabulary has one (`descriptions/`), and the bounds of an input.
 */
type About = [] | [description: string] | [bounds: Constraints] | [description: string, bounds: Constraints];

/** A field that is never null. A property of another type does not compile. */
export function NonNull<Type extends object>(type: () => Type, ...about: About) {
  return <Name extends string>(owner: Record<Name, ValueOf<Type>>, name: Name): void => {
    declare(owner, name, type, false, about);
  };
}

/** A field that may be null. In an input it may also be omitted. */
export function Nullable<Type extends object>(type: () => Type, ...about: About) {
  return <Name extends string>(owner: { [Property in Name]?: ValueOf<Type> | null }, name: Name): void => {
    declare(owner, name, type, true, about);
  };
}

function declare(
  owner: object,
  name: string,
  type: () => object,
  nullable: boolean,
  [first, second]: About,
): void {
  const [words, bounds] = typeof first === 'string' ? [{ description: first }, second] : [{}, first];
  Field(type, { nullable, ...words })(owner, name);
  if (bounds !== undefined) Constrained(bounds)(owner, name);
}
