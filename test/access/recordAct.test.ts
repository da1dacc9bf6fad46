import { expect } from 'chai';
import type { RequestContext } from '../../src/access/RequestContext.js';
import { recordAct } from '../../src/access/recordAct.js';

interface Act {
  operator: string;
  target: object;
}

describe('an entry of the operator log', () => {
  async function actOf(args: Record<string, unknown>): Promise<Act> {
    const acts: Act[] = [];
    const recorded = (act: Act, work: () => Promise<unknown>): Promise<unknown> => {
      acts.push(act);
      return work();
    };
    const context = {
      caller: { kind: 'admin', key: 'abcd' },
      requestId: 'req_1',
      services: { operatorLog: { recorded } },
    } as unknown as RequestContext;
    expect(await recordAct('updateApp', args, context, () => Promise.resolve('done'))).to.equal('done');
    const [act] = acts;
    if (act === undefined || acts.length > 1) throw new Error(`There are ${acts.length} acts.`);
    return act;
  }

  const targetOf = async (args: Record<string, unknown>): Promise<object> => (await actOf(args)).target;

  it('holds the key’s fingerprint, the action and the request id', async () => {
    expect(await actOf({})).to.deep.equal({
      operator: 'key:abcd',
      via: 'request',
      action: 'updateApp',
      target: {},
      requestId: 'req_1',
    });
  });

  it('holds the id, the names of the fields in their order, and the requested status', async () => {
    const input = { status: 'disabled', name: 'Harbour Books', allowedScopes: ['apps:read'] };
    expect(await targetOf({ id: 'app_1', input, idempotencyKey: 'k' })).to.deep.equal({
      id: 'app_1',
      fields: ['allowedScopes', 'name', 'status'],
      status: 'disabled',
    });
  });

  it('holds no other value, and nothing without an input', async () => {
    for (const input of [undefined, null, 'text', 7]) expect(await targetOf({ input })).to.deep.equal({});
    expect(await targetOf({ id: 7, input: {} })).to.deep.equal({});
    expect(await targetOf({ input: { status: { secret: 'x' } } })).to.deep.equal({ fields: ['status'] });
  });

  it('truncates an id to 128 characters', async () => {
    expect(await targetOf({ id: 'i'.repeat(200) })).to.deep.equal({ id: 'i'.repeat(128) });
  });

  it('holds an id that cannot be stored with replacement characters', async () => {
    expect(await targetOf({ id: 'a\0\uD800' })).to.deep.equal({ id: 'a\uFFFD\uFFFD' });
    expect(await targetOf({ id: `${'i'.repeat(127)}😀` })).to.deep.equal({ id: `${'i'.repeat(127)}\uFFFD` });
  });
});
