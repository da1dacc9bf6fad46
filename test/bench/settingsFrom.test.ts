import { expect } from 'chai';
import { settingsFrom } from '../../bench/speed/settingsFrom.js';

describe('the settings of the bench', () => {
  it('measure all that does not take ten minutes', () => {
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

  it('take parts and numbers by name', () => {
    const { parts, rounds, seconds } = settingsFrom(['--parts=writes,claims', '--rounds=1', '--seconds=0.5']);
    expect({ parts, rounds, seconds }).deep.equal({ parts: ['claims', 'writes'], rounds: 1, seconds: 0.5 });
  });

  it('refuse a part that there is not', () => {
    expect(() => settingsFrom(['--parts=weather'])).throw('There is no part weather');
  });
});
