import { readFileSync } from 'node:fs';

/** A request and its answer, as the service gave it to a test (test/rest-bridge/examples.test.ts). */
export interface OperationExample {
  request?: unknown;
  response?: unknown;
  /** Refusals by their status. */
  refusals?: Readonly<Record<number, unknown>>;
}

/** With the sources: the build copies none but TypeScript. */
const FILE = new URL('../../../rest-bridge/openapi/examples.json', import.meta.url);

let kept: Record<string, OperationExample> | undefined;

/** The examples of an operation; none for one that has not been tried yet. */
export function examplesOf(operation: string): OperationExample {
  kept ??= JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>;
  return kept[operation] ?? {};
}
