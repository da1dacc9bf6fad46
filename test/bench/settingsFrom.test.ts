import { expect } from 'chai';
import { settingsFrom } from '../../bench/speed/settingsFrom.js';

describe('settingsFrom', () => {
  it('selects all short parts by default', () => {
    expect(settingsFrom([]).parts).deep.equal([
      'comparison',
      'apps',
      'latency',
      'beside',
      'claims',
      'customers',
      'batches',
      'processes',
      'writes',
    ]);
    expect(settingsFrom(['--long=60']).parts).include('memory');
  });

  it('reads parts and numbers by name', () => {
    const { parts, rounds, seconds } = settingsFrom(['--parts=writes,claims', '--rounds=1', '--seconds=0.5']);
    expect({ parts, rounds, seconds }).deep.equal({ parts: ['claims', 'writes'], rounds: 1, seconds: 0.5 });
  });

  it('refuses an unknown part', () => {
    expect(() => settingsFrom(['--parts=weather'])).throw('There is no part weather');
  });
});
