import { expect } from 'chai';
import { parse } from 'graphql';
import { buildGuardedSchema } from '../../src/start/buildGuardedSchema.js';
import { OperationCompiler } from '../../src/execution/OperationCompiler.js';
import { TestService } from '../support/TestService.js';

const CODE = 'globalThis.ranAsCode = true';
const MARK = 'MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';

describe('refuseDeviations', () => {
  const compiler = new OperationCompiler(buildGuardedSchema());

  it('runs no text of a client as code', async () => {
    const service = await TestService.start();
    try {
      const app = await service.makeApp();
      for (const id of [`__${MARK}${CODE}`, `\\u005f_${MARK}${CODE}`])
        for (let time = 0; time < 4; time += 1) {
          const { errors } = await app.graphql(`{ customer(id: "${id}") { id } }`);
          expect(errors.map(({ extensions }) => extensions['code'])).to.deep.equal(['NOT_FOUND']);
        }
      expect(globalThis).to.not.have.property('ranAsCode');
    } finally {
      await service.stop();
    }
  });

  for (const [what, text] of [
    ['a marked string', `{ customer(id: "__${MARK}${CODE}") { id } }`],
    ['a marked string with escapes', `{ customer(id: "\\u005f_${MARK}${CODE}") { id } }`],
    ['a marked string in a block', `{ customer(id: """__${MARK}${CODE}""") { id } }`],
    [
      'a marked string in an object',
      `{ entries(fields: { a: ["__${MARK}${CODE}"] }) { nodes { entryId } } }`,
    ],
    [
      'a marked member',
      '{ entries(fields: { __MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8: 1 }) { nodes { entryId } } }',
    ],
    ['an alias that is no property', '{ __proto__: customer(id: "a") { id } }'],
    ['a member that is no property', '{ entries(fields: { __proto__: 1 }) { nodes { entryId } } }'],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(() => compiler.compile(parse(text), 'graphql')).to.throw();
    });
  }
});
