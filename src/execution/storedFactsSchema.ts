import { mapSchema, MapperKind } from '@graphql-tools/utils';
import { GraphQLNonNull, GraphQLScalarType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { StoredText } from '../domain/StoredText.js';

const StoredTextScalar = new GraphQLScalarType<StoredText, StoredText>({
  name: 'StoredText',
  description: 'Facts as the text in which they are stored.',
  serialize: (value) => {
    if (value instanceof StoredText) return value;
    throw new TypeError('Facts were not read as stored text.');
  },
});

/**
 * The guarded schema once more, in which `ResolvedProfile.facts` is a leaf. Every resolver is the very function of the
 * guarded schema, so that whoever is answered with stored text was authenticated, gated and read for like everybody else.
 */
export function storedFactsSchema(guarded: GraphQLSchema): GraphQLSchema {
  return mapSchema(guarded, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) =>
      typeName === 'ResolvedProfile' && name === 'facts'
        ? { ...field, type: new GraphQLNonNull(StoredTextScalar) }
        : undefined,
  });
}
