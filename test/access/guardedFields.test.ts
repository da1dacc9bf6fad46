import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { buildSchema, graphql, GraphQLSchema } from 'graphql';
import type { GraphQLEnumType, GraphQLInputObjectType } from 'graphql';
import type { Caller } from '../../src/access/Caller.js';
import { Charge } from '../../src/access/Charge.js';
import { GateClosed, GateOpen } from '../../src/access/consentGate.js';
import type { Constraints } from '../../src/access/constrained.js';
import { gateDenials } from '../../src/access/gateDenials.js';
import { classOf, consentDenied, guardSchema } from '../../src/access/guardSchema.js';
import { credentialsOf, identifyCaller } from '../../src/access/identifyCaller.js';
import { RateLimiter } from '../../src/access/RateLimiter.js';
import type { CommandCall, DecidedCall } from '../../src/access/RequestContext.js';
import { configFrom } from '../../src/config.js';
import { fingerprint } from '../../src/domain/secretToken.js';
import { payloadHash } from '../../src/domain/idempotency.js';
import { maskOf } from '../../src/domain/purposes.js';
import type { Purpose } from '../../src/domain/purposes.js';
import { ServiceError } from '../../src/errors.js';
import { accessDirectives } from '../../schema/directives.js';

const SDL = `
  enum ConsentPurpose { SUPPORT ANALYTICS }
  type Query {
    plain(name: String): String @requiresScopes(scopes: [["apps:read"]])
    fixed: String @requiresScopes(scopes: [["apps:read"]]) @consent(purpose: SUPPORT)
    named(purpose: ConsentPurpose): String @requiresScopes(scopes: [["apps:read"]]) @consent(argument: "purpose")
    many: [String] @requiresScopes(scopes: [["apps:read"]]) @consent
    below: Below @requiresScopes(scopes: [["apps:read"]])
  }
  type Below {
    inner: String @requiresScopes(scopes: [["claims:read"]])
    below: String @requiresScopes(scopes: [["claims:read"]])
    gated: String @consent(purpose: SUPPORT)
    known: String @admin
  }
  input ThingInput { name: String }
  input ThingsInput { names: [String], things: [ThingInput] }
  type Mutation {
    createThing(id: ID, input: ThingInput, idempotencyKey: String!): String @requiresScopes(scopes: [["apps:read"]])
    ingestThings(input: ThingsInput, idempotencyKey: String!): String @requiresScopes(scopes: [["apps:read"]])
    setThing(id: ID, idempotencyKey: String!): String @admin
    openThing(idempotencyKey: String!): Below @admin
  }`;

const KEY = 'a-key-of-sixteen-or-more';

function guardedSchema(): GraphQLSchema {
  const plain = buildSchema(SDL, { assumeValidSDL: true });
  // As the service's own enums: spelled in capitals, known inside by the purpose.
  const purposes = plain.getType('ConsentPurpose') as GraphQLEnumType;
  for (const value of purposes.getValues()) value.value = value.name.toLowerCase();
  const constrain = (type: string, field: string, constraints: Constraints): void => {
    const { [field]: found } = (plain.getType(type) as GraphQLInputObjectType).getFields();
    if (found !== undefined) found.extensions = { constraints };
  };
  constrain('ThingInput', 'name', { maxLength: 3 });
  constrain('ThingsInput', 'things', { batch: true });
  const directives = accessDirectives(purposes);
  return guardSchema(
    new GraphQLSchema({ ...plain.toConfig(), directives: [...plain.getDirectives(), ...directives] }),
  );
}

describe('a guarded field', () => {
  interface Ran {
    data: Record<string, unknown> | null | undefined;
    /** The code of a refusal, else the message. */
    errors: string[];
    messages: string[];
    charge: Charge;
    acts: unknown[];
    commands: (CommandCall | undefined)[];
    /** How often the caller was identified anew. */
    identified: number;
  }

  async function run(
    source: string,
    root: object,
    caller: Partial<Caller> = {},
    decided?: DecidedCall,
    usedKeys: string[] = [],
  ): Promise<Ran> {
    const who = { kind: 'app', appId: 'app_1', scopes: new Set(['apps:read']), ...caller } as Caller;
    const charge = new Charge(
      new RateLimiter({ rateLimits: { read: 9, write: 9, ingest: 9, token: 9 } }),
      who,
    );
    const acts: unknown[] = [];
    const commands: Ran['commands'] = [];
    let identified = 0;
    const operatorLog = {
      recorded: (act: unknown, work: () => Promise<unknown>) => {
        acts.push(act);
        return work();
      },
    };
    const noted = Object.fromEntries(
      Object.entries(root).map(([name, value]) => [
        name,
        typeof value === 'function'
          ? value
          : (_args: unknown, { command }: { command?: CommandCall }) => {
              commands.push(command);
              return value as unknown;
            },
      ]),
    );
    const contextValue = {
      caller: who,
      identify: () => ((identified += 1), Promise.resolve(who)),
      charge,
      requestId: 'req_1',
      outcome: {},
      services: {
        operatorLog,
        clock: () => new Date(),
        database: {
          readAs: (_appId: string, _statement: unknown, [, key]: string[]) =>
            Promise.resolve(usedKeys.filter((used) => used === key)),
        },
      },
      decided,
    };
    const schema = guardedSchema();
    const { data, errors = [] } = await graphql({ schema, source, rootValue: noted, contextValue });
    const told = errors.map(({ originalError, message }) =>
      originalError !== undefined && 'code' in originalError ? String(originalError.code) : message,
    );
    const messages = errors.map(({ message }) => message);
    return { data, errors: told, messages, charge, acts, commands, identified };
  }

  const open = (value: string, ...purposes: Purpose[]): GateOpen<string> =>
    new GateOpen(value, maskOf(purposes));

  it("returns the resolver's value to an authorized caller, and counts it", async () => {
    const { data, errors, charge } = await run('{ plain }', { plain: 'text' });
    expect([data, errors, charge.resources]).to.deep.equal([{ plain: 'text' }, [], 0]);
    const counted = await run('{ below { inner } }', { below: { inner: 'x' } }, {
      scopes: new Set(['apps:read', 'claims:read']),
    } as Partial<Caller>);
    expect([counted.errors, counted.charge.resources]).to.deep.equal([[], 1]);
  });

  it('is refused before its resolver runs, below the root as well', async () => {
    let ran = false;
    const source = { plain: () => ((ran = true), 'text') };
    for (const [caller, code] of [
      [{ scopes: new Set() }, 'insufficient_scope'],
      [{ kind: 'anonymous', reason: 'no' }, 'unauthenticated'],
      [{ kind: 'admin', key: 'k' }, 'unauthenticated'],
    ] as const) {
      expect((await run('{ plain }', source, caller as unknown as Partial<Caller>)).errors).to.deep.equal([
        code,
      ]);
    }
    expect(ran).to.equal(false);
    expect((await run('{ below { inner } }', { below: { inner: 'x' } })).errors).to.deep.equal([
      'insufficient_scope',
    ]);
  });

  it('identifies its caller anew if it is a mutation after the first', async () => {
    const field = `createThing(idempotencyKey: "${KEY}")`;
    const below = { inner: 'x', below: 'x' };
    for (const [source, times] of [
      ['{ plain other: plain below { inner below } }', 0],
      [`mutation { ${field} }`, 0],
      [`mutation { a: ${field} b: ${field} c: ${field} }`, 2],
    ] as const)
      expect((await run(source, { plain: 'text', below, createThing: 'done' })).identified, source).to.equal(
        times,
      );
  });

  it('is not checked again if REST has authorized it, unlike other fields', async () => {
    const decided = { field: 'plain', key: '', rejected: new Map() };
    const nobody = { kind: 'anonymous', reason: 'no' } as Partial<Caller>;
    expect((await run('{ plain }', { plain: 'text' }, nobody, decided)).errors).to.deep.equal([]);
    const { errors } = await run('{ fixed }', { fixed: open('x', 'support') }, nobody, decided);
    expect(errors).to.deep.equal(['unauthenticated']);
    const below = await run('{ below { inner below } }', { below: { inner: 'x', below: 'x' } }, nobody, {
      ...decided,
      field: 'below',
    });
    expect(below.errors, 'one of the same name below it neither').to.deep.equal([
      'unauthenticated',
      'unauthenticated',
    ]);
    const text = await run('{ plain(name: "a\\u0000b") }', { plain: 'text' }, nobody, decided);
    expect(text.data).to.deep.equal({ plain: 'text' });
  });

  it('refuses an argument that PostgreSQL cannot store', async () => {
    const { errors, messages } = await run('{ plain(name: "a\\u0000b") }', { plain: 'text' });
    expect(errors).to.deep.equal(['invalid_request']);
    expect(messages).to.deep.equal(['The arguments are not valid: name.']);
  });

  it('refuses a text argument of more than 2,048 characters', async () => {
    const ask = (length: number): Promise<Ran> =>
      run(`{ plain(name: "${'x'.repeat(length)}") }`, { plain: 'text' });
    expect((await ask(2048)).errors).to.deep.equal([]);
    expect((await ask(2049)).errors).to.deep.equal(['invalid_request']);
  });

  describe('behind the gate', () => {
    it('returns a value only if it passed the gate of its own purpose', async () => {
      expect((await run('{ fixed }', { fixed: open('x', 'support', 'analytics') })).data).to.deep.equal({
        fixed: 'x',
      });
      const other = await run('{ fixed }', { fixed: open('x', 'analytics') });
      expect(other.data).to.deep.equal({ fixed: null });
      expect(other.errors[0]).to.equal(
        'A value reached a @consent field without passing its gate for support.',
      );
    });

    it('takes the purpose from an argument, and any purpose without one', async () => {
      const named = { named: open('x', 'analytics') };
      expect((await run('{ named(purpose: ANALYTICS) }', named)).data).to.deep.equal({ named: 'x' });
      expect((await run('{ named(purpose: SUPPORT) }', named)).errors).to.have.length(1);
      expect((await run('{ named }', named)).data).to.deep.equal({ named: 'x' });
      expect((await run('{ named }', { named: 'bare' })).errors[0]).to.equal(
        'A value reached a @consent field without passing its gate.',
      );
    });

    it('is null for null, 404 for an unknown customer, and denied if the gate is closed', async () => {
      expect(await run('{ fixed }', { fixed: () => undefined })).to.deep.include({
        data: { fixed: null },
        errors: ['not_found'],
        messages: ['There is no such customer.'],
      });
      expect(await run('{ fixed }', { fixed: () => null })).to.deep.include({
        data: { fixed: null },
        errors: [],
      });
      const shut = await run('{ fixed }', { fixed: new GateClosed('support', 'purpose') });
      expect([shut.data, shut.errors]).to.deep.equal([{ fixed: null }, ['consent_denied']]);
      expect(shut.messages).to.deep.equal(['The purpose support is not granted.']);
      const { facts } = consentDenied(new GateClosed('support', 'purpose'));
      expect(facts).to.deep.include({ purpose: 'support', gate: 'purpose' });
      const below = await run('{ below { gated } }', { below: { gated: 'bare' } });
      expect(below.data, 'asks for no scope of its own').to.deep.equal({ below: { gated: null } });
    });

    it('counts denials by purpose and reason', async () => {
      const deniedByReceipt = async (): Promise<number> => {
        const { values } = await gateDenials.get();
        const found = values.find(
          ({ labels }) => labels['purpose'] === 'analytics' && labels['gate'] === 'receipt',
        );
        return found?.value ?? 0;
      };
      const before = await deniedByReceipt();
      await run('{ many }', { many: [new GateClosed('analytics', 'receipt')] });
      expect(await deniedByReceipt()).to.equal(before + 1);
    });

    it('decides each item of a list separately', async () => {
      const many = [
        open('a', 'support'),
        new GateClosed('support', 'purpose'),
        'bare',
        null,
        new ServiceError('not_found', 'There is none.'),
        undefined,
        open('b', 'analytics'),
      ];
      const { data, errors } = await run('{ many }', { many });
      expect(data).to.deep.equal({ many: ['a', null, null, null, null, null, 'b'] });
      expect(errors).to.have.length(4).and.include('consent_denied').and.include('not_found');
    });
  });

  describe('that changes something', () => {
    it('counts against the limit of its class', async () => {
      expect([
        classOf('revokeConsentReceipt', true),
        classOf('ingestEvents', true),
        classOf('createThing', true),
      ]).to.deep.equal(['revoke', 'ingest', 'write']);
      expect([classOf('revokeConsentReceipt', false), classOf('ingestEvents', false)]).to.deep.equal([
        'read',
        'read',
      ]);
      const { charge } = await run(`mutation { ingestThings(idempotencyKey: "${KEY}") }`, {
        ingestThings: 'done',
      });
      expect([charge.rate?.operationClass, charge.points]).to.deep.equal(['ingest', 1]);
    });

    it('counts a batch by its items, and a list of names as one', async () => {
      const pointsOf = async (input: string): Promise<number> => {
        const source = `mutation { ingestThings(input: ${input}, idempotencyKey: "${KEY}") }`;
        return (await run(source, { ingestThings: 'done' })).charge.points;
      };
      expect(await pointsOf('{ things: [{}, {}, {}] }')).to.equal(3);
      expect(await pointsOf('{ things: [] }')).to.equal(1);
      expect(await pointsOf('{ names: ["a", "b"] }')).to.equal(1);
    });

    it('does not run with an input beyond its bounds, and reports a used key first', async () => {
      const source = `mutation { createThing(input: { name: "long" }, idempotencyKey: "${KEY}") }`;
      const refused = await run(source, { createThing: 'done' });
      expect([refused.errors, refused.commands]).to.deep.equal([['validation_failed'], []]);
      const used = await run(source, { createThing: 'done' }, {}, undefined, [KEY]);
      expect([used.errors, used.commands]).to.deep.equal([['idempotency_conflict'], []]);
    });

    it('refuses an id that PostgreSQL cannot store', async () => {
      const source = `mutation { createThing(id: "a\\u0000b", idempotencyKey: "${KEY}") }`;
      const { errors, commands } = await run(source, { createThing: 'done' });
      expect([errors, commands]).to.deep.equal([['invalid_request'], []]);
    });

    it('omits the items of a batch that are beyond their bounds, but hashes them', async () => {
      const commandOf = async (things: string): Promise<[CommandCall | undefined, unknown]> => {
        let input: unknown;
        let command: CommandCall | undefined;
        const ingestThings = (args: { input: unknown }, context: { command?: CommandCall }): string => {
          ({ input } = args);
          ({ command } = context);
          return 'done';
        };
        const source = `mutation { ingestThings(input: { things: ${things} }, idempotencyKey: "${KEY}") }`;
        expect((await run(source, { ingestThings })).errors).to.deep.equal([]);
        return [command, input];
      };
      const [some, left] = await commandOf('[{ name: "a" }, { name: "long" }]');
      expect(left).to.deep.equal({ things: [{ name: 'a' }, null] });
      expect([...(some?.rejected.keys() ?? [])]).to.deep.equal([1]);
      const [others] = await commandOf('[{ name: "a" }, { name: "longer" }]');
      const [moved] = await commandOf('[{ name: "long" }, { name: "a" }]');
      const [same] = await commandOf('[{ name: "a" }, { name: "long" }]');
      expect(same?.payloadHash).to.equal(some?.payloadHash);
      expect(new Set([some, others, moved].map((command) => command?.payloadHash)).size).to.equal(3);
      const [whole] = await commandOf('[{ name: "a" }]');
      expect(whole?.rejected.size).to.equal(0);
    });

    it('takes the key and the rejected items from REST', async () => {
      const rejected = new Map([[0, { details: [], omitted: 0, raw: { name: 'long' } }]]);
      const decided = { field: 'createThing', key: 'the-key-of-the-door', rejected };
      const source = `mutation { createThing(id: "1", input: { name: "long" }, idempotencyKey: "${KEY}") }`;
      const { commands, errors } = await run(source, { createThing: 'done' }, {}, decided);
      expect(errors).to.deep.equal([]);
      expect(commands[0]).to.include({ key: 'the-key-of-the-door', rejected });
      const other = await run(
        source,
        { createThing: 'done' },
        {},
        { ...decided, key: 'x', rejected: new Map() },
      );
      expect(other.commands[0]?.payloadHash, 'the key is no part of the payload').to.not.equal(undefined);
      expect(other.commands[0]?.payloadHash).to.not.equal(commands[0]?.payloadHash);
      const input = `mutation { createThing(id: "2", input: { name: "long" }, idempotencyKey: "${KEY}") }`;
      const elsewhere = await run(input, { createThing: 'done' }, {}, decided);
      expect(elsewhere.commands[0]?.payloadHash).to.not.equal(commands[0]?.payloadHash);
    });

    it('has one hash for equal inputs, however they are written, and another for other inputs', async () => {
      const hashOf = async (args: string): Promise<string | undefined> => {
        const source = `mutation { createThing(${args} idempotencyKey: "${KEY}") }`;
        const { commands, errors } = await run(source, { createThing: 'done' });
        expect(errors).to.deep.equal([]);
        expect(commands[0]).to.include({ operation: 'createThing', key: KEY });
        return commands[0]?.payloadHash;
      };
      expect(await hashOf('')).to.equal(await hashOf('input: {}'));
      expect(await hashOf('')).to.not.equal(await hashOf('input: { name: "a" }'));
      expect(await hashOf('input: { name: "a" }')).to.not.equal(
        await hashOf('id: "1", input: { name: "a" }'),
      );
    });

    it('has the same hash in every version of the service', async () => {
      const hashOf = async (field: string, root: object): Promise<string | undefined> =>
        (await run(`mutation { ${field} }`, root, { kind: 'admin', key: 'k' } as Partial<Caller>)).commands[0]
          ?.payloadHash;
      expect(
        await hashOf(`setThing(id: "thing_1", idempotencyKey: "${KEY}")`, { setThing: 'done' }),
      ).to.equal(payloadHash('setThing', { id: 'thing_1' }));
      const { commands } = await run(
        `mutation { createThing(input: { name: "a" }, idempotencyKey: "${KEY}") }`,
        {
          createThing: 'done',
        },
      );
      expect(commands[0]?.payloadHash).to.equal(payloadHash('createThing', { input: { name: 'a' } }));
    });

    it('asks for a key', async () => {
      const source = 'mutation { createThing(idempotencyKey: "short") }';
      expect((await run(source, { createThing: 'done' })).errors).to.deep.equal(['idempotency_key_invalid']);
    });

    it('is recorded in the operator log only for an administrative key', async () => {
      const admin = { kind: 'admin', key: 'abcd' } as Partial<Caller>;
      const source = `mutation { setThing(id: "thing_1", idempotencyKey: "${KEY}") }`;
      const { acts, errors, data } = await run(source, { setThing: 'done' }, admin);
      expect([errors, data]).to.deep.equal([[], { setThing: 'done' }]);
      expect(acts).to.deep.equal([
        {
          operator: 'key:abcd',
          via: 'request',
          action: 'setThing',
          target: { id: 'thing_1' },
          requestId: 'req_1',
        },
      ]);
      const own = await run(`mutation { createThing(idempotencyKey: "${KEY}") }`, { createThing: 'done' });
      expect(own.acts).to.deep.equal([]);
      const below = `mutation { openThing(idempotencyKey: "${KEY}") { known } }`;
      const opened = await run(below, { openThing: { known: 'x' } }, admin);
      expect([opened.data, opened.acts.length], 'once, not for each field').to.deep.equal([
        { openThing: { known: 'x' } },
        1,
      ]);
    });
  });
});

describe('who calls', () => {
  const config = configFrom({ NODE_ENV: 'test', ADMIN_KEYS: 'first-admin-key-0123,second-admin-key-0123' });
  const app: Caller = { kind: 'app', appId: 'app_1', clientId: 'app_1', scopes: new Set() };
  const asked: string[] = [];
  const verifier = {
    verify: (bearer: string): Promise<Caller> => {
      asked.push(bearer);
      return Promise.resolve(app);
    },
  };
  const who = (authorization?: string, adminKey?: string): Promise<Caller> =>
    identifyCaller(config, verifier, { authorization, adminKey });

  it('is the operator with any of the administrative keys and with nothing else', async () => {
    for (const key of config.secrets.adminKeys)
      expect(await who(undefined, key)).to.deep.equal({ kind: 'admin', key: fingerprint(key) });
    for (const key of ['', 'first-admin-key-0123 ', 'first-admin-key-0123,second-admin-key-0123'])
      expect(await who('Bearer good', key)).to.deep.equal({
        kind: 'anonymous',
        reason: 'The administrative key is wrong.',
      });
    expect(asked).to.deep.equal([]);
  });

  it('is identified by the bearer token', async () => {
    expect(await who('Bearer a.token-._~+/==')).to.equal(app);
    expect(await who('bearer   another')).to.equal(app);
    expect(asked.splice(0)).to.deep.equal(['a.token-._~+/==', 'another']);
  });

  it('is anonymous without a token or with an invalid one', async () => {
    expect(await who()).to.deep.equal({ kind: 'anonymous', reason: 'An access token is required.' });
    for (const header of [
      '',
      'Basic eDp5',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      'XBearer a',
      'Bearer a,b',
      'Bearer =a',
    ])
      expect(await who(header), header).to.deep.equal({
        kind: 'anonymous',
        reason: 'The Authorization header must be "Bearer" and an access token.',
      });
    expect(asked).to.deep.equal([]);
  });

  it('is identified by headers, and anonymous if one is repeated', () => {
    const sent = (headers: object, ...distinct: string[]): IncomingMessage =>
      ({ headers, headersDistinct: { authorization: distinct } }) as unknown as IncomingMessage;
    const both = { authorization: 'Bearer a', 'x-service-admin-key': 'k' };
    expect(credentialsOf(sent(both, 'Bearer a'))).to.deep.equal({ authorization: 'Bearer a', adminKey: 'k' });
    expect(credentialsOf({ headers: {}, headersDistinct: {} } as IncomingMessage)).to.deep.equal({
      authorization: undefined,
      adminKey: undefined,
    });
    expect(
      credentialsOf({ headers: both, headersDistinct: {} } as unknown as IncomingMessage).adminKey,
    ).to.equal('k');
    expect(credentialsOf(sent({}, 'Bearer a', 'Bearer b')).authorization, 'of a page’s own door').to.equal(
      undefined,
    );
    try {
      credentialsOf(sent(both, 'Bearer a', 'Bearer b'));
      expect.fail('It was taken.');
    } catch (error) {
      expect(error).to.be.instanceOf(ServiceError);
      const { code, message, facts } = error as ServiceError;
      expect([code, message]).to.deep.equal([
        'invalid_request',
        'The Authorization header must be given once.',
      ]);
      expect(facts.details).to.deep.equal([
        { code: 'repeated_header', message: 'must be given once', field: 'Authorization' },
      ]);
    }
  });
});
