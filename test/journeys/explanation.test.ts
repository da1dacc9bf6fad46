import { expect } from 'chai';
import { claimBody, finished, grant, makeCustomer, revoke, sendClaims } from '../support/records.js';
import type { TestPartner } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';

const EXPLAINED = `query ($id: ID!, $purpose: ConsentPurpose) {
  resolvedProfile(customerId: $id, consentPurpose: $purpose) {
    facts {
      attribute confidence
      explanation {
        logOdds prior change calibration normalisation omitted accuracyVersion
        age { halfLifeDays origin confidenceWithout } model { dependence byAttribute gain }
        shares { claimId source supports logOdds sourceAccuracy reliability decay copying { of probability } }
      }
    }
  }
}`;

const GATES = `query ($id: ID!) { resolvedProfile(customerId: $id) { gates { purpose isOpen decidedBy } } }`;

interface Explained {
  confidence: number;
  explanation: {
    logOdds: number;
    prior: number;
    change: number;
    calibration: number;
    age: { halfLifeDays: number | null; origin: string; confidenceWithout: number } | null;
    model: { dependence: string; byAttribute: boolean; gain: number } | null;
    normalisation: number;
    omitted: number;
    shares: { source: string; supports: boolean; logOdds: number }[];
  };
}

describe('Explanations and gates', () => {
  let service: TestService;
  let app: TestPartner;
  let customer: string;

  before(async () => {
    service = await TestService.start();
    app = await service.makeAppWith({
      allowed_consent_purposes: ['personalization', 'analytics', 'support'],
    });
  });
  beforeEach(async () => {
    customer = await makeCustomer(app);
  });
  after(() => service.stop());

  it('explain a fact by shares that add up to the log-odds of its confidence', async () => {
    await grant(app, customer, 'personalization');
    await sendClaims(
      app,
      claimBody(customer),
      claimBody(customer, { source: 'survey' }),
      claimBody(customer, { source: 'broker', value: 'poetry', confidence: 0.4 }),
    );
    const { data, errors } = await app.graphql(EXPLAINED, { id: customer });
    expect(errors).to.deep.equal([]);
    const [fact] = data.resolvedProfile.facts as Explained[];
    const told = fact?.explanation;
    const confidence = fact?.confidence ?? 0;
    expect(told?.shares.map(({ source, supports }) => [source, supports])).to.have.deep.members([
      ['broker', false],
      ['survey', true],
      ['till', true],
    ]);
    const shares = told?.shares.reduce((sum, share) => sum + share.logOdds, 0) ?? 0;
    const { prior = 0, change = 0, calibration = 0, normalisation = 0, omitted = 0 } = told ?? {};
    expect(prior + change + calibration + normalisation + omitted + shares).to.be.closeTo(
      Math.log(confidence / (1 - confidence)),
      1e-9,
    );
    expect(told?.shares.find(({ source }) => source === 'broker')?.logOdds).to.be.lessThan(0);
    expect(told?.age).to.deep.include({ halfLifeDays: 730, origin: 'DEFAULT' });
    expect(told?.age?.confidenceWithout).to.be.greaterThan(confidence);
    expect(told?.model).to.deep.equal({ dependence: 'INDEPENDENT', byAttribute: false, gain: 0 });
  });

  it('exist for facts of an earlier release without members that it did not store', async () => {
    await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer));
    await service.sql(
      `UPDATE facts SET explanation = (explanation::jsonb - 'age' - 'model' - 'calibration')::text
        WHERE customer_id = $1`,
      [customer],
    );
    const { data, errors } = await app.graphql(EXPLAINED, { id: customer });
    expect(errors).to.deep.equal([]);
    const [fact] = data.resolvedProfile.facts as Explained[];
    expect(fact?.explanation).to.deep.include({ calibration: 0, age: null, model: null });
  });

  it('name the gate that denied: scope, purpose or receipt', async () => {
    await grant(app, customer, 'personalization');
    const gateOf = async (partner: TestPartner, purpose: string): Promise<unknown> => {
      const { errors } = await partner.graphql(EXPLAINED, { id: customer, purpose });
      return errors[0]?.extensions['gate'];
    };
    expect(await gateOf(await service.narrowed(app, 'claims:read'), 'PERSONALIZATION')).to.equal('SCOPE');
    expect(await gateOf(app, 'MEASUREMENT')).to.equal('PURPOSE');
    expect(await gateOf(app, 'ANALYTICS')).to.equal('RECEIPT');
    expect(await gateOf(app, 'PERSONALIZATION')).to.equal(undefined);
  });

  for (const [what, scope, field] of [
    ['claims', 'claims:read', 'claims(customerId: $id, consentPurpose: $purpose) { nodes { id } }'],
    ['intents', 'intents:read', 'intents(customerId: $id, consentPurpose: $purpose) { nodes { id } }'],
  ] as const)
    it(`name the gate that denied ${what}: scope, purpose or receipt`, async () => {
      await grant(app, customer, 'personalization');
      const gateOf = async (partner: TestPartner, purpose: string): Promise<unknown> => {
        const query = `query ($id: ID!, $purpose: ConsentPurpose) { ${field} }`;
        const { errors } = await partner.graphql(query, { id: customer, purpose });
        return errors[0]?.extensions['gate'];
      };
      const other = scope === 'claims:read' ? 'intents:read' : 'claims:read';
      expect(await gateOf(await service.narrowed(app, other), 'PERSONALIZATION')).to.equal('SCOPE');
      expect(await gateOf(app, 'MEASUREMENT')).to.equal('PURPOSE');
      expect(await gateOf(app, 'ANALYTICS')).to.equal('RECEIPT');
      expect(await gateOf(app, 'PERSONALIZATION')).to.equal(undefined);
    });

  it('give the reason for an empty answer, including a new consent epoch', async () => {
    const receipt = await grant(app, customer, 'personalization', 'analytics');
    await sendClaims(app, claimBody(customer));
    await finished(app, await revoke(app, receipt, 'personalization'));
    await grant(app, customer, 'personalization');
    const { data } = await app.graphql(GATES, { id: customer });
    const gates = data.resolvedProfile.gates as {
      purpose: string;
      isOpen: boolean;
      decidedBy: string | null;
    }[];
    const decided = Object.fromEntries(
      gates.map(({ purpose, isOpen, decidedBy }) => [purpose, [isOpen, decidedBy]]),
    );
    expect(decided).to.deep.include({
      PERSONALIZATION: [true, 'EPOCH'],
      ANALYTICS: [true, null],
      SUPPORT: [false, 'RECEIPT'],
      MEASUREMENT: [false, 'PURPOSE'],
    });
  });

  it('explain nothing of a purpose that was revoked', async () => {
    const receipt = await grant(app, customer, 'personalization');
    await sendClaims(app, claimBody(customer));
    await revoke(app, receipt);
    const { data, text } = await app.graphql(EXPLAINED, { id: customer });
    expect(data.resolvedProfile.facts).to.deep.equal([]);
    expect(text).not.to.include('crime');
  });
});
