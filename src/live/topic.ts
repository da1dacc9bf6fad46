/** What a subscription can watch. Each is a kind of notice that triggers send (`live-hints` migration). */
export type TopicKind = 'session' | 'workflow' | 'consent' | 'profile' | 'event' | 'delivery';

/** The subject of a subscription, of one app. */
export interface Topic {
  kind: TopicKind;
  appId: string;
  id: string;
}

/** Which argument of a subscription field is the id of its subject. Stored in the field's extensions. */
export interface TopicOfField {
  kind: TopicKind;
  argument: string;
}

/** The notices that wake a topic. A profile's gate also changes with the customer's consent. */
export function wakersOf({ kind, appId, id }: Topic): string[] {
  const own = `${kind}:${appId}:${id}`;
  return kind === 'profile' ? [own, `consent:${appId}:${id}`] : [own];
}

/** Whether the content of the topic depends on the app's allowed purposes. */
export function isGated({ kind }: Topic): boolean {
  return kind === 'profile' || kind === 'event' || kind === 'delivery';
}

/**
 * The customer whose head must be locked while an event of the topic is sent: SQL over app and subject.
 * Undefined: no lock is needed.
 */
export const CUSTOMER_OF: Readonly<Partial<Record<TopicKind, string>>> = {
  profile: '$2',
  event: `(SELECT customer_id FROM events WHERE app_id = $1 AND event_id = $2
           UNION ALL
           SELECT customer_id FROM inbox WHERE app_id = $1 AND item_id = $2 AND kind = 'event' LIMIT 1)`,
  delivery: '(SELECT customer_id FROM webhook_deliveries WHERE app_id = $1 AND delivery_id = $2)',
};
