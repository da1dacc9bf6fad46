import cluster from 'node:cluster';
import { METRICS_MS, Questions } from './Questions.js';

/** From a member: a request for the others' metrics, or its own as requested. */
export type FromMember<Metrics> =
  { kind: 'wanted'; id: number } | { kind: 'told'; id: number; metrics: Metrics };

/** To a member: a request for its metrics, or those of the others. */
export type ToMember<Metrics> =
  { kind: 'asked'; id: number } | { kind: 'others'; id: number; metrics: Metrics[] };

/** In milliseconds; longer than the supervisor waits for the others. */
const WAIT_MS = METRICS_MS + 1000;

/** Sends the metrics of a supervised process and receives those of the others. */
export class MemberMetrics<Metrics> {
  private readonly questions = new Questions<Metrics[]>(WAIT_MS);
  private own: (() => Promise<Metrics>) | undefined;

  constructor() {
    cluster.worker?.on('message', (message: ToMember<Metrics>) => {
      if (message.kind === 'asked') void this.tell(message.id);
      if (message.kind === 'others') this.questions.answer(message.id, message.metrics);
    });
  }

  /** Sets the function that collects its own metrics. */
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
    // Send errors are ignored: a broken channel is noticed elsewhere.
    cluster.worker?.send(message, () => undefined);
  }
}
