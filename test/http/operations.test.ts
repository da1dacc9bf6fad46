import { expect } from 'chai';
import { TEST_ADMIN_KEY } from '../support/registerApp.js';
import { TestService } from '../support/TestService.js';

const HEALTH = ['/healthz', '/readyz', '/metrics'];

describe('a service with a port for its operators', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ OPERATIONS_PORT: '0' });
  });
  after(() => service.stop());

  const status = async (url: string): Promise<number> => (await fetch(url)).status;

  it('shows health and metrics there', async () => {
    expect(service.operationsUrl).to.not.equal(service.url);
    for (const path of HEALTH) expect(await status(service.operationsUrl + path), path).to.equal(200);
    expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).to.include(
      'http_request_duration_seconds',
    );
  });

  it('answers there with the correlation id, and with the documentation of the API', async () => {
    for (const [method, path, expected] of [
      ['GET', '/nowhere', 404],
      ['POST', '/healthz', 405],
    ] as const) {
      const headers = { 'x-request-id': 'mine-1' };
      const response = await fetch(service.operationsUrl + path, { method, headers });
      const { error } = (await response.json()) as { error: Record<string, string> };
      expect([response.status, response.headers.get('x-request-id')]).to.deep.equal([expected, 'mine-1']);
      expect(error['request_id']).to.equal('mine-1');
      expect(error['documentation_url']).to.equal(`${service.url}/docs/errors#${error['code']}`);
    }
    const { headers } = await fetch(`${service.operationsUrl}/healthz`);
    expect([headers.has('x-request-id'), headers.has('etag')]).to.deep.equal([true, false]);
  });

  it('shows neither beside the API, and nothing of the API there', async () => {
    for (const path of HEALTH) expect(await status(service.url + path), path).to.equal(404);
    for (const path of [
      '/v1/customers',
      '/v1/openapi.json',
      '/graphql',
      '/oauth/jwks',
      '/sign-in',
      '/graphiql',
    ])
      expect(await status(service.operationsUrl + path), path).to.equal(404);
  });
});

describe('a service whose health and metrics a proxy hides by their paths', () => {
  it('shows them at no other spelling', async () => {
    const service = await TestService.start();
    try {
      const statusOf = async (path: string): Promise<number> => {
        const headers = { 'x-service-admin-key': TEST_ADMIN_KEY };
        return (await fetch(service.url + path, { headers })).status;
      };
      for (const path of [...HEALTH, '/operator/apps']) {
        expect(await statusOf(path), path).to.equal(200);
        for (const other of [`${path}/`, path.toUpperCase(), `/${path}`, path.replace('e', '%65')])
          expect(await statusOf(other), other).to.equal(404);
      }
    } finally {
      await service.stop();
    }
  });
});

describe('the metrics of requests', () => {
  it('name one path as the route of each', async () => {
    const service = await TestService.start();
    try {
      for (const path of ['/oauth/jwks', '/oauth/authorize?client_id=x']) await fetch(service.url + path);
      for (const path of ['/oauth/revoke', '/healthz']) await fetch(service.url + path, { method: 'PUT' });
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const routes = [...text.matchAll(/_seconds_count\{method="\w+",route="([^"]*)"/g)].map(
        ([, one]) => one,
      );
      expect(routes).to.have.members(['/oauth/jwks', '/oauth/authorize', '/oauth/revoke', '/healthz']);
    } finally {
      await service.stop();
    }
  });
});

describe('a connection to the service', () => {
  it('stays open longer than the usual 60 s of load balancers', async () => {
    const service = await TestService.start();
    try {
      const { headers } = await fetch(`${service.url}/healthz`);
      const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
      expect(Number(seconds)).to.be.greaterThan(60);
    } finally {
      await service.stop();
    }
  });

  it('sends HSTS in production over https, and nowhere else', async () => {
    const policyOf = async (env: Record<string, string>): Promise<Set<string | null>> => {
      const service = await TestService.start(env);
      try {
        const paths = ['/v1/customers', '/v1/nowhere', '/sign-in', '/oauth/jwks', '/graphql', '/healthz'];
        const answers = await Promise.all(paths.map((path) => fetch(service.url + path)));
        return new Set(answers.map(({ headers }) => headers.get('strict-transport-security')));
      } finally {
        await service.stop();
      }
    };
    const production = { NODE_ENV: 'production', DRAIN_MS: '0' };
    const https = { BASE_URL: 'https://api.partner.example' };
    expect([...(await policyOf({ ...production, ...https }))]).to.deep.equal(['max-age=31536000']);
    expect([...(await policyOf(production))]).to.deep.equal([null]);
    expect([...(await policyOf(https))]).to.deep.equal([null]);
  });
});
