/** What a subscription can watch; each is a kind of hint that triggers send (`live-hints` migration). */
export type TopicKind = 'session' | 'workflow' | 'consent' | 'profile' | 'event' | 'delivery';

/** The subject of a subscription, of one app. */
export interface Topic {
  kind: TopicKind;
  appId: string;
  id: string;
}

/** Which argument of a subscription field names its subject. Stands in the field's extensions. */
export interface TopicOfField {
  kind: TopicKind;
  argument: string;
}

/** The hints that wake a topic: the gate of a profile changes with the customer's consent. */
export function wakersOf({ kind, appId, id }: Topic): string[] {
  const own = `${kind}:${appId}:${id}`;
  return kind === 'profile' ? [own, `consent:${appId}:${id}`] : [own];
}

/** Whether what the topic shows depends on the purposes that the app is allowed. */
export function isGated({ kind }: Topic): boolean {
  return kind === 'profile' || kind === 'event' || kind === 'delivery';
}

/**
 * The customer whose head must be held while something of the topic is sent: SQL over app and subject.
 * Undefined: no one's.
 */
export const CUSTOMER_OF: Readonly<Partial<Record<TopicKind, string>>> = {
  profile: '$2',
  event: `(SELECT customer_id FROM events WHERE app_id = $1 AND event_id = $2
           UNION ALL SELECT customer_id FROM inbox WHERE app_id = $1 AND item_id = $2 LIMIT 1)`,
  delivery: '(SELECT customer_id FROM webhook_deliveries WHERE app_id = $1 AND delivery_id = $2)',
};
