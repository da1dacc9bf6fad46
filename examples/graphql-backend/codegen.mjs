/** @type {import('@graphql-codegen/cli').CodegenConfig} */
export default {
  schema: '../../schema/schema.graphql',
  documents: 'src/*.graphql.ts',
  emitLegacyCommonJSImports: false,
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        defaultScalarType: 'unknown',
        scalars: { DateTime: 'string', Scope: 'string' },
        importExtension: '.js',
      },
    },
  },
};
