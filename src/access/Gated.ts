import type { ShutBy } from './consentGate.js';
import type { Purpose } from '../domain/purposes.js';

/**
 * What a consent gate let through or held back. A field marked `@consent` must resolve to one of these, so
 * that data which never passed a gate cannot be given out by mistake. Only statements that test consent and
 * read the data in one snapshot (`src/loaders`) make them.
 */
export type Gated<T> = GateOpen<T> | GateClosed;

export class GateOpen<T> {
  constructor(
    readonly value: T /** Purposes whose data the value may hold. */,
    readonly openMask: number,
  ) {}
}

export class GateClosed {
  constructor(
    readonly purpose: Purpose,
    readonly gate: ShutBy,
  ) {}
}
