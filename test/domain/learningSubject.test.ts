import { expect } from 'chai';
import { learningSubject, readLearningSubject } from '../../src/domain/learningSubject.js';

describe('A subject of learning', () => {
  it('is read as it was written', () => {
    for (const kind of ['request', 'run', 'daily'] as const)
      for (const purpose of [0, 12])
        expect(readLearningSubject(learningSubject(kind, purpose))).to.deep.equal({ kind, purpose });
  });

  it('has the texts that stand in queues today', () => {
    const texts = (['request', 'run', 'daily'] as const).map((kind) => learningSubject(kind, 3));
    expect(texts).to.deep.equal(['3', '3/run', '3/daily']);
  });

  it('is a workflow, if it names no purpose', () => {
    const workflowId = 'wf_01kb2ydc1h8x3sjd4zqnw8w4me';
    expect(readLearningSubject(workflowId)).to.deep.equal({ kind: 'recompute', workflowId });
  });
});
