import { purposeMeaning, PURPOSES } from '../../src/domain/purposes.js';

/** What the values of enums mean, by type and by the spelling of REST. */
export const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AcceptanceStatus: {
    accepted: 'The item is durable and will be processed.',
    rejected: 'The item was refused; its `error` says why. The others of its batch stand.',
  },
  AppStatus: { active: 'The app may call the service.', disabled: 'Every credential of the app is refused.' },
  ClientType: {
    public: 'The client cannot keep a secret: a browser, a phone. It has PKCE alone.',
    confidential: 'The client has a secret and may use client credentials.',
  },
  ConnectionSessionStatus: {
    created: 'The link waits for the person.',
    authorized: 'The person approved at least one purpose; the partner may record the receipt.',
    completed: 'The receipt was recorded. Terminal.',
    expired: 'Its time is over. Terminal.',
    revoked: 'It was declined, canceled, or its last approval was taken back. Terminal.',
  },
  ConsentAction: { granted: 'Purposes were granted.', revoked: 'Purposes were revoked.' },
  ConsentDecider: {
    partner: 'The partner, through the API.',
    person: 'The person, on a page of the service.',
  },
  ConsentPurpose: Object.fromEntries(PURPOSES.map((purpose) => [purpose, purposeMeaning(purpose)])),
  DecidingGate: {
    scope: 'The token lacks a scope.',
    purpose: 'The app may not use the purpose.',
    receipt: 'The customer has not granted the purpose now.',
    epoch: 'The purpose was granted anew, and nothing was collected since.',
  },
  DependenceModel: {
    independent: 'Sources err independently of each other.',
    pairs: 'Some sources copy single others.',
    tempered_pairs: 'Some sources copy single others, and half of that counts.',
    feeds: 'Groups of sources repeat a feed that they share.',
  },
  EventStatus: {
    accepted: 'The event is durable and waits for its turn.',
    processing: 'Processing began and is tried again.',
    processed: 'The event took effect.',
    rejected: 'Consent was withdrawn before the event was processed.',
    failed: 'Processing failed six times and was given up.',
  },
  HalfLifeOrigin: {
    configured: 'The operator set it for the attribute.',
    default: 'It is the one of all attributes.',
    learned: 'It was learned from how values changed.',
  },
  ImageUploadStatus: {
    uploaded: 'The images are there.',
    staged: 'The images are on their way.',
    missing: 'There are no images.',
  },
  IntentCategory: {
    outcome: 'Something was achieved: bought, subscribed, completed.',
    sentiment: 'An opinion: liked, disliked, rated, reviewed.',
    affiliate: 'A bond: shared, referred, followed.',
    habit: 'The same event with the same object on three or more days of thirty.',
    activation: 'A beginning: signed up, installed, connected.',
  },
  OntologyFieldType: {
    string: 'A text.',
    number: 'A number.',
    integer: 'A whole number.',
    boolean: 'True or false.',
    date_time: 'An RFC 3339 date-time.',
    string_array: 'A list of texts.',
    object: 'A JSON object.',
  },
  OverviewWindow: {
    hours_24: 'The last 24 hours.',
    days_7: 'The last 7 days.',
    days_30: 'The last 30 days.',
    days_90: 'The last 90 days.',
  },
  PurposeStatus: { granted: 'The purpose is granted.', revoked: 'The purpose is revoked.' },
  ReceiptStatus: {
    active: 'No purpose of the receipt is revoked.',
    partially_revoked: 'Some purposes of the receipt are revoked.',
    revoked: 'Every purpose of the receipt is revoked.',
  },
  RevocationReason: {
    user_request: 'The person wished it.',
    partner_request: 'The partner wished it.',
    policy_change: 'The terms changed.',
    account_disconnected: 'The account was disconnected.',
    other: 'Anything else.',
  },
  SecretExpiry: { now: 'At once.', in_24h: 'After 24 hours, in which both are good.' },
  UpsertStatus: {
    created: 'It was not there and was created.',
    updated: 'It was there and was changed.',
    unchanged: 'It was there and said the same already.',
  },
  ViewerKind: {
    account: 'A token of a person who signed in.',
    client: 'A token of the app itself, by its client credentials.',
    operator: 'An administrative key.',
  },
  ListOrder: {
    newest_first: 'The last created first.',
    oldest_first: 'The first created first.',
  },
  CustomerOrder: {
    newest_first: 'The last created first.',
    oldest_first: 'The first created first.',
    external_id:
      "By the bytes of the partner's identifier. Goes with the filters `externalId` and `externalIdPrefix` only.",
  },
  WebhookDeliveryStatus: {
    pending: 'It waits for its first or its next attempt.',
    delivered: 'The endpoint answered 2xx.',
    failed: 'Every attempt failed.',
    dropped: 'It may not be sent any more.',
  },
  WebhookDisabledReason: {
    gone: 'The endpoint answered 410.',
    failing: 'Nothing but failure for five days.',
    requested: 'It was disabled by request.',
  },
  WebhookEndpointStatus: { active: 'Messages are sent.', disabled: 'Nothing is sent.' },
  WorkflowStatus: {
    accepted: 'The work is durable and waits.',
    running: 'The work is being done.',
    completed: 'The work is done. Terminal.',
    failed: 'The work was given up; `error` says why. An operator can retry it.',
  },
  WorkflowType: {
    consent_revocation_cascade: 'Erases what was collected under purposes that were revoked.',
    profile_recompute: "Resolves a customer's facts anew.",
    ontology_fields_rebuild: 'Makes the filter index of an ontology anew.',
    webhook_delivery: 'Delivers a webhook that was asked for by hand.',
  },
};
