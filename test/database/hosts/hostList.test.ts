import { expect } from 'chai';
import { HostList } from '../../../src/database/hosts/HostList.js';

describe('the hosts of DATABASE_URL', () => {
  it('are not checked when only one is named', () => {
    const url = 'postgres://user:p%40ss@db.example:6432/consent?sslmode=require';
    const hosts = new HostList(url);
    expect([hosts.urls, hosts.mustFindPrimary]).to.deep.equal([[url], false]);
  });

  it('are checked when several are named, each with its own port, all with one user and database', () => {
    const hosts = new HostList('postgresql://user:secret@one:5432,[::1]:5433,three/consent?sslmode=require');
    expect(hosts.mustFindPrimary).to.equal(true);
    expect(hosts.urls).to.deep.equal([
      'postgresql://user:secret@one:5432/consent?sslmode=require',
      'postgresql://user:secret@[::1]:5433/consent?sslmode=require',
      'postgresql://user:secret@three/consent?sslmode=require',
    ]);
  });

  it('are checked when one is named with target_session_attrs, which pg does not receive', () => {
    const hosts = new HostList('postgres://user@one/consent?target_session_attrs=read-write&sslmode=require');
    expect([hosts.urls, hosts.mustFindPrimary]).to.deep.equal([
      ['postgres://user@one/consent?sslmode=require'],
      true,
    ]);
  });

  it('are refused when the list is invalid or asks for a standby, without showing the password', () => {
    for (const url of [
      'http://user:hunter2@one/consent',
      'postgres://user:hunter2@one,/consent',
      'postgres://user:hunter2@one:5432x,two/consent',
      'postgres://user:hunter2@one,two/consent?target_session_attrs=standby',
      'postgres://user:hunter2@one/consent?target_session_attrs=any',
    ])
      expect(() => new HostList(url), url).to.throw(TypeError, /^(?!.*hunter2)/);
  });

  it('are refused with an sslmode that pg would take for another', () => {
    for (const mode of ['bogus', 'allow', ''])
      expect(() => new HostList(`postgres://user:hunter2@one/consent?sslmode=${mode}`), mode).to.throw(
        TypeError,
        /^sslmode must be one of disable, no-verify, /,
      );
  });

  it('are refused without a host or database, and with a user or password as a parameter', () => {
    for (const [url, reason] of [
      ['postgres://one/consent?user=owner&password=hunter2', 'before the host.'],
      ['postgres://service:x@one/consent?password=hunter2', 'before the host.'],
      ['postgres://user:hunter2@one', 'a database.'],
      ['postgres://user:hunter2@one/?sslmode=disable', 'a database.'],
      ['postgres:///consent', 'a host and a database.'],
    ] as const)
      expect(() => new HostList(url), url).to.throw(TypeError, new RegExp(`^(?!.*hunter2).*${reason}$`));
  });

  it('keep all of themselves under the login of another URL', () => {
    const hosts = new HostList('postgres://user:old@one:1,two:2/consent?target_session_attrs=primary');
    expect(hosts.withLoginOf('postgres://service:n%2Fw@one:1/consent')).to.equal(
      'postgres://service:n%2Fw@one:1,two:2/consent?target_session_attrs=primary',
    );
  });
});
