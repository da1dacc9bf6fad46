import pg from 'pg';

/** What one transaction sent, and how often it waited for PostgreSQL before it sent more. */
export interface CountedTransaction {
  statements: string[];
  roundTrips: number;
}

type Callback = (...given: unknown[]) => void;

interface Sent {
  text?: string;
  group?: { preambles: { text: string }[]; statement: { text: string } }[];
  callback?: Callback;
}

type SendQuery = (this: object, sent: Sent | string, ...rest: unknown[]) => unknown;

/** Counts the round trips of every transaction of this process, while it listens. */
export class RoundTrips {
  private readonly ended: CountedTransaction[] = [];
  private readonly open = new WeakMap<object, CountedTransaction>();
  private readonly unanswered = new WeakMap<object, number>();
  private readonly original = pg.Client.prototype.query as unknown as SendQuery;

  start(): void {
    const { original, count } = this;
    const sending: SendQuery = function (sent, ...rest) {
      return count(this, sent, rest, (counted) => original.call(this, counted, ...rest));
    };
    pg.Client.prototype.query = sending as unknown as typeof pg.Client.prototype.query;
  }

  stop(): void {
    pg.Client.prototype.query = this.original as unknown as typeof pg.Client.prototype.query;
  }

  /** Those that ended since they were asked for last, and sent a statement that holds the text. */
  take(text: string): CountedTransaction[] {
    return this.ended.splice(0).filter(({ statements }) => statements.some((one) => one.includes(text)));
  }

  private readonly count = (
    client: object,
    sent: Sent | string,
    rest: unknown[],
    send: (sent: Sent | string) => unknown,
  ): unknown => {
    const asked = typeof sent === 'string' ? undefined : sent.group?.[0];
    const text = asked?.statement.text ?? (typeof sent === 'string' ? sent : (sent.text ?? ''));
    const begins = asked?.preambles.some((preamble) => preamble.text === 'BEGIN');
    if (begins === true) this.open.set(client, { statements: [], roundTrips: 0 });
    const counted = this.open.get(client);
    const unanswered = this.unanswered.get(client) ?? 0;
    counted?.statements.push(text);
    if (counted !== undefined && (begins === true || unanswered === 0)) counted.roundTrips += 1;
    this.unanswered.set(client, unanswered + 1);
    const answered = (): void => {
      this.unanswered.set(client, (this.unanswered.get(client) ?? 1) - 1);
      if (text !== 'COMMIT' && text !== 'ROLLBACK') return;
      if (counted !== undefined) this.ended.push(counted);
      this.open.delete(client);
    };
    const hearing = (callback: Callback): Callback => {
      return (...given) => {
        answered();
        callback(...given);
      };
    };
    if (typeof sent !== 'string' && sent.callback !== undefined) sent.callback = hearing(sent.callback);
    const place = rest.findIndex((given) => typeof given === 'function');
    if (place !== -1) rest[place] = hearing(rest[place] as Callback);
    const answer = send(sent);
    if (answer instanceof Promise) answer.then(answered, answered);
    return answer;
  };
}
