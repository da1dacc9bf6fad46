import { expect } from 'chai';
import { buildSchema, graphql, GraphQLSchema, isObjectType } from 'graphql';
import type { GraphQLEnumType } from 'graphql';
import { resolverClasses } from '../../resolvers/resolverClasses.js';
import { buildServiceSchema } from '../../schema/buildServiceSchema.js';
import { accessDirectives } from '../../schema/directives.js';
import { accessOf } from '../../src/access/FieldAccess.js';
import { guardSchema } from '../../src/access/guardSchema.js';

const PURPOSES = 'enum ConsentPurpose { SUPPORT ANALYTICS }';

/**
 * A schema as TypeGraphQL makes it: the directives stand on its fields, whether anybody defined them or not.
 */
function schemaOf(text: string): GraphQLSchema {
  const plain = buildSchema(`${PURPOSES} ${text}`, { assumeValidSDL: true });
  const directives = accessDirectives(plain.getType('ConsentPurpose') as GraphQLEnumType);
  return new GraphQLSchema({ ...plain.toConfig(), directives: [...plain.getDirectives(), ...directives] });
}

const READ = 'type Query { a: Int @requiresScopes(scopes: [["apps:read"]]) }';

describe('guardSchema', () => {
  it('refuses to start with a root field without a guard', () => {
    for (const text of [
      'type Query { a: Int }',
      'type Query { a: Int @deprecated(reason: "old") }',
      'type Query { a: Int @consent }',
      `${READ} type Mutation { b(idempotencyKey: String!): Int }`,
      `${READ} type Subscription { b: Int }`,
    ]) {
      expect(() => guardSchema(schemaOf(text)), text).to.throw(/neither @requiresScopes nor @public/);
    }
  });

  it('refuses to start with a subscription without a topic', () => {
    const text = `${READ} type Subscription { b: Int @requiresScopes(scopes: [["apps:read"]]) }`;
    expect(() => guardSchema(schemaOf(text))).to.throw(/does not say with @Live/);
  });

  it('starts if every field has a guard', () => {
    for (const mark of ['@requiresScopes(scopes: [["apps:read"]])', '@public(reason: "open")', '@admin'])
      expect(() => guardSchema(schemaOf(`type Query { a: Int ${mark} }`)), mark).to.not.throw();
  });

  it('refuses to start with an empty list of scopes', () => {
    for (const scopes of ['[]', '[[]]', '[["apps:read"], []]'])
      expect(
        () => guardSchema(schemaOf(`type Query { a: Int @requiresScopes(scopes: ${scopes}) }`)),
        scopes,
      ).to.throw(/empty @requiresScopes/);
  });

  it('refuses to start with an unknown directive, wherever it stands', () => {
    for (const [text, directive, type, part = type] of [
      [
        'type Query { a: Int @requiresScope(scopes: [["apps:read"]]) @public(reason: "x") }',
        'requiresScope',
        'Query',
        'a',
      ],
      [`${READ} type Other { b: Int @concent }`, 'concent', 'Other', 'b'],
      [`${READ} type Other { b(c: Int @consentt): Int }`, 'consentt', 'Other', 'b'],
      [`${READ} input Other { b: Int @constrained }`, 'constrained', 'Other', 'b'],
      [`${READ} enum Kind { ONE @nonsense }`, 'nonsense', 'Kind', 'ONE'],
      [`${READ} enum Kind @nonsense { ONE }`, 'nonsense', 'Kind'],
      [`${READ} type Other @requireScopes { b: Int }`, 'requireScopes', 'Other'],
    ] as const) {
      const unknown = `Unknown directive @${directive} in the definition of`;
      const schema = schemaOf(text);
      expect(() => guardSchema(schema), text).to.throw(`${unknown} ${type}.`);
      if (part === type) continue;
      // As TypeGraphQL keeps it: with the field or the value alone.
      for (const known of Object.values(schema.getTypeMap())) known.astNode = undefined;
      expect(() => guardSchema(schema), text).to.throw(`${unknown} ${part}.`);
    }
  });

  it('finds a directive on an argument', () => {
    const schema = schemaOf(`${READ} type Other { b(c: Int @consentt): Int }`);
    for (const type of Object.values(schema.getTypeMap())) {
      type.astNode = undefined;
      if (isObjectType(type)) for (const field of Object.values(type.getFields())) field.astNode = undefined;
    }
    expect(() => guardSchema(schema)).to.throw('Unknown directive @consentt in the definition of c.');
  });

  it('denies by default: a value that passed no gate is an error and is not returned', async () => {
    const schema = guardSchema(
      schemaOf('type Query { a: Int @requiresScopes(scopes: [["apps:read"]]) @consent(purpose: SUPPORT) }'),
    );
    const contextValue = {
      caller: { kind: 'app', appId: 'app_1', clientId: 'app_1', scopes: new Set(['apps:read']) },
      services: { rateLimiter: { take: () => Promise.resolve(undefined) } },
      outcome: {},
    };
    const { data, errors } = await graphql({ schema, source: '{ a }', rootValue: { a: 7 }, contextValue });
    expect(data).to.deep.equal({ a: null });
    expect(errors?.[0]?.message).to.match(/^A value reached a @consent field/);
  });

  it('finds a guard on every root field and every field that leads to customer data', () => {
    const schema = buildServiceSchema(resolverClasses);
    guardSchema(schema);
    const sensitive = new Set(['ResolvedProfile', 'ClaimConnection', 'IntentConnection']);
    for (const type of Object.values(schema.getTypeMap())) {
      if (
        !('getFields' in type) ||
        type.name.startsWith('__') ||
        type.astNode?.kind === 'InputObjectTypeDefinition'
      )
        continue;
      for (const field of Object.values(type.getFields())) {
        const target = String(field.type).replaceAll(/[![\]]/g, '');
        if (!sensitive.has(target) || !('args' in field)) continue;
        const access = accessOf(schema, field as never);
        expect(access?.scopes, `${type.name}.${field.name} asks for scopes`).to.not.equal(undefined);
        expect(access?.consent, `${type.name}.${field.name} passes the consent gate`).to.not.equal(undefined);
      }
    }
  });
});
