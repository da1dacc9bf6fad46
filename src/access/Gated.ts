import type { ShutBy } from './consentGate.js';
import type { Purpose } from '../domain/purposes.js';

/**
 * What a consent gate let through or held back. A field marked `@consent` must resolve to one of these, so
 * that data which never passed a gate cannot be given out by mistake. Only statements that test consent and
 * read the data in one snapshot (`src/loaders`) make them.
 */
export type Gated<T> = GateOpen<T> | GateClosed;

export class GateOpen<T> {
  readonly value: T;
  /** Purposes whose data the value may hold. */
  readonly openMask: number;

  constructor(value: T, openMask: number) {
    this.value = value;
    this.openMask = openMask;
  }
}

export class GateClosed {
  readonly purpose: Purpose;
  readonly gate: ShutBy;

  constructor(purpose: Purpose, gate: ShutBy) {
    this.purpose = purpose;
    this.gate = gate;
  }
}
