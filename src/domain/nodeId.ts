import { ONTOLOGY_ID } from './catalog/Ontology.js';

/** What an id of `Query.node` refers to: the type, and the id for the root field of that type. */
export interface NodePlace {
  type: NodeType;
  id: string;
}

export type NodeType = (typeof BY_PREFIX)[keyof typeof BY_PREFIX] | 'Ontology';

const BY_PREFIX = {
  app: 'App',
  cus: 'Customer',
  cs: 'ConnectionSession',
  rcp: 'ConsentReceipt',
  ent: 'Entry',
  evt: 'Event',
  wf: 'Workflow',
  whd: 'WebhookDelivery',
  whe: 'WebhookEndpoint',
} as const;

const TYPE_ID = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/;

/** Prefix of entry ids that a partner chose: they could equal ids of other types. No other id has a colon. */
const OWN_ENTRY = 'entry:';

/** Undefined when the id belongs to no readable type. */
export function placeOfNode(id: string): NodePlace | undefined {
  if (id.startsWith(OWN_ENTRY)) return { type: 'Entry', id: id.slice(OWN_ENTRY.length) };
  const [, prefix] = TYPE_ID.exec(id) ?? [];
  if (prefix === undefined) return ONTOLOGY_ID.test(id) ? { type: 'Ontology', id } : undefined;
  return isKnown(prefix) ? { type: BY_PREFIX[prefix], id } : undefined;
}

/** An entry's id for `Query.node`. */
export function entryNodeId(entryId: string): string {
  return placeOfNode(entryId)?.type === 'Entry' && !entryId.startsWith(OWN_ENTRY)
    ? entryId
    : OWN_ENTRY + entryId;
}

function isKnown(prefix: string): prefix is keyof typeof BY_PREFIX {
  return Object.hasOwn(BY_PREFIX, prefix);
}
