import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, grant, makeCustomer, revoke } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { TURNS, ranFiles } from './ranFiles.js';

const GUIDE = 'docs/architecture.md';
/** Fewer is better; a file is not merged only to count less. */
const MAX_FILES = 24;
const MAX_STEPS = 12;
const MAX_UNNAMED = 4;

/** The files of each numbered step of a section of the guide. */
function stepsOf(heading: string): string[][] {
  const [, section = ''] = readFileSync(GUIDE, 'utf8').split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const steps = text
    .split(/^\d+\. /m)
    .slice(1)
    .map((step) => step.split('\n\n')[0] ?? '');
  return steps.map((step) => [...step.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file));
}

/**
 * Every file named runs, and nearly every file that runs is named: two changes that meet on main do not stop
 * each other. A turn may take another way now and then: a token that a notice made the service forget, or
 * that is older than it believes one, is read anew. And what runs now and then in the background is no step.
 */
function expectNamed(steps: readonly (readonly string[])[], ran: ReadonlyMap<string, number>): void {
  expect(steps.length).to.be.within(1, MAX_STEPS);
  const named = steps.flat();
  expect(named).to.have.members([...new Set(named)]);
  const idle = named.filter((file) => (ran.get(file) ?? 0) <= TURNS / 2);
  const told = idle.map((file) => `${file} (in ${ran.get(file) ?? 0} of ${TURNS} turns)`);
  expect(idle, `these are named in ${GUIDE}, and do not run: ${told.join(', ')}`).to.deep.equal([]);
  const unnamed = [...ran].filter(([file, turns]) => turns === TURNS && !named.includes(file));
  const missing = unnamed.map(([file]) => file).join(', ');
  expect(unnamed, `name these in ${GUIDE}: ${missing}`).to.have.length.at.most(MAX_UNNAMED);
}

describe('docs/architecture.md', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    // Without background work: a file of it could not be told from one of the request.
    service = await TestService.start({ ROLE: 'gateway', RATE_LIMITS: '' });
    app = await service.makeApp();
    customer = await makeCustomer(app);
    await grant(app, customer, 'analytics');
  });
  after(() => service.stop());

  async function read(): Promise<void> {
    expectStatus(await app.rest('GET', `/v1/profiles/${customer}?consent_purpose=analytics`), 200);
    await nextTurn();
  }

  it('names each file of a profile read once, in at most twelve steps', async () => {
    await read();
    const steps = stepsOf('One read, followed');
    expect(steps.flat()).to.have.length.at.most(MAX_FILES);
    expectNamed(steps, await ranFiles({ work: read }));
  });

  it('names each further file of a revoke', async () => {
    const given = (): Promise<string> => grant(app, customer, 'analytics');
    const work = async (receipt: string): Promise<void> => {
      await revoke(app, receipt);
      await nextTurn();
    };
    await work(await given());
    const ofRead = new Set(stepsOf('One read, followed').flat());
    const ran = await ranFiles({ before: given, work });
    expectNamed(stepsOf('One revoke, followed'), new Map([...ran].filter(([file]) => !ofRead.has(file))));
  });
});
