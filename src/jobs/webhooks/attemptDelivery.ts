import { sanitizeAnswer } from '../../domain/webhooks/sanitizeAnswer.js';
import { retryAfterSeconds } from '../../domain/webhooks/retrySchedule.js';
import { AttemptFailure } from './AttemptFailure.js';
import type { AttemptMade, AttemptOutcome } from './AttemptOutcome.js';
import { postWebhook } from './postWebhook.js';
import type { Answer } from './postWebhook.js';
import type { Prepared } from './prepareDelivery.js';
import type { ReceiverNetwork } from './connectToReceiver.js';

export interface Attempt {
  url: string;
  network: ReceiverNetwork;
  clock: () => Date;
  /** Decides right before sending, see `prepareDelivery`. */
  prepare: () => Promise<Prepared>;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Makes one attempt. Never throws for what a receiver does; only for what fails on our own side (the database). */
export async function attemptDelivery(attempt: Attempt): Promise<AttemptOutcome> {
  const startedAt = attempt.clock();
  const began = performance.now();
  const made = (rest: Partial<AttemptMade>): AttemptMade => ({
    kind: 'made',
    startedAt,
    durationMs: performance.now() - began,
    ...rest,
  });
  let prepared: Prepared = { kind: 'released' };
  const prepare = async (): Promise<Extract<Prepared, { kind: 'ready' }>['request'] | null> => {
    prepared = await attempt.prepare();
    return prepared.kind === 'ready' ? prepared.request : null;
  };
  try {
    const answer = await postWebhook({ ...attempt, prepare }, attempt.network);
    return answer === null ? withdrawn(prepared) : made(answerFacts(answer, attempt.clock()));
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return error.code === 'interrupted' ? { kind: 'released' } : made({ errorCode: error.code });
  }
}

function withdrawn(prepared: Prepared): AttemptOutcome {
  return prepared.kind === 'dropped' ? prepared : { kind: 'released' };
}

function answerFacts(answer: Answer, now: Date): Partial<AttemptMade> {
  const asked = retryAfterSeconds(answer.retryAfter, now);
  return {
    statusCode: answer.statusCode,
    answer: sanitizeAnswer(answer.body),
    ...(asked === undefined ? {} : { retryAfterSeconds: asked }),
  };
}
