import { readFileSync } from 'node:fs';

/** A request and its answer, as recorded by a test (test/rest-bridge/examples.test.ts). */
export interface OperationExample {
  request?: unknown;
  response?: unknown;
  /** Refusals by their status. */
  refusals?: Readonly<Record<number, unknown>>;
}

/** In the source folder: the build copies only TypeScript. */
const FILE = new URL('../../../rest-bridge/openapi/examples.json', import.meta.url);

let kept: Record<string, OperationExample> | undefined;

/** The examples of an operation; empty when none were recorded. */
export function examplesOf(operation: string): OperationExample {
  kept ??= JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, OperationExample>;
  return kept[operation] ?? {};
}
