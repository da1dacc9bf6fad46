import { registerEnumType } from 'type-graphql';
import { PURPOSES } from '../src/domain/purposes.js';
import { FIELD_TYPES } from '../src/domain/catalog/Ontology.js';
import { INTENT_CATEGORIES } from '../src/domain/intents/IntentRules.js';
import { CUSTOMER_ORDERS, LIST_ORDERS } from '../src/domain/listOrder.js';
import { OVERVIEW_WINDOWS } from '../src/domain/overview/overviewWindow.js';

/** Registers an enum whose GraphQL names are the REST values in upper case. */
function spelled<T extends string>(
  name: string,
  description: string,
  values: readonly T[],
): Record<string, T> {
  const members = Object.fromEntries(
    values.map((value) => [value.toUpperCase().replaceAll('.', '_'), value]),
  );
  registerEnumType(members, { name, description });
  return members;
}

export const ClientType = spelled('ClientType', 'Whether a client can keep a secret (OAuth 2.1, 2.1).', [
  'public',
  'confidential',
]);
export const ListOrder = spelled('ListOrder', 'The order of a list.', LIST_ORDERS);
export const CustomerOrder = spelled('CustomerOrder', 'The order of a list of customers.', CUSTOMER_ORDERS);
export const SecretExpiry = spelled('SecretExpiry', 'When a secret that is replaced ends.', [
  'now',
  'in_24h',
]);
export const AppStatus = spelled('AppStatus', 'A disabled app is refused everywhere, at once.', [
  'active',
  'disabled',
]);
export const PurposeStatus = spelled('PurposeStatus', 'The state of one purpose.', ['granted', 'revoked']);
export const ReceiptStatus = spelled('ReceiptStatus', 'The state of a receipt as a whole.', [
  'active',
  'partially_revoked',
  'revoked',
]);
export const RevocationReason = spelled('RevocationReason', 'Why consent was withdrawn.', [
  'user_request',
  'partner_request',
  'policy_change',
  'account_disconnected',
  'other',
]);
export const ConnectionSessionStatus = spelled('ConnectionSessionStatus', 'How far a connection has come.', [
  'created',
  'authorized',
  'completed',
  'expired',
  'revoked',
]);
export const DecidingGate = spelled('DecidingGate', 'The gate that decided a denied or empty read.', [
  'scope',
  'purpose',
  'receipt',
  'epoch',
]);
export const ViewerKind = spelled('ViewerKind', 'What kind of credential a request carries.', [
  'account',
  'client',
  'operator',
]);
export const UpsertStatus = spelled('UpsertStatus', 'What an upsert did.', [
  'created',
  'updated',
  'unchanged',
]);
export const WorkflowType = spelled('WorkflowType', 'What a workflow does.', [
  'consent_revocation_cascade',
  'profile_recompute',
  'ontology_fields_rebuild',
  'webhook_delivery',
]);
export const WorkflowStatus = spelled('WorkflowStatus', 'How far asynchronous work has come.', [
  'accepted',
  'running',
  'completed',
  'failed',
]);
export const AcceptanceStatus = spelled('AcceptanceStatus', 'What became of one item of a batch.', [
  'accepted',
  'rejected',
]);
export const WebhookEndpointStatus = spelled(
  'WebhookEndpointStatus',
  'A disabled endpoint is sent nothing.',
  ['active', 'disabled'],
);
export const WebhookDisabledReason = spelled('WebhookDisabledReason', 'Why an endpoint is disabled.', [
  'gone',
  'failing',
  'requested',
]);
export const WebhookDeliveryStatus = spelled(
  'WebhookDeliveryStatus',
  'What became of a message to one endpoint.',
  ['pending', 'delivered', 'failed', 'dropped'],
);
export const ConsentPurpose = spelled(
  'ConsentPurpose',
  'What a person allows their data to be used for. Data of one purpose never serves another.',
  PURPOSES,
);
export const OntologyFieldType = spelled('OntologyFieldType', 'What a field of an entry holds.', FIELD_TYPES);
export const ImageUploadStatus = spelled('ImageUploadStatus', "How far an entry's images have come.", [
  'uploaded',
  'staged',
  'missing',
]);
export const EventStatus = spelled('EventStatus', 'What has become of an event.', [
  'accepted',
  'processing',
  'processed',
  'rejected',
  'failed',
]);
export const IntentCategoryType = spelled(
  'IntentCategory',
  'What kind of intent events make.',
  INTENT_CATEGORIES,
);
export const OverviewWindowType = spelled(
  'OverviewWindow',
  'A span of time up to now: in steps of an hour (24 hours), six hours (7 days) or a day (30 and 90 days).',
  OVERVIEW_WINDOWS,
);
export const ConsentAction = spelled('ConsentAction', 'What a consent decision did.', ['granted', 'revoked']);
export const ConsentDecider = spelled('ConsentDecider', 'Who took a consent decision.', [
  'person',
  'partner',
]);
export const HalfLifeOrigin = spelled(
  'HalfLifeOrigin',
  "Where a half-life comes from: the operator's registry, how often sources change what they said, or neither (730 days).",
  ['configured', 'learned', 'default'],
);
export const DependenceModel = spelled(
  'DependenceModel',
  'How sources that are not independent are accounted for: not at all, by pairs of which one copies (of that half counts, or all), or by feeds that several republish.',
  ['independent', 'tempered_pairs', 'pairs', 'feeds'],
);
