import cluster from 'node:cluster';
import { Questions } from './Questions.js';

/** From a member: it wants the others' metrics, or tells its own, as it was asked to. */
export type FromMember<Metrics> =
  { kind: 'wanted'; id: number } | { kind: 'told'; id: number; metrics: Metrics };

/** To a member: it is asked for its metrics, or told those of the others. */
export type ToMember<Metrics> =
  { kind: 'asked'; id: number } | { kind: 'others'; id: number; metrics: Metrics[] };

/** Longer than the supervisor waits for the others. */
const WAIT_MS = 4000;

/** How a supervised process tells its metrics and learns those of the others. */
export class MemberMetrics<Metrics> {
  private readonly questions = new Questions<Metrics[]>(WAIT_MS);
  private own: (() => Promise<Metrics>) | undefined;

  constructor() {
    cluster.worker?.on('message', (message: ToMember<Metrics>) => {
      if (message.kind === 'asked') void this.tell(message.id);
      if (message.kind === 'others') this.questions.answer(message.id, message.metrics);
    });
  }

  /** From now on it is asked. */
  answerWith(own: () => Promise<Metrics>): void {
    this.own = own;
  }

  async others(): Promise<Metrics[]> {
    if (cluster.worker === undefined) return [];
    return (await this.questions.ask((id) => this.send({ kind: 'wanted', id }))) ?? [];
  }

  private async tell(id: number): Promise<void> {
    if (this.own !== undefined) this.send({ kind: 'told', id, metrics: await this.own() });
  }

  private send(message: FromMember<Metrics>): void {
    // Whoever cannot be reached is about to be missed anyway.
    cluster.worker?.send(message, () => undefined);
  }
}
