import type { CodegenConfig } from '@graphql-codegen/cli';

/** Typed operations from the schema that the service prints. */
const config: CodegenConfig = {
  schema: '../schema/schema.graphql',
  documents: ['src/**/*.ts', 'src/**/*.tsx', '!src/gql/**'],
  ignoreNoDocuments: false,
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
        onlyOperationTypes: false,
        avoidOptionals: { field: true, inputValue: false, object: false, defaultValue: false },
        scalars: {
          DateTime: 'string',
          Scope: 'string',
          AttributeValue: 'unknown',
          JSONObject: 'Record<string, unknown>',
        },
      },
    },
  },
};

export default config;
