/* eslint-disable */
import * as types from './graphql.js';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation CreateCustomer($input: CreateCustomerInput!, $idempotencyKey: String!) {\n    createCustomer(input: $input, idempotencyKey: $idempotencyKey) {\n      status\n      customer {\n        id\n      }\n    }\n  }\n": typeof types.CreateCustomerDocument,
    "\n  mutation GrantConsent($input: CreateConsentReceiptInput!, $idempotencyKey: String!) {\n    createConsentReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n      id\n    }\n  }\n": typeof types.GrantConsentDocument,
    "\n  mutation SendClaim($input: IngestClaimInput!, $idempotencyKey: String!) {\n    ingestClaim(input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n": typeof types.SendClaimDocument,
    "\n  query WorkflowState($id: ID!) {\n    workflow(id: $id) {\n      status\n    }\n  }\n": typeof types.WorkflowStateDocument,
    "\n  query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {\n    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {\n      facts {\n        attribute\n        resolvedValue\n        confidence\n      }\n    }\n  }\n": typeof types.ReadProfileDocument,
    "\n  mutation Withdraw($id: ID!, $input: RevokeConsentReceiptInput!, $idempotencyKey: String!) {\n    revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n": typeof types.WithdrawDocument,
};
const documents: Documents = {
    "\n  mutation CreateCustomer($input: CreateCustomerInput!, $idempotencyKey: String!) {\n    createCustomer(input: $input, idempotencyKey: $idempotencyKey) {\n      status\n      customer {\n        id\n      }\n    }\n  }\n": types.CreateCustomerDocument,
    "\n  mutation GrantConsent($input: CreateConsentReceiptInput!, $idempotencyKey: String!) {\n    createConsentReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n      id\n    }\n  }\n": types.GrantConsentDocument,
    "\n  mutation SendClaim($input: IngestClaimInput!, $idempotencyKey: String!) {\n    ingestClaim(input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n": types.SendClaimDocument,
    "\n  query WorkflowState($id: ID!) {\n    workflow(id: $id) {\n      status\n    }\n  }\n": types.WorkflowStateDocument,
    "\n  query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {\n    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {\n      facts {\n        attribute\n        resolvedValue\n        confidence\n      }\n    }\n  }\n": types.ReadProfileDocument,
    "\n  mutation Withdraw($id: ID!, $input: RevokeConsentReceiptInput!, $idempotencyKey: String!) {\n    revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n": types.WithdrawDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateCustomer($input: CreateCustomerInput!, $idempotencyKey: String!) {\n    createCustomer(input: $input, idempotencyKey: $idempotencyKey) {\n      status\n      customer {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql.js').CreateCustomerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation GrantConsent($input: CreateConsentReceiptInput!, $idempotencyKey: String!) {\n    createConsentReceipt(input: $input, idempotencyKey: $idempotencyKey) {\n      id\n    }\n  }\n"): typeof import('./graphql.js').GrantConsentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendClaim($input: IngestClaimInput!, $idempotencyKey: String!) {\n    ingestClaim(input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n"): typeof import('./graphql.js').SendClaimDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WorkflowState($id: ID!) {\n    workflow(id: $id) {\n      status\n    }\n  }\n"): typeof import('./graphql.js').WorkflowStateDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {\n    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {\n      facts {\n        attribute\n        resolvedValue\n        confidence\n      }\n    }\n  }\n"): typeof import('./graphql.js').ReadProfileDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Withdraw($id: ID!, $input: RevokeConsentReceiptInput!, $idempotencyKey: String!) {\n    revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $idempotencyKey) {\n      workflowId\n    }\n  }\n"): typeof import('./graphql.js').WithdrawDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
