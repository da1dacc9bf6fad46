import { useRef, useState } from 'react';
import type { AnyVariables, OperationResult, TypedDocumentNode } from 'urql';
import { useClient } from 'urql';
import type { Failure } from '../client/failure.ts';
import { failureOf } from '../client/failure.ts';

interface Action<Data, Variables> {
  isRunning: boolean;
  failure: Failure | undefined;
  /** Asks how the thing stands now that the action changes. Undefined when that failed. */
  look: <Found, Asked extends AnyVariables>(
    question: TypedDocumentNode<Found, Asked>,
    variables: Asked,
  ) => Promise<Found | undefined>;
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
  const answerOf = async <Answer>(
    result: Promise<OperationResult<Answer>>,
    onFailure?: (failure: Failure) => void,
  ): Promise<Answer | undefined> => {
    setRunning(true);
    const { data, error } = await result;
    setRunning(false);
    const failed = failureOf(error);
    setFailure(failed);
    if (failed === undefined) return data;
    onFailure?.(failed);
    return undefined;
  };
  const look: Action<Data, Variables>['look'] = (question, variables) =>
    answerOf(client.query(question, variables, { requestPolicy: 'network-only' }).toPromise());
  const run: Action<Data, Variables>['run'] = async (variables, onFailure) => {
    const of = JSON.stringify(variables);
    if (attempt.current?.of !== of) attempt.current = { key: `dashboard-${newKey()}`, of };
    const all = { ...variables, key: attempt.current.key } as unknown as Variables;
    const data = await answerOf(client.mutation(document, all).toPromise(), onFailure);
    if (data !== undefined) attempt.current = undefined;
    return data;
  };
  return { isRunning, failure, look, run, reset };
}

/** 128 random bits. Unlike `crypto.randomUUID`, it needs no secure context. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
