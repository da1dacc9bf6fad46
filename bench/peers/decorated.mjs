// The same types through TypeGraphQL, its decorators applied by hand as this file is not compiled.
import 'reflect-metadata';
import { Arg, buildSchema, Field, Float, ID, ObjectType, Query, Resolver } from 'type-graphql';
import { registerEnumType } from 'type-graphql';
import { loadProfile } from './data.mjs';
import { resolvers } from './schema.mjs';

const { AttributeValue, DateTime } = resolvers;
const ConsentPurpose = Object.fromEntries(
  [
    'ACCOUNT_LINKING',
    'PERSONALIZATION',
    'ANALYTICS',
    'SUPPORT',
    'EVENT_ENRICHMENT',
    'PROFILE_RESOLUTION',
    'MEASUREMENT',
  ].map((p) => [p, p]),
);
registerEnumType(ConsentPurpose, { name: 'ConsentPurpose' });

function typed(name, fields, options) {
  const type = { [name]: function () {} }[name];
  for (const [field, [of, nullable = false]] of Object.entries(fields))
    Field(of, { nullable })(type.prototype, field);
  ObjectType(name, options)(type);
  return type;
}

/** @param simple whether fields skip TypeGraphQL's own resolvers */
export function buildDecorated(simple) {
  const options = simple ? { simpleResolvers: true } : {};
  const text = [() => String];
  const Provenance = typed(
    'Provenance',
    {
      sourcePartner: text,
      collectedAt: [() => DateTime],
      sourceSystem: [() => String, true],
      evidenceUrl: [() => String, true],
    },
    options,
  );
  const Claim = typed(
    'Claim',
    {
      id: [() => ID],
      customerId: [() => ID],
      attribute: text,
      value: [() => AttributeValue],
      source: text,
      observedAt: [() => DateTime],
      context: [() => String, true],
      consentPurpose: [() => ConsentPurpose],
      confidence: [() => Float],
      provenance: [() => Provenance],
    },
    options,
  );
  const Alternative = typed(
    'Alternative',
    { value: [() => AttributeValue], confidence: [() => Float], reason: text },
    options,
  );
  const Fact = typed(
    'ResolvedProfileFact',
    {
      attribute: text,
      resolvedValue: [() => AttributeValue],
      confidence: [() => Float],
      resolutionMethod: text,
      consentPurpose: [() => ConsentPurpose],
      evidence: [() => [Claim]],
      alternatives: [() => [Alternative], true],
    },
    options,
  );
  const Profile = typed(
    'ResolvedProfile',
    { customerId: [() => ID], facts: [() => [Fact]], resolvedAt: [() => DateTime] },
    options,
  );
  class ProfileResolver {
    resolvedProfile(customerId) {
      return loadProfile(customerId);
    }
  }
  Reflect.defineMetadata('design:paramtypes', [String, String], ProfileResolver.prototype, 'resolvedProfile');
  Arg('customerId', () => ID)(ProfileResolver.prototype, 'resolvedProfile', 0);
  Arg('consentPurpose', () => ConsentPurpose, { nullable: true })(
    ProfileResolver.prototype,
    'resolvedProfile',
    1,
  );
  Query(() => Profile, { nullable: true })(ProfileResolver.prototype, 'resolvedProfile', {});
  Resolver()(ProfileResolver);
  return buildSchema({ resolvers: [ProfileResolver], validate: false });
}
