import { expect } from 'chai';
import { forReadsOfApps } from '../../src/database/openings.js';

describe('A read for several apps', () => {
  it('takes each of its parameters from the column of that number', () => {
    const read = forReadsOfApps('VALUES', 'SELECT $1, $2::text, $10, $12');
    expect(read).to.include('SELECT a.app, a.value2::text, a.value10, a.value12 OFFSET 0');
  });
});
