import { MessageType } from 'graphql-ws';

/** The beginning of each message of an operation, as the library writes it. */
const HEAD = /^\{"id":"(\d+)","type":"(\w+)"/;

/**
 * The ids of one socket's open operations. Its client may use an id again as soon as it has completed the
 * operation, but the library of the protocol takes both for one until it has ended the first. So it is given
 * a number in place of each id, and what it still sends of an ended operation is dropped.
 */
export class OperationIds {
  private readonly numbers = new Map<string, string>();
  private readonly ids = new Map<string, string>();
  /** The text of the result that the library is sending of each operation. */
  private readonly results = new Map<string, string>();
  private begun = 0;

  /** The number of a new operation; undefined while one of that id is open. */
  begin(id: string): string | undefined {
    if (this.numbers.has(id)) return undefined;
    this.begun += 1;
    const number = String(this.begun);
    this.numbers.set(id, number);
    this.ids.set(number, id);
    return number;
  }

  /** Ends an operation. Returns its number; undefined if none of that id is open. */
  end(id: string): string | undefined {
    const number = this.numbers.get(id);
    this.numbers.delete(id);
    if (number !== undefined) this.ids.delete(number);
    return number;
  }

  /** Has the text sent in place of the payload of the operation's next result. */
  sendNext(number: string, text: string): void {
    this.results.set(number, text);
  }

  /** A message of the library as its client is sent it; undefined if it is of an ended operation. */
  toClient(text: string): string | undefined {
    const [head = '', number = '', type = ''] = HEAD.exec(text) ?? [];
    if (head === '') return text;
    const id = this.ids.get(number);
    const result = this.results.get(number);
    this.results.delete(number);
    if (id === undefined) return undefined;
    if (type !== MessageType.Next) this.end(id);
    const rest = result === undefined ? text.slice(head.length) : `,"payload":${result}}`;
    return `{"id":${JSON.stringify(id)},"type":"${type}"${rest}`;
  }
}
