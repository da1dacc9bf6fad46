import { graphql } from './gql/index.js';

export const CreateCustomer = graphql(`
  mutation CreateCustomer($input: CreateCustomerInput!, $idempotencyKey: String!) {
    createCustomer(input: $input, idempotencyKey: $idempotencyKey) {
      status
      customer {
        id
      }
    }
  }
`);

export const GrantConsent = graphql(`
  mutation GrantConsent($input: CreateConsentReceiptInput!, $idempotencyKey: String!) {
    createConsentReceipt(input: $input, idempotencyKey: $idempotencyKey) {
      id
    }
  }
`);

export const SendClaim = graphql(`
  mutation SendClaim($input: IngestClaimInput!, $idempotencyKey: String!) {
    ingestClaim(input: $input, idempotencyKey: $idempotencyKey) {
      workflowId
    }
  }
`);

export const WorkflowState = graphql(`
  query WorkflowState($id: ID!) {
    workflow(id: $id) {
      status
    }
  }
`);

export const ReadProfile = graphql(`
  query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {
    resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {
      facts {
        attribute
        resolvedValue
        confidence
      }
    }
  }
`);

export const Withdraw = graphql(`
  mutation Withdraw($id: ID!, $input: RevokeConsentReceiptInput!, $idempotencyKey: String!) {
    revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $idempotencyKey) {
      workflowId
    }
  }
`);
