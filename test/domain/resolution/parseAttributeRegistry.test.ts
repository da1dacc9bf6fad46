import { expect } from 'chai';
import { attributeRule } from '../../../src/domain/resolution/attributeRule.js';
import { parseAttributeRegistry } from '../../../src/domain/resolution/parseAttributeRegistry.js';

describe('parseAttributeRegistry', () => {
  it('reads rules, and a half-life of null as infinite', () => {
    const registry = parseAttributeRegistry({
      'loyalty.tier': { method: 'most_recent' },
      '*': { halfLifeDays: null },
    });
    expect(attributeRule(registry, 'loyalty.tier')).to.deep.equal({ method: 'most_recent' });
    expect(attributeRule(registry, 'anything')).to.deep.equal({ halfLifeDays: Infinity });
    expect(attributeRule(registry, 'constructor')).to.deep.equal({ halfLifeDays: Infinity });
  });

  it('names every problem', () => {
    const registry = {
      City: {},
      plan: { method: 'vote', halfLifeDays: 0, colour: 'red' },
      size: { type: 'length' },
      age: 3,
    };
    expect(() => parseAttributeRegistry(registry)).to.throw(
      /City[^]*halfLifeDays[^]*colour[^]*size\.type[^]*age/u,
    );
    expect(() => parseAttributeRegistry([])).to.throw('JSON object');
  });
});
