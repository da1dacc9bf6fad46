import { expect } from 'chai';
import { redirectUriProblem } from '../../src/domain/redirectUri.js';

describe('redirectUriProblem', () => {
  it('accepts https, http on loopback, and private-use schemes', () => {
    for (const uri of [
      'https://partner.example/callback',
      'https://partner.example./callback?x=1',
      'https://a_b.partner.example:8443/',
      'https://xn--mnchen-3ya.example/cb',
      'https://192.0.2.7/cb',
      'https://[2001:db8::1]/cb',
      'http://localhost:8080/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:9/cb',
      'com.example.app:/oauth/back',
    ])
      expect(redirectUriProblem(uri), uri).to.equal(undefined);
  });

  it('refuses wildcards, wherever they stand', () => {
    for (const uri of [
      'https://*/cb',
      'https://*.partner.example/cb',
      'https://partner.example:*/cb',
      'https://partner.example/*',
      'https://partner.example/cb?next=*',
      'com.example.app:/*',
      'http://localhost:8080/*',
    ])
      expect(redirectUriProblem(uri), uri).to.be.a('string');
  });

  it('refuses invalid hosts', () => {
    for (const uri of [
      'https:///cb',
      'https://-partner.example/cb',
      'https://partner-.example/cb',
      'https://partner..example/cb',
      'https://.example/cb',
      `https://${'a'.repeat(64)}.example/cb`,
      `https://${'a.'.repeat(130)}example/cb`,
      'https://partner!.example/cb',
      "https://par'tner.example/cb",
      'https://part(ner.example/cb',
      'https://${host}/cb',
      'https://{host}/cb',
      'https://300.1.2.3/cb',
    ])
      expect(redirectUriProblem(uri), uri).to.be.a('string');
  });

  it('refuses addresses that a URL parser would silently repair', () => {
    for (const uri of [
      ' https://partner.example/cb',
      'https://partner.example/cb ',
      'https://partner.example/c\tb',
      'https://partner.example\n/cb',
      'https:\\\\partner.example\\cb',
      'https://partner.example/\u0000',
    ])
      expect(redirectUriProblem(uri), uri).to.be.a('string');
  });

  it('refuses fragments, credentials, other schemes and plain http', () => {
    for (const uri of [
      'https://partner.example/#x',
      'https://partner.example/cb#',
      'https://a:b@partner.example/cb',
      'http://partner.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'app:/cb',
      '/cb',
      '',
    ])
      expect(redirectUriProblem(uri), uri).to.be.a('string');
  });
});
