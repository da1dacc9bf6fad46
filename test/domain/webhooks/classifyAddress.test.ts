import { expect } from 'chai';
import fc from 'fast-check';
import { classifyAddress } from '../../../src/domain/webhooks/classifyAddress.js';
import { endpointUrlProblems } from '../../../src/domain/webhooks/endpointUrl.js';
import { forbiddenUrls } from './forbiddenUrls.js';

const PRODUCTION = { allowLoopback: false, allowHttp: false };
const DEVELOPMENT = { allowLoopback: true, allowHttp: true };
const codes = (url: string, policy = PRODUCTION): string[] =>
  endpointUrlProblems(url, policy).map((problem) => problem.code);

describe('classifyAddress', () => {
  it('knows public addresses', () => {
    const addresses = [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.215.14',
      '100.63.255.255',
      '172.32.0.1',
      '198.20.0.1',
      '2606:4700::1111',
      '2a00:1450:4001:80b::200e',
    ];
    for (const address of addresses) expect(classifyAddress(address), address).to.equal('public');
  });

  it('never takes a private IPv4 address for public, in any IPv6 form', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const inner = fc.tuple(
      fc.constantFrom('10', '127', '169.254', '192.168', '100.64', '172.16'),
      octet,
      octet,
      octet,
    );
    fc.assert(
      fc.property(inner, ([prefix, ...rest]) => {
        const address = [...prefix.split('.'), ...rest].slice(0, 4).join('.');
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const wrapped = [
          `::ffff:${address}`,
          `::${address}`,
          `64:ff9b::${address}`,
          `64:ff9b:1::${address}`,
          `2002:${hex}::1`,
          `::ffff:0:${hex}`,
          `2001:0:${hex}::1`,
        ];
        for (const text of [address, ...wrapped]) expect(classifyAddress(text), text).not.to.equal('public');
      }),
    );
  });

  it('refuses text that is no address', () => {
    for (const text of [
      '',
      '127.1',
      '0x7f.0.0.1',
      '2130706433',
      'localhost',
      '1.1.1.1 ',
      '[::1]',
      'fe80::1%eth0',
      '2606:4700::1111%1',
    ]) {
      expect(classifyAddress(text), text).to.equal('forbidden');
    }
  });
});

describe('endpointUrl', () => {
  it('refuses every spelling of the corpus that is an address or a local name', () => {
    expect(forbiddenUrls(443).length).to.be.at.least(60);
    for (const url of forbiddenUrls(8443)) expect(codes(url), url).not.to.deep.equal([]);
  });

  it('accepts public https receivers', () => {
    for (const url of [
      'https://example.com/hook?a=b',
      'https://example.com:8443',
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/x',
      'https://xn--bcher-kva.example/',
    ]) {
      expect(codes(url), url).to.deep.equal([]);
    }
  });

  it('names each problem', () => {
    expect(codes('http://user:pw@10.0.0.1/#x')).to.deep.equal([
      'https_required',
      'credentials_in_url',
      'fragment_in_url',
      'forbidden_address',
    ]);
    expect(codes('nonsense')).to.deep.equal(['invalid_url']);
    expect(codes(`https://example.com/${'a'.repeat(2048)}`)).to.deep.equal(['too_long']);
    expect(codes('ftp://example.com/')).to.deep.equal(['https_required']);
  });

  it('refuses what the URL parser would mend', () => {
    for (const url of [
      ' https://example.com/',
      'https://example.com/\n',
      'https://exam\tple.com/',
      'https://example.com/a b',
      'https://1.1.1.1\\@example.com/',
      'https:\\\\example.com',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
    ]) {
      expect(codes(url), JSON.stringify(url)).to.deep.equal(['invalid_url']);
    }
  });

  it('lets development reach its own machine over http, and no other inside address', () => {
    for (const url of [
      'http://127.0.0.1:3000/',
      'http://localhost:3000/',
      'http://[::1]:3000/',
      'https://app.localhost/',
    ]) {
      expect(codes(url, DEVELOPMENT), url).to.deep.equal([]);
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://0.0.0.0/',
      'http://[fe80::1]/',
    ]) {
      expect(codes(url, DEVELOPMENT), url).to.include('forbidden_address');
    }
    expect(codes('http://example.com/', DEVELOPMENT)).to.deep.equal(['https_required']);
  });
});
