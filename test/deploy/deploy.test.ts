import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hasProgram } from '../support/hasProgram.js';
import { skipUnless } from '../support/skipUnless.js';
import { TestService } from '../support/TestService.js';

const ALERTS = 'deploy/prometheus/alerts.yml';
const UNITS = readdirSync('deploy/systemd').map((name) => `deploy/systemd/${name}`);

/** Functions and labels of PromQL that look like metrics. */
const NO_METRICS =
  /^(up|sum|rate|increase|max|by|le|histogram_quantile|and|for|outcome|queue|kind|status|route|job)$/;

function metricsIn(expressions: readonly string[]): string[] {
  const words = expressions.flatMap(
    (text) => text.replaceAll(/"[^"]*"|\$__\w+/g, '').match(/[a-z][a-z_]+/g) ?? [],
  );
  return [...new Set(words)].filter((word) => word.includes('_') && !NO_METRICS.test(word));
}

describe('the deployment files', () => {
  it('name no metric that the service does not export', async () => {
    const service = await TestService.start();
    try {
      const partner = await service.makeApp('customers:read');
      await partner.rest('GET', '/v1/customers');
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      const alerts = [
        ...readFileSync(ALERTS, 'utf8').matchAll(/expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels):/g),
      ];
      const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')) as {
        panels: { targets: { expr: string }[] }[];
      };
      const expressions = [
        ...alerts.map(([, expression = '']) => expression),
        ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ];
      const used = metricsIn(expressions);
      expect(used.length).to.be.greaterThan(6);
      const unknown = used.filter(
        (name) => !exported.has(name) && !exported.has(name.replace(/_(count|bucket)$/, '')),
      );
      expect(unknown).to.deep.equal([]);
    } finally {
      await service.stop();
    }
  });

  it('raise every alert once, and none on a quiet service', function () {
    skipUnless(this, hasProgram('promtool'), 'promtool is not installed (apt-get install prometheus)');
    execFileSync('promtool', ['check', 'rules', ALERTS], { stdio: 'pipe' });
    execFileSync('promtool', ['test', 'rules', 'alerts.test.yml'], {
      cwd: 'deploy/prometheus',
      stdio: 'pipe',
    });
  });

  it('have units that systemd accepts', function () {
    skipUnless(this, hasProgram('systemd-analyze'), 'systemd is not installed; a container has none');
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...UNITS], { encoding: 'utf8' });
    const said = stderr.split('\n').filter((line) => line.includes('partner-consent'));
    expect(said.filter((line) => !/is not executable: No such file/.test(line))).to.deep.equal([]);
  });

  it('set nothing that the service does not read', () => {
    const documented = new Set(readFileSync('docs/operations.md', 'utf8').match(/`[A-Z][A-Z_]+`/g));
    const files = [
      'deploy/Containerfile',
      'deploy/compose.yaml',
      'deploy/helm/templates/deployments.yaml',
      ...UNITS,
    ];
    const set = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const names = [
        ...(text.match(/^ENV .*$/m)?.[0].match(/[A-Z_]+(?==)/g) ?? []),
        ...[...text.matchAll(/(?:^Environment=|\s)([A-Z_]{4,})=\S/gm)].map(([, name = '']) => name),
        ...[...text.matchAll(/^ {4}([A-Z_]{4,}): /gm)].map(([, name = '']) => name),
        ...[...text.matchAll(/\{ name: ([A-Z_]{4,}),/g)].map(([, name = '']) => name),
      ];
      return names.map((name) => `\`${name}\``);
    });
    expect(set.length).to.be.greaterThan(8);
    expect(
      [...new Set(set)].filter((name) => name !== '`NODE_IMAGE`' && !documented.has(name)),
    ).to.deep.equal([]);
  });
});
