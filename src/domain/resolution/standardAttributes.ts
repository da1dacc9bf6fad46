import type { AttributeRegistry } from './attributeRule.js';

/** Rules of attributes with unambiguous names. The operator's registry adds to and overrides them. */
export const STANDARD_ATTRIBUTES: AttributeRegistry = {
  name: { type: 'person_name' },
  full_name: { type: 'person_name' },
  person_name: { type: 'person_name' },
  authors: { type: 'person_names' },
  birth_date: { type: 'date', halfLifeDays: Infinity },
  date_of_birth: { type: 'date', halfLifeDays: Infinity },
  address: { type: 'address' },
  home_address: { type: 'address' },
  postal_address: { type: 'address' },
  billing_address: { type: 'address' },
  shipping_address: { type: 'address' },
  last_seen_at: { method: 'most_recent' },
  current_location: { method: 'most_recent' },
};
