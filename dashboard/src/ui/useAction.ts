import { useRef, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useClient } from 'urql';
import type { Failure } from '../client/failure.ts';
import { failureOf } from '../client/failure.ts';

interface Action<Data, Variables> {
  isRunning: boolean;
  failure: Failure | undefined;
  /** Undefined when it failed. */
  run: (
    variables: Omit<Variables, 'key'>,
    onFailure?: (failure: Failure) => void,
  ) => Promise<Data | undefined>;
  /** Forgets the failure and the key: what comes next is another action. */
  reset: () => void;
}

/**
 * A mutation under an idempotency key. The key stays until the action has succeeded or is given up, so that
 * trying again after a broken connection cannot do it twice; other variables are another action.
 */
export function useAction<Data, Variables extends AnyVariables & { key: string }>(
  document: TypedDocumentNode<Data, Variables>,
): Action<Data, Variables> {
  const client = useClient();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const attempt = useRef<{ key: string; of: string }>(undefined);
  const reset = (): void => {
    attempt.current = undefined;
    setFailure(undefined);
  };
  const run: Action<Data, Variables>['run'] = async (variables, onFailure) => {
    const of = JSON.stringify(variables);
    if (attempt.current?.of !== of) attempt.current = { key: `dashboard-${newKey()}`, of };
    setRunning(true);
    const all = { ...variables, key: attempt.current.key } as unknown as Variables;
    const result = await client.mutation(document, all).toPromise();
    setRunning(false);
    const failed = failureOf(result.error);
    setFailure(failed);
    if (failed !== undefined) {
      onFailure?.(failed);
      return undefined;
    }
    attempt.current = undefined;
    return result.data;
  };
  return { isRunning, failure, run, reset };
}

/** 128 random bits. Unlike `crypto.randomUUID`, it needs no secure context. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
