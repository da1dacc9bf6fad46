import { expect } from 'chai';
import { CONVERGED, MIN_ROUNDS } from '../../../src/domain/resolution/constants.js';
import { SourceModel } from '../../../src/domain/resolution/SourceModel.js';

describe('SourceModel', () => {
  it('settles where its gradient jumps, as at a bound of reliability', () => {
    const model = new SourceModel(Float64Array.of(0.5), 0, true);
    let change = Infinity;
    for (let round = 0; round < MIN_ROUNDS; round += 1) {
      model.forget();
      model.add(0, 0, -1, (model.intercept[0] ?? 0) < -1 ? 60 : -60, 200);
      change = model.update();
    }
    expect(change).to.be.lessThan(CONVERGED);
    expect(model.intercept[0]).to.be.closeTo(-1, 0.02);
  });
});
