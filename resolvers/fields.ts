import { Arg, FieldResolver, Query } from 'type-graphql';

type TypeOf = () => object;

// An empty description is taken from the vocabulary (`schema/descriptions`).

/** A field of `Query` that is null when it is refused or nothing is found. */
export function NullableQuery(type: TypeOf, description: string): MethodDecorator {
  return Query(type, { nullable: true, description });
}

/** A field of `Query` that is never null: a list, which may be empty. */
export function NonNullQuery(type: TypeOf, description: string): MethodDecorator {
  return Query(type, { description });
}

/** A resolved field that is null when it is refused or nothing is found. */
export function NullableField(type: TypeOf, description = ''): MethodDecorator {
  return FieldResolver(type, { nullable: true, description });
}

/** An argument that may be omitted or null, with the same meaning. */
export function Optional(name: string, type: TypeOf, description = ''): ReturnType<typeof Arg> {
  return Arg(name, type, { nullable: true, description });
}
