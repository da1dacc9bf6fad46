import { expect } from 'chai';
import { readFileSync } from 'node:fs';

interface Locked {
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

describe('package-lock.json', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages);

  it('names no registry, so that everyone installs from their own', () => {
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).to.deep.equal([]);
  });

  it('pins every package by its content', () => {
    const loose = packages.filter(([path, { integrity }]) => path !== '' && integrity === undefined);
    expect(loose).to.deep.equal([]);
  });

  it('has the native packages of every platform, which npm 11 requires', () => {
    const missing = packages.flatMap(([path, { optionalDependencies = {} }]) => {
      const places = (name: string): string[] => [`${path}/node_modules/${name}`, `node_modules/${name}`];
      return Object.keys(optionalDependencies).filter(
        (name) => !places(name).some((place) => place in lock.packages),
      );
    });
    expect(missing).to.deep.equal([]);
  });
});
