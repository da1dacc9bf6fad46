import { expect } from 'chai';
import fc from 'fast-check';
import type { Caller } from '../../src/access/Caller.js';
import { Turns } from '../../src/concurrency/Turns.js';
import type { JsonValue } from '../../src/domain/jsonValue.js';
import { ServiceError } from '../../src/errors.js';
import { holdsMore, readJson } from '../../src/http/readJson.js';

const app = (appId: string): Caller => ({ kind: 'app', appId, clientId: appId, scopes: new Set() });
const turnsToParse = (): Turns => new Turns({ perApp: 1, room: Infinity });

/** A list of so many empty lists: the worst text for the parser. */
const lists = (count: number): Buffer => Buffer.from(`[${'[],'.repeat(count - 1)}[]]`);

/** The commas and opening brackets of a value. */
function countOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return Math.max(1, members.length) + members.reduce<number>((sum, member) => sum + countOf(member), 0);
}

describe('JSON bodies', () => {
  it('are counted by their commas and opening brackets, whatever is in their strings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, spaces) => {
        const text = Buffer.from(JSON.stringify(value, null, spaces));
        const count = countOf(value as JsonValue);
        expect([holdsMore(text, count), holdsMore(text, count - 1)]).to.deep.equal([false, true]);
      }),
      { examples: [[['a,[{"\\', '\\\\"', { '",': [{}, []] }], 0]] },
    );
  });

  it('are refused before they are parsed when they hold too much', async () => {
    const turns = turnsToParse();
    expect(await readJson(lists(100_000), turns, app('a'))).to.have.length(100_000);
    const refused = await readJson(lists(100_001), turns, app('a')).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ServiceError).and.include({ code: 'payload_too_large' });
    expect(
      await readJson(Buffer.from(JSON.stringify([',['.repeat(100_000)])), turns, app('a')),
    ).to.have.length(1);
  });

  it('of one app are parsed one after the other, and others do not wait for them', async () => {
    const turns = turnsToParse();
    const order: string[] = [];
    const read = async (body: Buffer, appId: string, name: string): Promise<void> => {
      await readJson(body, turns, app(appId));
      order.push(name);
    };
    await Promise.all([
      read(lists(100_000), 'a', 'first'),
      read(lists(100_000), 'a', 'second'),
      read(lists(6000), 'b', 'large, of another app'),
      read(lists(10), 'a', 'small'),
    ]);
    expect(order[0]).to.equal('small');
    expect(order.indexOf('large, of another app')).to.be.below(order.indexOf('second'));
  });

  it('leave the event loop to others after each large one', async () => {
    const turns = turnsToParse();
    const body = lists(100_000);
    const parsing = Math.min(...Array.from({ length: 20 }, () => timeOf(() => JSON.parse(body.toString()))));
    const startedAt = performance.now();
    await Promise.all([1, 2, 3].map(() => readJson(body, turns, app('a'))));
    // Each takes its parsing, and rests four times as long.
    expect(performance.now() - startedAt).to.be.above(3 * 4 * parsing);
  });
});

function timeOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
