import { Arg, FieldResolver, Query } from 'type-graphql';

type TypeOf = () => object;

// Without a description the vocabulary says it (`schema/descriptions`).

/** A field of `Query` that is null where it is refused, or where there is no such thing. */
export function NullableQuery(type: TypeOf, description = ''): MethodDecorator {
  return Query(type, { nullable: true, description });
}

/** A field of `Query` that has a value: a list, which may be empty. */
export function NonNullQuery(type: TypeOf, description: string): MethodDecorator {
  return Query(type, { description });
}

/** A field that its resolver reads; null where it is refused, or where there is nothing. */
export function NullableField(type: TypeOf, description = ''): MethodDecorator {
  return FieldResolver(type, { nullable: true, description });
}

/** An argument that may be left out or null, which mean the same. */
export function Optional(name: string, type: TypeOf, description = ''): ReturnType<typeof Arg> {
  return Arg(name, type, { nullable: true, description });
}
