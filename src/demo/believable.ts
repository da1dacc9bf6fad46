import { DAY_MS } from '../domain/timestamp.js';

/**
 * Realistic demo data, the same for the same seed: customers, claims of sources about them, and their events.
 */

const CITIES = [
  ['Lisbon', 'PT'], ['Porto', 'PT'], ['Madrid', 'ES'], ['Valencia', 'ES'], ['Lyon', 'FR'], ['Nantes', 'FR'],
  ['Hamburg', 'DE'], ['Leipzig', 'DE'], ['Graz', 'AT'], ['Basel', 'CH'], ['Ghent', 'BE'], ['Utrecht', 'NL'],
] as const; // prettier-ignore
const FIRST = [
  'mira',
  'jonas',
  'ines',
  'tomas',
  'lea',
  'paul',
  'nora',
  'emil',
  'sofia',
  'hugo',
  'clara',
  'noah',
];
const SECOND = [
  'harbour',
  'meadow',
  'stone',
  'river',
  'birch',
  'lantern',
  'cloud',
  'willow',
  'ember',
  'north',
];
const INTERESTS = [
  'sailing',
  'cycling',
  'cooking',
  'gardening',
  'photography',
  'reading',
  'running',
  'climbing',
];

/** The accuracy of each source; `follows` names the source that it copies. */
const SOURCES: readonly { name: string; accuracy: number; follows?: string }[] = [
  { name: 'crm', accuracy: 0.95 },
  { name: 'mobile_app', accuracy: 0.9 },
  { name: 'loyalty_card', accuracy: 0.85 },
  { name: 'purchased_list', accuracy: 0.6 },
  { name: 'list_reseller', accuracy: 0.6, follows: 'purchased_list' },
];

const ATTRIBUTES: Readonly<Record<string, (random: Random) => unknown>> = {
  'home.city': (random) => random.pick(CITIES)[0],
  'contact.language': (random) => random.pick(['pt', 'es', 'fr', 'de', 'nl', 'en']),
  'contact.channel': (random) => random.pick(['email', 'sms', 'post', 'none']),
  'household.size': (random) => 1 + random.below(5),
  'vehicle.owner': (random) => random.chance(0.4),
  interests: (random) => [random.pick(INTERESTS), random.pick(INTERESTS)].toSorted(),
};

const EVENT_TYPES = ['viewed', 'viewed', 'viewed', 'liked', 'purchased', 'shared', 'reviewed', 'subscribed'];

/** Deterministic pseudo-random choices (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  }
}

export function believableCustomer(random: Random, index: number): { external_id: string; profile: object } {
  const [city, country] = random.pick(CITIES);
  return {
    external_id: `member-${String(index).padStart(5, '0')}`,
    profile: { username: `${random.pick(FIRST)}_${random.pick(SECOND)}`, public_location: { city, country } },
  };
}

/** The sources' claims about a customer. A tenth of them are years old, and one source copies another. */
export function believableClaims(random: Random, customerId: string, purpose: string, now: Date): object[] {
  return Object.entries(ATTRIBUTES).flatMap(([attribute, draw]) => {
    const truth = draw(random);
    const said = new Map<string, unknown>();
    for (const { name, accuracy, follows } of SOURCES) {
      if (random.chance(0.45)) continue;
      const copied = follows === undefined ? undefined : said.get(follows);
      said.set(name, copied ?? (random.chance(accuracy) ? truth : draw(random)));
    }
    return [...said].map(([source, value]) => {
      const age = random.chance(0.1) ? 900 + random.below(900) : random.below(90);
      const observedAt = new Date(now.getTime() - age * DAY_MS - random.below(DAY_MS)).toISOString();
      const provenance = { source_partner: 'Demo app', source_system: source, collected_at: observedAt };
      const claim = { customer_id: customerId, attribute, value, source, observed_at: observedAt };
      return { ...claim, consent_purpose: purpose, confidence: 0.6 + random.below(40) / 100, provenance };
    });
  });
}

/** Up to eight events within the last 90 days, oldest first. */
export function believableEvents(
  random: Random,
  customerId: string,
  objects: readonly string[],
  purpose: string,
  now: Date,
): object[] {
  const ages = Array.from({ length: random.below(9) }, () => random.below(90 * DAY_MS));
  return ages
    .toSorted((a, b) => b - a)
    .map((age) => ({
      customer_id: customerId,
      event_type: random.pick(EVENT_TYPES),
      object: random.pick(objects),
      consent_purpose: purpose,
      occurred_at: new Date(now.getTime() - age).toISOString(),
    }));
}

export function believableProducts(
  random: Random,
  count: number,
): { name: string; category: string; price: number }[] {
  const kinds = ['jacket', 'boots', 'lamp', 'tent', 'kettle', 'map', 'bicycle', 'camera'];
  return Array.from({ length: count }, (_, index) => {
    const kind = random.pick(kinds);
    const category = ['lamp', 'kettle'].includes(kind) ? 'home' : 'outdoor';
    return { name: `${random.pick(SECOND)} ${kind} ${index + 1}`, category, price: 10 + random.below(300) };
  });
}
