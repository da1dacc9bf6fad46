import { DirectiveLocation, GraphQLDirective, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLEnumType } from 'graphql';
import { Directive } from 'type-graphql';
import type { Purpose } from '../src/domain/purposes.js';
import type { Scope } from '../src/domain/scopes.js';
import { ScopeScalar } from './scalars.js';

const ON_FIELDS = { locations: [DirectiveLocation.FIELD_DEFINITION] };

/**
 * The directives that control access. Only they decide who may see a field; the guards in `src/access` read
 * them.
 */
export function accessDirectives(consentPurpose: GraphQLEnumType): GraphQLDirective[] {
  return [
    new GraphQLDirective({
      name: 'requiresScopes',
      description: 'Alternatives of combinations: [[a, b], [c]] is (a and b) or c.',
      args: {
        scopes: {
          type: new GraphQLNonNull(
            new GraphQLList(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(ScopeScalar)))),
          ),
        },
      },
      ...ON_FIELDS,
    }),
    new GraphQLDirective({
      name: 'consent',
      description:
        "The field's value belongs to a purpose: a fixed one, the one an argument names, or (neither) the purpose that each item carries.",
      args: { purpose: { type: consentPurpose }, argument: { type: GraphQLString } },
      ...ON_FIELDS,
    }),
    new GraphQLDirective({
      name: 'public',
      description: 'Deliberately open, with the reason.',
      args: { reason: { type: new GraphQLNonNull(GraphQLString) } },
      ...ON_FIELDS,
    }),
    new GraphQLDirective({
      name: 'admin',
      description: 'Open to the holder of an administrative key; together with `@requiresScopes`, to either.',
      ...ON_FIELDS,
    }),
  ];
}

type FieldDecorator = MethodDecorator & PropertyDecorator;

/** Marks a field with the scopes that it requires: `RequiresScopes(['a', 'b'], ['c'])` is (a and b) or c. */
export function RequiresScopes(...alternatives: [Scope, ...Scope[]][]): FieldDecorator {
  return Directive(`@requiresScopes(scopes: ${JSON.stringify(alternatives)})`);
}

/** Marks a field whose value is returned only while its purpose is granted. */
export function Consent(by: { purpose?: Purpose; argument?: string } = {}): FieldDecorator {
  if (by.purpose !== undefined) return Directive(`@consent(purpose: ${by.purpose.toUpperCase()})`);
  if (by.argument !== undefined) return Directive(`@consent(argument: ${JSON.stringify(by.argument)})`);
  return Directive('@consent');
}

/** Marks a field as open to everybody, with the reason. */
export function Public(reason: string): FieldDecorator {
  return Directive(`@public(reason: ${JSON.stringify(reason)})`);
}

/** Marks a field as open to an administrative key, alone or in addition to scopes. */
export function Admin(): FieldDecorator {
  return Directive('@admin');
}
