import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { ConfigError, configFrom } from '../../src/config.js';
import { reachDatabase } from '../../src/database/reachDatabase.js';
import { StartFailure } from '../../src/database/StartFailure.js';
import { createTestDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { selfSignedCertificate } from '../support/selfSignedCertificate.js';

describe('TLS to the database', () => {
  const certificate = selfSignedCertificate('localhost');
  let database: TestDatabase;
  let server: Server;
  let folder: string;
  let [ca, none, noPem] = ['', '', ''];
  let offers: 'S' | 'N' = 'S';

  before(async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.ownerUrl);
    server = createServer((near) => takeTls(near, () => connect(Number(port), hostname)));
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    folder = await mkdtemp(join(tmpdir(), 'tls-'));
    [ca, none, noPem] = ['ca.pem', 'none.pem', 'no.pem'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(ca, certificate.cert);
    await writeFile(noPem, 'no certificate');
  });

  beforeEach(() => (offers = 'S'));

  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
    await database.drop();
  });

  /** Answers PostgreSQL's SSLRequest and passes on what then comes over TLS. */
  function takeTls(near: Socket, open: () => Socket): void {
    near.on('error', () => undefined);
    near.once('data', () => {
      near.write(offers);
      if (offers === 'N') return;
      const secure = new TLSSocket(near, {
        isServer: true,
        secureContext: createSecureContext(certificate),
      });
      const far = open();
      for (const end of [secure, far]) end.on('error', () => near.destroy());
      secure.pipe(far).pipe(secure);
    });
  }

  /** What a start says to these parameters of `DATABASE_URL`; nothing when it reaches the database. */
  async function saidTo(parameters: Record<string, string>, host = 'localhost'): Promise<string> {
    const url = new URL(database.ownerUrl);
    url.hostname = host;
    url.port = String((server.address() as AddressInfo).port);
    url.search = new URLSearchParams(parameters).toString();
    const patience = { waitMs: 0, onWait: () => undefined };
    const failure = await reachDatabase(url.href, 'DATABASE_URL', patience).catch((error: unknown) => error);
    if (failure === undefined) return '';
    expect(failure).to.be.instanceOf(StartFailure);
    const { message } = failure as StartFailure;
    expect(message)
      .to.match(/^DATABASE_URL: /)
      .and.not.include(url.password);
    return message;
  }

  it('is verified with the CA of sslrootcert, and with no-verify not at all', async () => {
    expect(await saidTo({ sslmode: 'verify-full', sslrootcert: ca })).to.equal('');
    expect(await saidTo({ sslmode: 'no-verify' })).to.equal('');
  });

  it('fails naming sslrootcert when the certificate is not trusted, with require too', async () => {
    for (const sslmode of ['verify-full', 'require'])
      expect(await saidTo({ sslmode })).to.match(
        /certificate of PostgreSQL at localhost:\d+ is not trusted \(\w+\): .*sslrootcert/,
      );
  });

  it('fails when the certificate is of another host', async () => {
    const [address = ''] = [(server.address() as AddressInfo).address];
    const host = address.includes(':') ? `[${address}]` : address;
    expect(await saidTo({ sslmode: 'verify-full', sslrootcert: ca }, host)).to.include(
      'does not name this host',
    );
  });

  it('fails naming the parameter of a file that cannot be read', async () => {
    for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
      for (const file of [none, folder])
        expect(await saidTo({ sslmode: 'verify-full', [name]: file }), file).to.match(
          new RegExp(`: the file of ${name} cannot be read: E`),
        );
  });

  it('fails naming the parameters of files without a certificate or key', async () => {
    expect(await saidTo({ sslmode: 'no-verify', sslcert: noPem, sslkey: noPem })).to.match(
      /TLS .* fails \(ERR_\w+\): check sslrootcert, sslcert and sslkey/,
    );
  });

  it('fails when PostgreSQL offers none', async () => {
    offers = 'N';
    expect(await saidTo({ sslmode: 'verify-full' })).to.include('offers no TLS, which sslmode asks for');
  });

  it('is refused with an unknown sslmode by both settings', () => {
    const url = 'postgres://user:hunter2@one/consent?sslmode=bogus';
    for (const setting of ['DATABASE_URL', 'DATABASE_REPLICA_URLS'])
      expect(() => configFrom({ NODE_ENV: 'test', [setting]: url }))
        .to.throw(ConfigError)
        .with.property('message')
        .that.match(new RegExp(`${setting} .* sslmode must be one of disable, `))
        .and.not.include('hunter2');
  });
});
