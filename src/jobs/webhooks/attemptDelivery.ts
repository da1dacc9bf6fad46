import { sanitizeAnswer } from '../../domain/webhooks/sanitizeAnswer.js';
import { retryAfterSeconds } from '../../domain/webhooks/retrySchedule.js';
import { AttemptFailure } from './AttemptFailure.js';
import type { AttemptMade, AttemptOutcome } from './AttemptOutcome.js';
import type { SpanStart, Tracing } from '../../telemetry/tracing.js';
import { postWebhook } from './postWebhook.js';
import type { Answer, Send } from './postWebhook.js';
import type { GateDecision } from './sendThroughGate.js';
import type { ReceiverConnections } from './ReceiverConnections.js';

/** Without the address: partners' URLs may contain secrets. */
const SPAN: SpanStart = {
  name: 'webhook POST',
  kind: 'client',
  attributes: { 'http.request.method': 'POST' },
};

export interface Attempt {
  url: string;
  connections: ReceiverConnections;
  clock: () => Date;
  tracing?: Tracing | undefined;
  /** Sends if the delivery may still be sent (`sendThroughGate`). */
  gate: (send: Send) => Promise<GateDecision>;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Makes one attempt. Throws only for failures on our side (the database), never for the receiver's. */
export async function attemptDelivery(attempt: Attempt): Promise<AttemptOutcome> {
  const { clock, tracing } = attempt;
  const startedAt = clock();
  const began = performance.now();
  const made = (rest: Partial<AttemptMade>): AttemptMade => ({
    kind: 'made',
    startedAt,
    durationMs: performance.now() - began,
    ...rest,
  });
  let decision: GateDecision = { kind: 'released' };
  const decide = async (send: Send): Promise<void> => {
    decision = await attempt.gate(({ headers, body }) =>
      send({ headers: { ...headers, ...tracing?.headers() }, body }),
    );
  };
  try {
    const post = (): Promise<Answer | null> => postWebhook({ ...attempt, decide }, attempt.connections);
    const answer = await (tracing?.inSpan(SPAN, post) ?? post());
    return answer === null ? unsent(decision) : made(answerFacts(answer, clock()));
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return error.code === 'interrupted' ? { kind: 'released' } : made({ errorCode: error.code });
  }
}

function unsent(decision: GateDecision): AttemptOutcome {
  return decision.kind === 'sent' ? { kind: 'released' } : decision;
}

function answerFacts(answer: Answer, now: Date): Partial<AttemptMade> {
  const asked = retryAfterSeconds(answer.retryAfter, now);
  return {
    statusCode: answer.statusCode,
    answer: sanitizeAnswer(answer.body),
    ...(asked === undefined ? {} : { retryAfterSeconds: asked }),
  };
}
