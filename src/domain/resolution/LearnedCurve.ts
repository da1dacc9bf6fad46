import type { CalibrationPoint } from './types.js';

/** Calibration curve for the winners of contested facts. */
export interface LearnedCurve {
  overall(): CalibrationPoint[];
  /** Of an attribute; undefined where nothing was learned of it. */
  of(attribute: number): CalibrationPoint[] | undefined;
}
