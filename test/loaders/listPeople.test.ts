import { expect } from 'chai';
import type { AppMember } from '../../schema/types/AppMember.js';
import { findConnectionLink } from '../../src/loaders/findConnectionLink.js';
import { hasAccountLink, listAccountConnections } from '../../src/loaders/listAccountConnections.js';
import type { ConnectionPurpose } from '../../src/loaders/listAccountConnections.js';
import { listAppMembers } from '../../src/loaders/listAppMembers.js';
import { loadAccount } from '../../src/loaders/loadAccount.js';
import { loadApp } from '../../src/loaders/loadApp.js';
import { loadAppLogo } from '../../src/loaders/loadAppLogo.js';
import { expectList } from '../support/expectList.js';
import { APP, LoaderFixture, OTHER_APP } from '../support/LoaderFixture.js';

const minute = (at: number): string => `2026-03-01T00:0${at}:00.000Z`;
const AT = minute(0);
const NOW = minute(5);

describe('The reads of members, accounts and connections', () => {
  let fixture: LoaderFixture;

  before(async () => {
    fixture = await LoaderFixture.start();
    fixture.now = NOW;
    const directory = { withoutApp: true };
    const account = {
      email_verified: true,
      created_at: AT,
      updated_at: AT,
      locale: 'en',
      locale_chosen: false,
    };
    await fixture.insert(
      'accounts',
      [
        { ...account, account_id: 'acc_1', email: 'a@people.example', approval_notices: true },
        {
          ...account,
          account_id: 'acc_2',
          email: 'placeholder',
          claimed_email: 'b@people.example',
          approval_notices: true,
        },
      ],
      directory,
    );
    const member = { scopes: ['consent:read', 'of a later version'], created_at: AT, updated_at: NOW };
    await fixture.insert('app_members', [
      { ...member, account_id: 'acc_1' },
      { ...member, account_id: 'acc_2' },
      { ...member, account_id: 'acc_1', app_id: OTHER_APP },
    ]);
  });
  after(() => fixture?.stop());

  it('return the members of an app, newest account first', async () => {
    const list = (request: object) => listAppMembers(fixture.context(), request);
    await expectList(fixture, {
      list,
      idOf: ({ accountId }: AppMember) => accountId,
      ids: ['acc_2', 'acc_1'],
      scope: { appId: APP, list: 'app_members' },
    });
    const { edges } = await list({});
    expect(edges[1]?.node).to.deep.equal({
      accountId: 'acc_1',
      email: 'a@people.example',
      scopes: ['consent:read'],
      createdAt: AT,
      updatedAt: NOW,
    });
  });

  it('return an account with its proved or claimed address', async () => {
    const emailOf = async (id: string) => (await loadAccount(fixture.services, id))?.email;
    expect(await loadAccount(fixture.services, 'acc_1')).to.deep.equal({
      id: 'acc_1',
      email: 'a@people.example',
    });
    expect(await emailOf('acc_2')).to.equal('b@people.example');
    expect(await emailOf('none')).to.equal(undefined);
  });

  it('return an app by id and its logo while it is active', async () => {
    expect(await loadApp(fixture.services, APP)).to.include({ id: APP, name: 'Harbour Books' });
    expect(await loadApp(fixture.services, 'none')).to.equal(undefined);
    await fixture.insert('app_logos', [{ digest: 'd1', png: '\\x0102' }]);
    const logo = (digest: string) => loadAppLogo(fixture.services.database, APP, digest);
    expect([...((await logo('d1')) ?? [])]).to.deep.equal([1, 2]);
    expect(await logo('d2')).to.equal(undefined);
  });

  it('return the app and the hashes of a connection link', async () => {
    const { database } = fixture.services;
    await fixture.insert('connection_links', [{ session_id: 'cs_1', token_hash: 't', browser_hash: 'b' }]);
    await fixture.sql(
      `UPDATE apps SET client_uri = 'https://c.example', tos_uri = 'https://t.example',
         policy_uri = 'https://p.example', logo_digest = 'd1' WHERE app_id = '${APP}'`,
    );
    const link = {
      appId: APP,
      appName: 'Harbour Books',
      clientUri: 'https://c.example',
      tosUri: 'https://t.example',
      policyUri: 'https://p.example',
      logoDigest: 'd1',
      appActive: true,
      allowedPurposes: null,
      redirectUris: ['https://partner.example/callback'],
      tokenHash: 't',
      browserHash: 'b',
    };
    expect(await findConnectionLink(database, 'cs_1')).to.deep.equal(link);
    await fixture.sql(`UPDATE apps SET status = 'disabled' WHERE app_id = '${APP}'`);
    expect(await findConnectionLink(database, 'cs_1')).to.deep.equal({ ...link, appActive: false });
    await fixture.sql(`UPDATE apps SET status = 'active' WHERE app_id = '${APP}'`);
    expect(await findConnectionLink(database, 'none')).to.equal(undefined);
  });

  describe('of connections of an account', () => {
    const PURPOSES_OF: Readonly<Record<string, ConnectionPurpose>> = {
      account_linking: granted('account_linking', minute(1)),
      personalization: { ...granted('personalization', minute(2)), approvedUntil: minute(7) },
      analytics: { purpose: 'analytics', state: 'approved', since: null, approvedUntil: minute(7) },
      support: withdrawn('support', minute(3)),
      event_enrichment: withdrawn('event_enrichment', minute(4)),
      profile_resolution: withdrawn('profile_resolution', minute(4)),
    };

    function granted(purpose: ConnectionPurpose['purpose'], since: string): ConnectionPurpose {
      return { purpose, state: 'granted', since, approvedUntil: null };
    }

    function withdrawn(purpose: ConnectionPurpose['purpose'], since: string): ConnectionPurpose {
      return { purpose, state: 'withdrawn', since, approvedUntil: null };
    }

    before(async () => {
      await fixture.insert(
        'account_links',
        [
          { account_id: 'acc_1', app_id: APP, customer_id: 'cus_1', linked_at: minute(1) },
          { account_id: 'acc_1', app_id: OTHER_APP, customer_id: 'cus_9', linked_at: minute(2) },
          { account_id: 'acc_1', app_id: APP, customer_id: 'cus_2', linked_at: minute(3) },
          { account_id: 'acc_2', app_id: APP, customer_id: 'cus_3', linked_at: minute(4) },
        ],
        { withoutApp: true },
      );
      const consents: [purpose: number, granted: string, revoked: string | null][] = [
        [0, minute(1), null],
        [1, minute(2), null],
        [2, minute(1), minute(2)],
        [3, minute(1), minute(3)],
        [5, minute(1), minute(2)],
      ];
      for (const [purpose, granted_at, revoked_at] of consents) {
        const status = revoked_at === null ? 'granted' : 'revoked';
        const row = { customer_id: 'cus_1', purpose, status, granted_at, revoked_at };
        await fixture.insert('customer_consents', [row]);
      }
      const open = { customer_id: 'cus_1', status: 'authorized', requested_purposes: [], created_at: AT };
      const withdrawal = {
        withdrawn_at: minute(4),
        withdrawn_purposes: ['event_enrichment', 'profile_resolution'],
      };
      const kept = { withdrawn_purposes: [], approved_purposes: ['personalization', 'analytics'] };
      await fixture.insert('connection_sessions', [
        { ...open, ...kept, session_id: 'cs_1', expires_at: minute(6) },
        { ...open, ...kept, session_id: 'cs_2', expires_at: minute(7) },
        // It ends at this very moment.
        { ...open, ...kept, session_id: 'cs_3', approved_purposes: ['measurement'], expires_at: NOW },
        { ...open, ...withdrawal, session_id: 'cs_4', status: 'revoked', expires_at: minute(9) },
        {
          ...open,
          ...kept,
          session_id: 'cs_5',
          app_id: OTHER_APP,
          customer_id: 'cus_9',
          expires_at: minute(9),
        },
        // Of cus_2 nothing is left of what was approved.
        { ...open, ...kept, session_id: 'cs_6', customer_id: 'cus_2', expires_at: minute(1) },
      ]);
      for (const receipt_id of ['rcp_1', 'rcp_2', 'rcp_3']) {
        await fixture.insert('consent_receipts', [{ receipt_id, customer_id: 'cus_1', granted_at: AT }]);
        await fixture.insert('consent_receipt_purposes', [
          { receipt_id, purpose: 0, position: 0, granted_at: AT, revoked_at: null },
        ]);
      }
    });

    it('return them newest first with purposes and receipts, without those that have ended', async () => {
      const connections = await listAccountConnections(fixture.services, 'acc_1');
      expect(connections.map(({ customerId }) => customerId)).to.deep.equal(['cus_9', 'cus_1']);
      const [other, own] = connections;
      expect(other).to.deep.equal({
        appId: OTHER_APP,
        customerId: 'cus_9',
        linkedAt: minute(2),
        partner: 'Harbour Books',
        logoDigest: null,
        purposes: ['personalization', 'analytics'].map((purpose) => ({
          purpose,
          state: 'approved',
          since: null,
          approvedUntil: minute(9),
        })),
        receipts: [],
      });
      expect(own?.purposes).to.deep.equal(Object.values(PURPOSES_OF));
      expect(own?.receipts.map(({ id }) => id)).to.deep.equal(['rcp_3', 'rcp_2', 'rcp_1']);
      expect(own?.receipts[0]).to.include({ grantedAt: AT, status: 'active', customerId: 'cus_1' });
    });

    it('return at most the requested numbers of connections and receipts', async () => {
      const most = { connections: 3, receipts: 2 };
      const connections = await listAccountConnections(fixture.services, 'acc_1', most);
      expect(connections[1]?.receipts.map(({ id }) => id)).to.deep.equal(['rcp_3', 'rcp_2']);
      const fewer = await listAccountConnections(fixture.services, 'acc_1', { connections: 1, receipts: 2 });
      expect(fewer.map(({ customerId }) => customerId)).to.deep.equal(['cus_9']);
    });

    it('return what is behind 100 newer links with nothing to show, with 20 receipts each', async () => {
      const asked: unknown[] = [];
      const database = {
        read: async (_query: unknown, [, most, before]: unknown[]) => {
          asked.push([most, before]);
          const link = { app_id: APP, name: '', logo_digest: null };
          if (before === 0) return Array.from({ length: 100 }, () => ({ ...link, customer_id: 'cus_2' }));
          return [{ ...link, customer_id: 'cus_1' }];
        },
        readAs: async (_appId: string, _query: unknown, [, customerId, , receipts]: unknown[]) => {
          if (customerId === 'cus_2') return [{}];
          asked.push(receipts);
          return [{ consents: [{ purpose: 0, granted_at: AT, revoked_at: null }] }];
        },
      };
      const services = { ...fixture.services, database: database as never };
      const found = await listAccountConnections(services, 'acc_1');
      expect(found.map(({ customerId }) => customerId)).to.deep.equal(['cus_1']);
      expect(asked).to.deep.equal([[100, 0], [100, 100], 20]);
    });

    it('return whether an account is linked to a customer', async () => {
      const has = (account: string, app: string, customer: string): Promise<boolean> =>
        hasAccountLink(fixture.services.database, account, app, customer);
      expect(await has('acc_1', APP, 'cus_1')).to.equal(true);
      expect(await has('acc_2', APP, 'cus_1')).to.equal(false);
      expect(await has('acc_1', OTHER_APP, 'cus_1')).to.equal(false);
      expect(await has('acc_1', APP, 'cus_9')).to.equal(false);
    });
  });
});
