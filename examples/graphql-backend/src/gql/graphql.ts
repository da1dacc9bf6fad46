/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** How and when consent was collected. */
export type ConsentEvidenceInput = {
  /** When it was collected. */
  collectedAt?: string | null | undefined;
  /** The IP address of the person. */
  ipAddress?: string | null | undefined;
  /** The language of the person (BCP 47). */
  locale?: string | null | undefined;
  /** The browser of the person. */
  userAgent?: string | null | undefined;
};

/** What a person allows their data to be used for. Data of one purpose never serves another. */
export type ConsentPurpose =
  /** Linking the person's account with the partner's customer. */
  | 'ACCOUNT_LINKING'
  /** Statistics about how products are used. */
  | 'ANALYTICS'
  /** Adding what is known to events of the person. */
  | 'EVENT_ENRICHMENT'
  /** Measuring whether measures had an effect. */
  | 'MEASUREMENT'
  /** Adapting what the person is shown. */
  | 'PERSONALIZATION'
  /** Joining claims of several sources into one profile. */
  | 'PROFILE_RESOLUTION'
  /** Helping the person when something goes wrong. */
  | 'SUPPORT';

/** Consent that a person gave. */
export type CreateConsentReceiptInput = {
  /** The authorized connection session that this receipt completes. */
  connectionSessionId?: string | number | null | undefined;
  /** The customer, `cus_…`. */
  customerId: string | number;
  /** The circumstances under which consent was collected. */
  evidence?: ConsentEvidenceInput | null | undefined;
  /** The version of the privacy policy that the person saw. */
  privacyPolicyVersion?: string | null | undefined;
  /** The purposes that the person granted; within those allowed to the app. */
  purposes: Array<ConsentPurpose>;
  /** The version of the terms that the person agreed to. */
  termsVersion?: string | null | undefined;
};

/** A customer, created or updated by `externalId`. An omitted field stays; a given one replaces the whole object. */
export type CreateCustomerInput = {
  /** The partner's own user identifier. */
  externalId: string;
  /** Free-form values of the partner. No payment, government-id or credential data. */
  metadata?: unknown;
  /** Public display fields. No payment, government-id or credential data. */
  profile?: CustomerProfileInput | null | undefined;
};

/** Public display fields only. Payment, government-id and credential data is refused. */
export type CustomerProfileInput = {
  /** The URL of a picture. */
  avatarUrl?: string | null | undefined;
  /** The URL of a banner. */
  bannerUrl?: string | null | undefined;
  /** A text about the customer, in Markdown. */
  bioMarkdown?: string | null | undefined;
  /** Where the customer says to be. */
  publicLocation?: PublicLocationInput | null | undefined;
  /** A name that is shown. */
  username?: string | null | undefined;
};

/** A claim as a source observed it. */
export type IngestClaimInput = {
  /** The name of the attribute: a lower-case letter, then letters, digits, `_` and `.`, up to 128 characters. */
  attribute: string;
  /** How probable it is, 0 to 1. */
  confidence: number;
  /** The purpose under which it was collected. */
  consentPurpose: ConsentPurpose;
  /** The circumstances of the observation. */
  context?: string | null | undefined;
  /** The customer, `cus_…`. */
  customerId: string | number;
  /** When the source observed it. */
  observedAt: string;
  /** Where it came from. */
  provenance: ProvenanceInput;
  /** Who says it. Repeats of one source count once. */
  source: string;
  /** The value: a string, number, boolean, object, or array of strings. */
  value: unknown;
};

/** Where a claim came from. */
export type ProvenanceInput = {
  /** When it was collected. */
  collectedAt: string;
  /** A URL of what proves it. */
  evidenceUrl?: string | null | undefined;
  /** The partner from whom it came. */
  sourcePartner: string;
  /** The partner's system from which it came. */
  sourceSystem?: string | null | undefined;
};

/** Where a customer says to be. */
export type PublicLocationInput = {
  /** A city. */
  city?: string | null | undefined;
  /** A country. */
  country?: string | null | undefined;
  /** A code of a metropolitan area. */
  metroCode?: string | null | undefined;
  /** A state or region. */
  state?: string | null | undefined;
};

/** Why consent was withdrawn. */
export type RevocationReason =
  /** The account was disconnected. */
  | 'ACCOUNT_DISCONNECTED'
  /** Anything else. */
  | 'OTHER'
  /** The partner wished it. */
  | 'PARTNER_REQUEST'
  /** The terms changed. */
  | 'POLICY_CHANGE'
  /** The person wished it. */
  | 'USER_REQUEST';

/** What to withdraw. */
export type RevokeConsentReceiptInput = {
  /** The partner's note: kept with the receipt, and part of what the person can export. */
  note?: string | null | undefined;
  /** Absent: every purpose on the receipt. */
  purposes?: Array<ConsentPurpose> | null | undefined;
  /** Default: other. */
  reason?: RevocationReason | null | undefined;
};

/** What an upsert did. */
export type UpsertStatus =
  /** It was not there and was created. */
  | 'CREATED'
  /** It was there and said the same already. */
  | 'UNCHANGED'
  /** It was there and was changed. */
  | 'UPDATED';

/** How far asynchronous work has come. */
export type WorkflowStatus =
  /** The work is durable and waits. */
  | 'ACCEPTED'
  /** The work is done. Terminal. */
  | 'COMPLETED'
  /** The work was given up; `error` says why. An operator can retry it. */
  | 'FAILED'
  /** The work is being done. */
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