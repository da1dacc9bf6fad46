import { DAY_MS } from '../timestamp.js';
import { groupBy } from '../groupBy.js';
import { initialAccuracies } from '../resolution/initialAccuracies.js';
import { resolveFact } from '../resolution/resolveFact.js';
import { retention } from '../resolution/truthFilter.js';
import { INTENT_CATEGORIES } from './IntentRules.js';
import type { IntentCategory, IntentRules } from './IntentRules.js';

/** A processed event of one customer, purpose and object. */
export interface IntentEvent {
  /** Its place in the customer's series of events and claims. */
  sequence: number;
  eventType: string;
  /** The category of the event alone; null: none. */
  category: IntentCategory | null;
  /** Whether the event named its category; the rules do not apply then. */
  overridden: boolean;
  source: string;
  confidence: number;
  /** In milliseconds since 1970. */
  occurredMs: number;
}

export interface Intent {
  category: IntentCategory;
  /** Probability that the intent holds, resolved as a fact that each event claims. */
  confidence: number;
  /** Its events, newest first. */
  events: IntentEvent[];
}

/** Most events that an intent lists as its evidence. */
export const MAX_INTENT_EVIDENCE = 20;

/** Nothing is learned of the sources of events. */
const ACCURACIES = initialAccuracies();

/** Probability of any one value before anything is known. */
const PRIOR = 1 / (1 + 1 / ACCURACIES.falseAgreement);

/** The intents of one object's events. The order of the events does not matter. */
export function intentsOf(events: readonly IntentEvent[], rules: IntentRules, now: Date): Intent[] {
  const newestFirst = events.toSorted((a, b) => compareNewest(a, b));
  const habitual = habitualEvents(newestFirst, rules);
  return INTENT_CATEGORIES.flatMap((category) => {
    const own = newestFirst.filter(
      (event) => event.category === category || (category === 'habit' && habitual.has(event)),
    );
    if (own.length === 0) return [];
    return [{ category, confidence: confidenceOf(own, rules.halfLifeDays[category], now), events: own }];
  });
}

function compareNewest(a: IntentEvent, b: IntentEvent): number {
  return b.occurredMs - a.occurredMs || b.sequence - a.sequence;
}

/** Events that form a habit: their type occurred on enough distinct days close together. */
function habitualEvents(events: readonly IntentEvent[], rules: IntentRules): Set<IntentEvent> {
  const byType = groupBy(
    events.filter(({ overridden }) => !overridden),
    ({ eventType }) => eventType,
  );
  const habitual = [...byType.values()].flatMap((sameType) => {
    const days = habitDays(sameType.map(dayOf), rules);
    return sameType.filter((event) => days.has(dayOf(event)));
  });
  return new Set(habitual);
}

function habitDays(days: readonly number[], { habit }: IntentRules): Set<number> {
  const sorted = [...new Set(days)].toSorted((a, b) => a - b);
  const found = new Set<number>();
  for (const [index, first] of sorted.entries()) {
    const close = sorted.slice(index).filter((day) => day - first < habit.within);
    if (close.length >= habit.days) for (const day of close) found.add(day);
  }
  return found;
}

function dayOf({ occurredMs }: IntentEvent): number {
  return Math.floor(occurredMs / DAY_MS);
}

/**
 * Each event claims that the intent holds. Sources and ages weigh as in profiles (docs/contract.md#profiles).
 */
function confidenceOf(events: readonly IntentEvent[], halfLifeDays: number, now: Date): number {
  const claims = newestOfEach(events).map(({ source, occurredMs, sequence, confidence }) => ({
    id: String(sequence),
    attribute: 'intent',
    value: true,
    source,
    observedAt: new Date(occurredMs).toISOString(),
    sequence,
    confidence,
  }));
  return resolveFact(claims, ACCURACIES, { type: 'json', method: 'vote', halfLifeDays }, now).confidence;
}

/**
 * The confidence now of what was resolved earlier and has had no event since: the truth stays with a
 * probability that halves in a half-life, and is drawn anew otherwise, as at the end of `resolveFact`. It
 * ages by whole days, as facts do, so that two reads of a day agree.
 */
export function agedConfidence(confidence: number, halfLifeDays: number, since: Date, now: Date): number {
  const days = Math.floor((now.getTime() - since.getTime()) / DAY_MS);
  return PRIOR + (confidence - PRIOR) * retention(days, halfLifeDays);
}

/** The first event of each source: repeats by one source count once. */
function newestOfEach(newestFirst: readonly IntentEvent[]): IntentEvent[] {
  const newest = new Map<string, IntentEvent>();
  for (const event of newestFirst) if (!newest.has(event.source)) newest.set(event.source, event);
  return [...newest.values()];
}
