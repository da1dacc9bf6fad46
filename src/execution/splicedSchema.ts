import { mapSchema, MapperKind } from '@graphql-tools/utils';
import { GraphQLNonNull, GraphQLScalarType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { StoredText } from '../documents/StoredText.js';

/** Does not check its values: `OperationCompiler` has told the loaders to return text here. */
const StoredTextScalar = new GraphQLScalarType<StoredText, StoredText>({
  name: 'StoredText',
  description: 'Documents as the text in which they leave.',
});

/**
 * A copy of the guarded schema in which the given document fields are leaves of stored text. It shares the
 * resolvers of the guarded schema, so that authentication, consent gates and reads are the same.
 *
 * @param places such as `ResolvedProfile.facts`
 */
export function splicedSchema(guarded: GraphQLSchema, places: ReadonlySet<string>): GraphQLSchema {
  return mapSchema(guarded, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) =>
      places.has(`${typeName}.${name}`)
        ? { ...field, type: new GraphQLNonNull(StoredTextScalar) }
        : undefined,
  });
}
