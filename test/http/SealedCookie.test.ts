import type { Response } from 'express';
import { expect } from 'chai';
import { SecretBox } from '../../src/domain/SecretBox.js';
import { SealedCookie } from '../../src/http/SealedCookie.js';
import { TEST_SECRETS_KEY } from '../support/database.js';

interface Note {
  text: string;
}

describe('A sealed cookie', () => {
  const note = new SealedCookie<Note>('note', { path: '/notes', maxAgeSeconds: 60 });
  let now: number;
  let lines: string[];

  const response = { append: (_name: string, line: string) => void lines.push(line) } as unknown as Response;
  const services = {
    config: { baseUrl: 'https://consent.example' },
    secrets: new SecretBox(TEST_SECRETS_KEY),
    clock: () => new Date(now),
  };

  beforeEach(() => {
    now = Date.parse('2026-01-01T00:00:00Z');
    lines = [];
  });

  /** What a browser sends back under a name for the last line of `Set-Cookie`. */
  function sent(name = 'note'): { headers: { cookie: string } } {
    const value = /^\w+=([^;]*)/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    return { headers: { cookie: `${name}=${value}` } };
  }

  it('gives back what was put into it, which the browser cannot read', () => {
    note.set(services, response, { text: 'Ärger; = "x"' });
    expect(lines[0]).to.match(/^note=[\w+/=-]+; Path=\/notes; HttpOnly; SameSite=Lax; Max-Age=60; Secure$/);
    expect(sent().headers.cookie).to.not.include('rger');
    expect(note.read(services, sent())).to.deep.equal({ text: 'Ärger; = "x"' });
  });

  it('gives nothing from its time on, however long the browser keeps it', () => {
    note.set(services, response, { text: 'hello' });
    now += 59_999;
    expect(note.read(services, sent())).to.deep.equal({ text: 'hello' });
    now += 1;
    expect(note.read(services, sent())).to.equal(undefined);
  });

  it('does not take the value of another sealed cookie', () => {
    const other = new SealedCookie<Note>('other', { path: '/notes', maxAgeSeconds: 60 });
    other.set(services, response, { text: 'hello' });
    expect(other.read(services, sent('other'))).to.deep.equal({ text: 'hello' });
    expect(note.read(services, sent())).to.equal(undefined);
  });

  it('takes no other text, sealed or not', () => {
    const sealed = ['hello', '"hello"', 'null', '{"text":"hello"}'].map((text) =>
      services.secrets.seal(text),
    );
    for (const value of ['', 'made-up', ...sealed])
      expect(note.read(services, { headers: { cookie: `note=${value}` } }), value).to.equal(undefined);
    expect(note.read(services, { headers: {} })).to.equal(undefined);
  });

  it('is taken away where it is', () => {
    note.clear(services, response);
    expect(lines).to.deep.equal(['note=; Path=/notes; HttpOnly; SameSite=Lax; Max-Age=0; Secure']);
  });
});
