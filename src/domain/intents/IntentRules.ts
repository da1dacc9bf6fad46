/** Kinds of intents (docs/contract.md#intents). */
export const INTENT_CATEGORIES = ['outcome', 'sentiment', 'affiliate', 'habit', 'activation'] as const;

export type IntentCategory = (typeof INTENT_CATEGORIES)[number];

/** How events become intents (docs/contract.md#intents). */
export interface IntentRules {
  /** The category of each event type. Other types have none. */
  types: Readonly<Record<string, IntentCategory>>;
  /** Half-life in days of an event's weight, by category. */
  halfLifeDays: Readonly<Record<IntentCategory, number>>;
  /** A habit: the same type and object on `days` distinct days (UTC) within `within` days. */
  habit: { days: number; within: number };
}

export const DEFAULT_INTENT_RULES: IntentRules = {
  types: {
    purchased: 'outcome',
    converted: 'outcome',
    subscribed: 'outcome',
    completed: 'outcome',
    liked: 'sentiment',
    disliked: 'sentiment',
    rated: 'sentiment',
    reviewed: 'sentiment',
    shared: 'affiliate',
    referred: 'affiliate',
    followed: 'affiliate',
    signed_up: 'activation',
    installed: 'activation',
    connected: 'activation',
  },
  halfLifeDays: { outcome: 365, sentiment: 180, affiliate: 180, habit: 60, activation: 365 },
  habit: { days: 3, within: 30 },
};

/** The category of a single event: its own, or else its type's. */
export function categoryOf(
  rules: IntentRules,
  eventType: string,
  own: string | undefined,
): IntentCategory | null {
  if (own !== undefined) return INTENT_CATEGORIES.find((category) => category === own) ?? null;
  return Object.hasOwn(rules.types, eventType) ? (rules.types[eventType] ?? null) : null;
}
