/** The members of a stored document, in order. */
export interface Shape {
  readonly [member: string]: MemberKind;
}

/** A plain value, a free-form one, an enum value, a document, or a list of documents. */
export type MemberKind = 'value' | 'free' | 'enum' | Shape | readonly [Shape];

export function isListOf(kind: MemberKind): kind is readonly [Shape] {
  return Array.isArray(kind);
}

/** The shape of a member's documents; undefined for other members. */
export function innerShape(kind: MemberKind): Shape | undefined {
  if (typeof kind === 'string') return undefined;
  return isListOf(kind) ? kind[0] : kind;
}

const PROVENANCE: Shape = {
  sourcePartner: 'value',
  collectedAt: 'value',
  sourceSystem: 'value',
  evidenceUrl: 'value',
};

/** All members of `Claim`, in the schema's order. */
export const CLAIM_SHAPE: Shape = {
  id: 'value',
  customerId: 'value',
  attribute: 'value',
  value: 'free',
  source: 'value',
  observedAt: 'value',
  context: 'value',
  consentPurpose: 'enum',
  confidence: 'value',
  provenance: PROVENANCE,
};

/**
 * All members of `ResolvedProfileFact`, in the schema's order. Facts are stored as text of this shape, once
 * in the spelling of each interface, from which operations are answered (`src/execution/textForms.ts`).
 */
export const FACT_SHAPE: Shape = {
  attribute: 'value',
  resolvedValue: 'free',
  confidence: 'value',
  resolutionMethod: 'value',
  consentPurpose: 'enum',
  evidence: [CLAIM_SHAPE],
  alternatives: [{ value: 'free', confidence: 'value', reason: 'value' }],
};
