/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type ConsentEvidenceInput = {
  collectedAt?: string | null | undefined;
  ipAddress?: string | null | undefined;
  locale?: string | null | undefined;
  userAgent?: string | null | undefined;
};

/** What a person allows their data to be used for. Data of one purpose never serves another. */
export type ConsentPurpose =
  | 'ACCOUNT_LINKING'
  | 'ANALYTICS'
  | 'EVENT_ENRICHMENT'
  | 'MEASUREMENT'
  | 'PERSONALIZATION'
  | 'PROFILE_RESOLUTION'
  | 'SUPPORT';

/** Consent that a person gave. */
export type CreateConsentReceiptInput = {
  /** The authorized connection session that this receipt completes. */
  connectionSessionId?: string | number | null | undefined;
  customerId: string | number;
  evidence?: ConsentEvidenceInput | null | undefined;
  privacyPolicyVersion?: string | null | undefined;
  purposes: Array<ConsentPurpose>;
  termsVersion?: string | null | undefined;
};

/** A customer, created or updated by `externalId`. An omitted field stays; a given one replaces the whole object. */
export type CreateCustomerInput = {
  /** The partner's own user identifier. */
  externalId: string;
  metadata?: unknown;
  profile?: CustomerProfileInput | null | undefined;
};

/** Public display fields only. Payment, government-id and credential data is refused. */
export type CustomerProfileInput = {
  avatarUrl?: string | null | undefined;
  bannerUrl?: string | null | undefined;
  bioMarkdown?: string | null | undefined;
  publicLocation?: PublicLocationInput | null | undefined;
  username?: string | null | undefined;
};

/** A claim as a source observed it. */
export type IngestClaimInput = {
  attribute: string;
  confidence: number;
  consentPurpose: ConsentPurpose;
  context?: string | null | undefined;
  customerId: string | number;
  observedAt: string;
  provenance: ProvenanceInput;
  source: string;
  value: unknown;
};

export type ProvenanceInput = {
  collectedAt: string;
  evidenceUrl?: string | null | undefined;
  sourcePartner: string;
  sourceSystem?: string | null | undefined;
};

export type PublicLocationInput = {
  city?: string | null | undefined;
  country?: string | null | undefined;
  metroCode?: string | null | undefined;
  state?: string | null | undefined;
};

/** Why consent was withdrawn. */
export type RevocationReason =
  | 'ACCOUNT_DISCONNECTED'
  | 'OTHER'
  | 'PARTNER_REQUEST'
  | 'POLICY_CHANGE'
  | 'USER_REQUEST';

/** What to withdraw. */
export type RevokeConsentReceiptInput = {
  note?: string | null | undefined;
  /** Absent: every purpose on the receipt. */
  purposes?: Array<ConsentPurpose> | null | undefined;
  /** Default: other. */
  reason?: RevocationReason | null | undefined;
};

/** What an upsert did. */
export type UpsertStatus =
  | 'CREATED'
  | 'UNCHANGED'
  | 'UPDATED';

/** How far asynchronous work has come. */
export type WorkflowStatus =
  | 'ACCEPTED'
  | 'COMPLETED'
  | 'FAILED'
  | 'RUNNING';

export type CreateCustomerMutationVariables = Exact<{
  input: CreateCustomerInput;
  idempotencyKey: string;
}>;


export type CreateCustomerMutation = { createCustomer: { status: UpsertStatus, customer: { id: string } } | null };

export type GrantConsentMutationVariables = Exact<{
  input: CreateConsentReceiptInput;
  idempotencyKey: string;
}>;


export type GrantConsentMutation = { createConsentReceipt: { id: string } | null };

export type SendClaimMutationVariables = Exact<{
  input: IngestClaimInput;
  idempotencyKey: string;
}>;


export type SendClaimMutation = { ingestClaim: { workflowId: string } | null };

export type WorkflowStateQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkflowStateQuery = { workflow: { status: WorkflowStatus } | null };

export type ReadProfileQueryVariables = Exact<{
  customerId: string | number;
  purpose: ConsentPurpose;
}>;


export type ReadProfileQuery = { resolvedProfile: { facts: Array<{ attribute: string, resolvedValue: unknown, confidence: number }> } | null };

export type WithdrawMutationVariables = Exact<{
  id: string | number;
  input: RevokeConsentReceiptInput;
  idempotencyKey: string;
}>;


export type WithdrawMutation = { revokeConsentReceipt: { workflowId: string } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const CreateCustomerDocument = new TypedDocumentString(`
    mutation CreateCustomer($input: CreateCustomerInput!, $idempotencyKey: String!) {
  createCustomer(input: $input, idempotencyKey: $idempotencyKey) {
    status
    customer {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CreateCustomerMutation, CreateCustomerMutationVariables>;
export const GrantConsentDocument = new TypedDocumentString(`
    mutation GrantConsent($input: CreateConsentReceiptInput!, $idempotencyKey: String!) {
  createConsentReceipt(input: $input, idempotencyKey: $idempotencyKey) {
    id
  }
}
    `) as unknown as TypedDocumentString<GrantConsentMutation, GrantConsentMutationVariables>;
export const SendClaimDocument = new TypedDocumentString(`
    mutation SendClaim($input: IngestClaimInput!, $idempotencyKey: String!) {
  ingestClaim(input: $input, idempotencyKey: $idempotencyKey) {
    workflowId
  }
}
    `) as unknown as TypedDocumentString<SendClaimMutation, SendClaimMutationVariables>;
export const WorkflowStateDocument = new TypedDocumentString(`
    query WorkflowState($id: ID!) {
  workflow(id: $id) {
    status
  }
}
    `) as unknown as TypedDocumentString<WorkflowStateQuery, WorkflowStateQueryVariables>;
export const ReadProfileDocument = new TypedDocumentString(`
    query ReadProfile($customerId: ID!, $purpose: ConsentPurpose!) {
  resolvedProfile(customerId: $customerId, consentPurpose: $purpose) {
    facts {
      attribute
      resolvedValue
      confidence
    }
  }
}
    `) as unknown as TypedDocumentString<ReadProfileQuery, ReadProfileQueryVariables>;
export const WithdrawDocument = new TypedDocumentString(`
    mutation Withdraw($id: ID!, $input: RevokeConsentReceiptInput!, $idempotencyKey: String!) {
  revokeConsentReceipt(id: $id, input: $input, idempotencyKey: $idempotencyKey) {
    workflowId
  }
}
    `) as unknown as TypedDocumentString<WithdrawMutation, WithdrawMutationVariables>;