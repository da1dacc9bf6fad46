import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import express from 'express';
import { freePort } from '../../support/freePort.js';
import { bundlePath, bundleRouter, loadBundle } from '../../../src/pages/appPages/bundle.js';
import { dashboardRouter } from '../../../src/pages/dashboard/dashboardRouter.js';
import { graphiqlRouter } from '../../../src/pages/graphiql/graphiqlRouter.js';
import type { AccountServices } from '../../../src/accounts/AccountServices.js';
import { DASHBOARD, GRAPHIQL } from '../../../src/oauth/firstPartyPages.js';

describe("a page's bundle", () => {
  async function answerOf(router: express.Router, path: string, headers: Record<string, string> = {}) {
    const server = createServer(express().use(router));
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('is served with and without compression, under a name that changes with it', async () => {
    const bundle = loadBundle(GRAPHIQL);
    if (bundle === undefined) throw new Error('The kept bundle is missing.');
    const plain = await answerOf(bundleRouter(bundle), bundlePath(bundle, 'graphiql.css'), {
      'accept-encoding': 'identity',
    });
    const compressed = await answerOf(bundleRouter(bundle), bundlePath(bundle, 'graphiql.css'), {
      'accept-encoding': 'gzip',
    });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(compressed.headers.get('content-encoding')).to.equal('gzip');
    expect(compressed.text).to.equal(plain.text);
    expect(compressed.headers.get('cache-control')).to.include('immutable');
  });

  it('is replaced by an explanation if it was not built', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'consent-no-bundle-'));
    try {
      for (const [page, router] of [
        [GRAPHIQL, graphiqlRouter],
        [DASHBOARD, dashboardRouter],
      ] as const) {
        const bundle = loadBundle(page, pathToFileURL(`${empty}/`));
        expect(bundle).to.equal(undefined);
        const { status, text } = await answerOf(router({} as AccountServices, bundle), page.path);
        expect(status).to.equal(503);
        expect(text).to.include(`npm run ${page.name}:build`);
      }
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});
