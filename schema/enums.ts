import { registerEnumType } from 'type-graphql';
import { purposeMeaning, PURPOSES } from '../src/domain/purposes.js';
import type { FieldType } from '../src/domain/catalog/Ontology.js';
import type { IntentCategory } from '../src/domain/intents/IntentRules.js';
import type { CustomerOrder as CustomerOrders, ListOrder as ListOrders } from '../src/domain/listOrder.js';
import type { OverviewWindow } from '../src/domain/overview/overviewWindow.js';
import type {
  WorkflowStatus as WorkflowStatuses,
  WorkflowType as WorkflowTypes,
} from '../src/domain/workflows.js';

/**
 * Registers an enum whose GraphQL names are the REST values in upper case.
 *
 * @param words the description of each value
 */
function spelled<T extends string>(
  name: string,
  description: string,
  words: Readonly<Record<T, string>>,
): Record<string, T> {
  const values = Object.keys(words) as T[];
  const members = Object.fromEntries(values.map((value) => [memberOf(value), value]));
  const valuesConfig = Object.fromEntries(
    values.map((value) => [memberOf(value), { description: words[value] }]),
  );
  registerEnumType(members, { name, description, valuesConfig });
  return members;
}

function memberOf(value: string): string {
  return value.toUpperCase().replaceAll('.', '_');
}

export const ClientType = spelled('ClientType', 'Whether a client can keep a secret (OAuth 2.1, 2.1).', {
  public: 'The client cannot keep a secret: a browser, a phone. It has PKCE alone.',
  confidential: 'The client has a secret and may use client credentials.',
});
export const ListOrder = spelled<ListOrders>('ListOrder', 'The order of a list.', {
  newest_first: 'The last created first.',
  oldest_first: 'The first created first.',
});
export const CustomerOrder = spelled<CustomerOrders>('CustomerOrder', 'The order of a list of customers.', {
  newest_first: 'The last created first.',
  oldest_first: 'The first created first.',
  external_id:
    "By the bytes of the partner's identifier. Goes with the filters `externalId` and `externalIdPrefix` only.",
});
export const SecretExpiry = spelled('SecretExpiry', 'When a secret that is replaced ends.', {
  now: 'At once.',
  in_24h: 'After 24 hours, in which both are good.',
});
export const AppStatus = spelled('AppStatus', 'A disabled app is refused everywhere, at once.', {
  active: 'The app may call the service.',
  disabled: 'Every credential of the app is refused.',
});
export const PurposeStatus = spelled('PurposeStatus', 'The state of one purpose.', {
  granted: 'The purpose is granted.',
  revoked: 'The purpose is revoked.',
});
export const ReceiptStatus = spelled('ReceiptStatus', 'The state of a receipt as a whole.', {
  active: 'No purpose of the receipt is revoked.',
  partially_revoked: 'Some purposes of the receipt are revoked.',
  revoked: 'Every purpose of the receipt is revoked.',
});
export const RevocationReason = spelled('RevocationReason', 'Why consent was withdrawn.', {
  user_request: 'The person wished it.',
  partner_request: 'The partner wished it.',
  policy_change: 'The terms changed.',
  account_disconnected: 'The account was disconnected.',
  other: 'Anything else.',
});
export const ConnectionSessionStatus = spelled('ConnectionSessionStatus', 'How far a connection has come.', {
  created: 'The link waits for the person.',
  authorized: 'The person approved at least one purpose; the partner may record the receipt.',
  completed: 'The receipt was recorded. Terminal.',
  expired: 'Its time is over. Terminal.',
  revoked: 'It was declined, canceled, or its last approval was taken back. Terminal.',
});
export const DecidingGate = spelled('DecidingGate', 'The gate that decided a denied or empty read.', {
  scope: 'The token lacks a scope.',
  purpose: 'The app may not use the purpose.',
  receipt: 'The customer has not granted the purpose now.',
  epoch: 'The purpose was granted anew, and nothing was collected since.',
});
export const ViewerKind = spelled('ViewerKind', 'What kind of credential a request carries.', {
  account: 'A token of a person who signed in.',
  client: 'A token of the app itself, by its client credentials.',
  operator: 'An administrative key.',
});
export const UpsertStatus = spelled('UpsertStatus', 'What an upsert did.', {
  created: 'It was not there and was created.',
  updated: 'It was there and was changed.',
  unchanged: 'It was there and said the same already.',
});
export const WorkflowType = spelled<WorkflowTypes>('WorkflowType', 'What a workflow does.', {
  consent_revocation_cascade: 'Erases what was collected under purposes that were revoked.',
  profile_recompute:
    'Resolves facts anew: of a customer whose claims came in, or of all customers of a purpose after learning.',
  ontology_fields_rebuild: 'Makes the filter index of an ontology anew.',
  webhook_delivery: 'Delivers a webhook to one endpoint.',
});
export const WorkflowStatus = spelled<WorkflowStatuses>(
  'WorkflowStatus',
  'How far asynchronous work has come.',
  {
    accepted: 'The work is durable and waits.',
    running: 'The work is being done.',
    completed: 'The work is done. Terminal.',
    failed: 'The work was given up; `error` says why. An operator can retry it.',
  },
);
export const AcceptanceStatus = spelled('AcceptanceStatus', 'What became of one item of a batch.', {
  accepted: 'The item is durable and will be processed.',
  rejected: 'The item was refused; its `error` says why. The others of its batch stand.',
});
export const WebhookEndpointStatus = spelled(
  'WebhookEndpointStatus',
  'A disabled endpoint is sent nothing.',
  {
    active: 'Messages are sent.',
    disabled: 'Nothing is sent.',
  },
);
export const WebhookDisabledReason = spelled('WebhookDisabledReason', 'Why an endpoint is disabled.', {
  gone: 'The endpoint answered 410.',
  failing: 'Nothing but failure for five days.',
  requested: 'It was disabled by request.',
});
export const WebhookDeliveryStatus = spelled(
  'WebhookDeliveryStatus',
  'What became of a message to one endpoint.',
  {
    pending: 'It waits for its first or its next attempt.',
    delivered: 'The endpoint answered 2xx.',
    failed: 'It was given up, as `errorCode` says; it can be sent again.',
    dropped: 'It may not be sent any more.',
  },
);
export const ConsentPurpose = spelled(
  'ConsentPurpose',
  'What a person allows their data to be used for. Data of one purpose never serves another.',
  Object.fromEntries(PURPOSES.map((purpose) => [purpose, purposeMeaning(purpose)])),
);
export const OntologyFieldType = spelled<FieldType>('OntologyFieldType', 'What a field of an entry holds.', {
  string: 'A text.',
  number: 'A number.',
  integer: 'A whole number from -(2^53 - 1) to 2^53 - 1.',
  boolean: 'True or false.',
  date_time: 'An RFC 3339 date-time.',
  string_array: 'A list of texts.',
  object: 'A JSON object.',
});
export const ImageUploadStatus = spelled('ImageUploadStatus', "How far an entry's images have come.", {
  uploaded: 'The images are there.',
  staged: 'The images are on their way.',
  missing: 'There are no images.',
});
export const EventStatus = spelled('EventStatus', 'What has become of an event.', {
  accepted: 'The event is durable and waits for its turn.',
  processing: 'Processing began and is tried again.',
  processed: 'The event took effect.',
  rejected: 'Consent was withdrawn before the event was processed.',
  failed: 'Processing failed six times and was given up.',
});
export const IntentCategoryType = spelled<IntentCategory>(
  'IntentCategory',
  'What kind of intent events make.',
  {
    outcome: 'Something was achieved: bought, subscribed, completed.',
    sentiment: 'An opinion: liked, disliked, rated, reviewed.',
    affiliate: 'A bond: shared, referred, followed.',
    habit: 'The same event with the same object on three or more days of thirty.',
    activation: 'A beginning: signed up, installed, connected.',
  },
);
export const OverviewWindowType = spelled<OverviewWindow>(
  'OverviewWindow',
  'A span of time up to now: in steps of an hour (24 hours), six hours (7 days) or a day (30 and 90 days).',
  {
    hours_24: 'The last 24 hours.',
    days_7: 'The last 7 days.',
    days_30: 'The last 30 days.',
    days_90: 'The last 90 days.',
  },
);
export const ConsentAction = spelled('ConsentAction', 'What a consent decision did.', {
  granted: 'Purposes were granted.',
  revoked: 'Purposes were revoked.',
});
export const ConsentDecider = spelled('ConsentDecider', 'Who took a consent decision.', {
  person: 'The person, on a page of the service.',
  partner: 'The partner, through the API.',
});
export const HalfLifeOrigin = spelled(
  'HalfLifeOrigin',
  "Where a half-life comes from: the operator's registry, how often sources change what they said, or neither (730 days).",
  {
    configured: 'The operator set it for the attribute.',
    learned: 'It was learned from how values changed.',
    default: 'It is the one of all attributes.',
  },
);
export const DependenceModel = spelled(
  'DependenceModel',
  'How sources that are not independent are accounted for: not at all, by pairs of which one copies (of that half counts, or all), or by feeds that several republish.',
  {
    independent: 'Sources err independently of each other.',
    tempered_pairs: 'Some sources copy single others, and half of that counts.',
    pairs: 'Some sources copy single others.',
    feeds: 'Groups of sources repeat a feed that they share.',
  },
);
