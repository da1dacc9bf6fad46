import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The answer that a connection owes at this moment. Node keeps it in a member without a public name. */
export function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof ServerResponse ? answer : undefined;
}
