import { mapSchema, MapperKind } from '@graphql-tools/utils';
import { GraphQLNonNull, GraphQLScalarType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { StoredText } from '../documents/StoredText.js';

const StoredTextScalar = new GraphQLScalarType<StoredText, StoredText>({
  name: 'StoredText',
  description: 'Documents as the text in which they leave.',
  serialize: (value) => {
    if (value instanceof StoredText) return value;
    throw new TypeError('Documents were not read as stored text.');
  },
});

/**
 * The guarded schema once more, in which the document fields given are leaves of stored text. Every resolver
 * is the very function of the guarded schema, so that whoever is answered with text was authenticated, gated
 * and read for like everybody else.
 *
 * @param places such as `ResolvedProfile.facts`
 */
export function splicedSchema(guarded: GraphQLSchema, places: ReadonlySet<string>): GraphQLSchema {
  return mapSchema(guarded, {
    [MapperKind.OBJECT_FIELD]: (field, name, typeName) => {
      if (!places.has(`${typeName}.${name}`)) return undefined;
      const { resolve, ...leaf } = field;
      const type = new GraphQLNonNull(StoredTextScalar);
      // A resolver that only parses stored text has nothing to do: the text is read as a plain member, which
      // costs less.
      return field.extensions?.['onlyParses'] === true || resolve === undefined
        ? { ...leaf, type }
        : { ...field, type };
    },
  });
}
