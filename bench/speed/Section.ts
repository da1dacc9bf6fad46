/** A chapter of the report, made by one part of the bench. */
export interface Section {
  title: Title;
  text: string;
}

/** In the order of the report. */
export const TITLES = [
  'The aims',
  'Beside hand-written code and others',
  'Many apps',
  'Latency at 70 % of the peak',
  'Reads beside background work',
  'Claims per customer',
  'Customers',
  'Batches of many customers',
  'Processes',
  'Writes',
  'Memory under long load',
] as const;

export type Title = (typeof TITLES)[number];
