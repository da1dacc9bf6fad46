import { GraphQLScalarType } from 'graphql';
import { loadProfile } from './data.mjs';

export const typeDefs = `
  scalar AttributeValue
  scalar DateTime
  enum ConsentPurpose { ACCOUNT_LINKING PERSONALIZATION ANALYTICS SUPPORT EVENT_ENRICHMENT PROFILE_RESOLUTION MEASUREMENT }
  type Provenance { sourcePartner: String! collectedAt: DateTime! sourceSystem: String evidenceUrl: String }
  type Claim { id: ID! customerId: ID! attribute: String! value: AttributeValue! source: String! observedAt: DateTime! context: String
    consentPurpose: ConsentPurpose! confidence: Float! provenance: Provenance! }
  type Alternative { value: AttributeValue! confidence: Float! reason: String! }
  type ResolvedProfileFact { attribute: String! resolvedValue: AttributeValue! confidence: Float! resolutionMethod: String!
    consentPurpose: ConsentPurpose! evidence: [Claim!]! alternatives: [Alternative!] }
  type ResolvedProfile { customerId: ID! facts: [ResolvedProfileFact!]! resolvedAt: DateTime! }
  type Query { resolvedProfile(customerId: ID!, consentPurpose: ConsentPurpose): ResolvedProfile }
`;

const scalar = (name) => new GraphQLScalarType({ name, serialize: (value) => value });

export const resolvers = {
  AttributeValue: scalar('AttributeValue'),
  DateTime: scalar('DateTime'),
  Query: { resolvedProfile: (_source, { customerId }) => loadProfile(customerId) },
};
