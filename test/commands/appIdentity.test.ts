import { expect } from 'chai';
import sharp from 'sharp';
import type { Answer, Json } from '../support/TestPartner.js';
import { TestService } from '../support/TestService.js';
import { expectStatus } from '../support/records.js';

const PICTURE = { create: { width: 300, height: 100, channels: 4 as const, background: '#0b5d57' } };

describe("an app's identity", () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const makeApp = (): Promise<Awaited<ReturnType<TestService['makeAppWith']>>> =>
    service.makeAppWith({ allowed_scopes: ['apps:read', 'apps:write'] });
  const patch = (appId: string, change: object): Promise<Answer> =>
    service.admin.rest('PATCH', `/v1/apps/${appId}`, change);
  const refusals = (answer: Answer): [string, string][] =>
    expectStatus(answer, 422).error.details.map(({ field, code }: Json) => [field, code]);
  const fetchLogo = (app: Json): Promise<Response> => fetch(app.logo_uri as string);
  const png = async (): Promise<Buffer> => sharp(PICTURE).png().toBuffer();
  const setLogo = async (appId: string, bytes: Buffer): Promise<Json> =>
    expectStatus(await patch(appId, { logo: bytes.toString('base64') }), 200);

  it('is set by the operator, shown through both doors, and removed with null', async () => {
    const app = await makeApp();
    const links = {
      client_uri: 'https://quay.example',
      tos_uri: 'https://quay.example/terms',
      policy_uri: 'https://quay.example/privacy',
    };
    expect(expectStatus(await patch(app.appId, links), 200)).to.include(links);
    expect(expectStatus(await patch(app.appId, { name: 'Pier' }), 200), 'what is absent stays').to.include(
      links,
    );
    const { data } = await app.graphql(
      'query ($id: ID!) { app(id: $id) { clientUri tosUri policyUri logoUri } }',
      {
        id: app.appId,
      },
    );
    expect(data.app).to.deep.equal({
      clientUri: links.client_uri,
      tosUri: links.tos_uri,
      policyUri: links.policy_uri,
      logoUri: null,
    });
    const without = expectStatus(await patch(app.appId, { tos_uri: null }), 200);
    expect(without).to.not.have.property('tos_uri');
    expect(without.policy_uri).to.equal(links.policy_uri);
  });

  it('can be given when the app is made', async () => {
    const made = await service.admin.rest('POST', '/v1/apps', {
      name: 'Quay',
      redirect_uris: ['https://quay.example/cb'],
      allowed_scopes: ['apps:read'],
      client_uri: 'https://quay.example',
      logo: (await png()).toString('base64'),
    });
    const { app_id: id } = expectStatus(made, 201);
    const shown = expectStatus(await service.admin.rest('GET', `/v1/apps/${id}`), 200);
    expect(shown.client_uri).to.equal('https://quay.example');
    expect((await fetchLogo(shown)).status).to.equal(200);
  });

  it('cannot be chosen by the app itself, by field', async () => {
    const app = await makeApp();
    const change = { client_uri: 'https://bank.example', tos_uri: null, policy_uri: null, logo: 'AAAA' };
    const answer = await app.rest('PATCH', `/v1/apps/${app.appId}`, { ...change, name: 'Your bank' });
    expect(refusals(answer)).to.have.deep.members(Object.keys(change).map((field) => [field, 'not_granted']));
    const shown = expectStatus(await service.admin.rest('GET', `/v1/apps/${app.appId}`), 200);
    expect(shown).to.not.have.any.keys('client_uri', 'logo_uri');
    expect(shown.name, 'nothing was half done').to.not.equal('Your bank');
  });

  it('accepts web addresses only', async () => {
    const { appId } = await makeApp();
    const change = { client_uri: 'javascript:alert(1)', tos_uri: 'data:text/html,x', policy_uri: '/privacy' };
    expect(refusals(await patch(appId, change))).to.have.deep.members(
      Object.keys(change).map((field) => [field, 'invalid_uri']),
    );
  });

  it('has a logo that is served as a square PNG at an address of its own', async () => {
    const { appId } = await makeApp();
    const comment = 'who took this picture, and where';
    const sent = await sharp(PICTURE)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: comment } })
      .toBuffer();
    expect(sent.includes(comment)).to.equal(true);
    const answer = await fetchLogo(
      await setLogo(appId, Buffer.concat([sent, Buffer.from('<script>alert(1)</script>')])),
    );
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('image/png');
    expect(answer.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    const served = Buffer.from(await answer.arrayBuffer());
    const { format, width, height } = await sharp(served).metadata();
    expect([format, width, height]).to.deep.equal(['png', 192, 192]);
    expect(served.includes('<script>')).to.equal(false);
    expect(served.includes(comment)).to.equal(false);
  });

  it('has no logo at the address of one that was replaced or removed, nor of a disabled app', async () => {
    const { appId } = await makeApp();
    const first = await setLogo(appId, await png());
    const second = await setLogo(appId, await sharp(PICTURE).negate({ alpha: false }).webp().toBuffer());
    expect(second.logo_uri).to.not.equal(first.logo_uri);
    expect((await fetchLogo(first)).status).to.equal(404);
    expect((await fetchLogo(second)).status).to.equal(200);
    expectStatus(await patch(appId, { status: 'disabled' }), 200);
    expect((await fetchLogo(second)).status).to.equal(404);
    const bare = expectStatus(await patch(appId, { status: 'active', logo: null }), 200);
    expect(bare).to.not.have.property('logo_uri');
    expect((await fetchLogo(second)).status).to.equal(404);
  });

  it('refuses files other than complete pictures of a plain format and moderate size', async () => {
    const { appId } = await makeApp();
    const whole = await png();
    const noise = await sharp({
      create: { ...PICTURE.create, noise: { type: 'gaussian', mean: 128, sigma: 30 } },
    })
      .png()
      .toBuffer();
    const pictures: Record<string, Buffer> = {
      text: Buffer.from('<!doctype html><script>alert(1)</script>'),
      svg: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
      ),
      gif: await sharp(PICTURE).gif().toBuffer(),
      tiff: await sharp(PICTURE).tiff().toBuffer(),
      cut: noise.subarray(0, noise.length / 2),
    };
    for (const [name, bytes] of Object.entries(pictures))
      expect(refusals(await patch(appId, { logo: bytes.toString('base64') })), name).to.deep.equal([
        ['logo', 'invalid_image'],
      ]);
    const wide = await sharp({ create: { ...PICTURE.create, width: 4097, height: 1 } })
      .png()
      .toBuffer();
    expect(refusals(await patch(appId, { logo: wide.toString('base64') }))).to.deep.equal([
      ['logo', 'too_large'],
    ]);
    const heavy = Buffer.concat([whole, Buffer.alloc(256 * 1024)]);
    expect(refusals(await patch(appId, { logo: heavy.toString('base64') }))).to.deep.equal([
      ['logo', 'too_long'],
    ]);
    expect(refusals(await patch(appId, { logo: 'not base64!' }))).to.deep.equal([['logo', 'invalid_format']]);
    const shown = expectStatus(await service.admin.rest('GET', `/v1/apps/${appId}`), 200);
    expect(shown).to.not.have.property('logo_uri');
  });

  it('refuses a small file that decodes to too many pixels', async () => {
    const { appId } = await makeApp();
    const bomb = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    expect(bomb.length).to.be.below(256 * 1024);
    expect(refusals(await patch(appId, { logo: bomb.toString('base64') }))).to.deep.equal([
      ['logo', 'invalid_image'],
    ]);
  });
});
