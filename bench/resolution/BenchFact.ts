import type { ResolutionClaim } from '../../src/domain/resolution/types.js';

/** The claims on one fact, and the truth where it is known. */
export interface BenchFact {
  key: string;
  attribute: string;
  claims: ResolutionClaim[];
  truth: string | null;
}

/** What a method answers to a fact. */
export interface Answer {
  value: string;
  confidence: number;
}
