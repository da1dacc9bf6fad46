import type { CalibrationPoint } from './types.js';

/** How far posteriors of contested facts may be believed. */
export interface LearnedCurve {
  overall(): CalibrationPoint[];
  /** Of an attribute; undefined where nothing was learned of it. */
  of(attribute: number): CalibrationPoint[] | undefined;
}
