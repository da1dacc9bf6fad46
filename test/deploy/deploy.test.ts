import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { configFrom } from '../../src/config.js';
import { hasProgram } from '../support/hasProgram.js';
import { grant, makeCustomer } from '../support/records.js';
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

/** Names of all settings, from the code that reads them. */
function settingsRead(): string[] {
  const names = readFileSync('src/config.ts', 'utf8').matchAll(/\((?:env,)?\s*'([A-Z][A-Z_]+)'/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

function expressionsUsed(): string[] {
  const alerts = readFileSync(ALERTS, 'utf8').matchAll(/expr: (?:\|\n)?([\s\S]*?)\n {8}(?:for|labels):/g);
  const { panels } = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return [
    ...[...alerts].map(([, expression = '']) => expression),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
}

/** Labels with the exact values for which a metric is asked, as `metric label="value"`. */
function labelsIn(expressions: readonly string[]): string[] {
  const selectors = expressions.flatMap((text) => [...text.matchAll(/(\w+)\{((?:"[^"]*"|[^"}])*)\}/g)]);
  return selectors.flatMap(([, name = '', labels = '']) =>
    (labels.match(/\w+="[^"]*"/g) ?? []).map((label) => `${name} ${label}`),
  );
}

describe('the deployment files', () => {
  it('name no metric that the service does not export, and no label that it does not give one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
    const service = await TestService.start({ CHECKPOINT_DIR: folder, CHECKPOINT_KEY: 'k'.repeat(32) });
    try {
      const partner = await service.makeApp();
      const customer = await makeCustomer(partner);
      await grant(partner, customer, 'support');
      await partner.rest('GET', `/v1/profiles/${customer}?consent_purpose=support`);
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
      const expressions = expressionsUsed();
      const used = metricsIn(expressions);
      expect(used.length).to.be.greaterThan(6);
      const unknown = used.filter(
        (name) => !exported.has(name) && !exported.has(name.replace(/_(count|bucket)$/, '')),
      );
      expect(unknown).to.deep.equal([]);
      const series = text.split('\n');
      const isGiven = (label: string): boolean => {
        const [name = '', value = ''] = label.split(/ (.*)/);
        return series.some((line) => line.startsWith(`${name}{`) && line.includes(value));
      };
      // Prometheus itself makes `up`.
      const labels = labelsIn(expressions).filter((label) => !label.startsWith('up '));
      expect(labels.length).to.be.greaterThan(6);
      expect(labels.filter((label) => !isGiven(label))).to.deep.equal([]);
      expect(text).to.match(/^consent_ledger_records_total [1-9]/m);
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it('miss a metric without a worker that every worker tells and no gateway does', async () => {
    const [missed] = [...readFileSync(ALERTS, 'utf8').matchAll(/absent\((\w+)\)/g)].map(([, name]) => name);
    const service = await TestService.start({ ROLE: 'gateway' });
    try {
      const told = async (url: string): Promise<boolean> =>
        (await (await fetch(`${url}/metrics`)).text()).includes(`\n${missed} 0`);
      expect([await told(service.url), await told(await service.addNode({ ROLE: 'worker' }))]).to.deep.equal([
        false,
        true,
      ]);
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

  it('have a migration that is tried again, which no other unit depends on for its life', () => {
    const texts = new Map(UNITS.map((file) => [file, readFileSync(file, 'utf8')]));
    expect(texts.get('deploy/systemd/partner-consent-migrate.service')).to.match(/^Restart=on-failure$/m);
    for (const [file, text] of texts) {
      expect(text, file).to.not.match(/^(Requires|BindsTo|PartOf)=/m);
      if (file.includes('migrate')) continue;
      expect(text, file).to.match(/^Wants=.*partner-consent-migrate\.service$/m);
      expect(text, file).to.match(/^Environment=.*MIGRATIONS=wait$/m);
    }
  });

  it('have a port for the worker that no setting of the gateway takes', () => {
    const worker = readFileSync('deploy/systemd/partner-consent-worker.service', 'utf8');
    expect(worker).to.match(/^ExecStart=\/usr\/bin\/env PORT=4010 OPERATIONS_PORT= \/usr\/bin\/node /m);
  });

  it('make a backup that no other account reads', () => {
    const room = mkdtempSync(join(tmpdir(), 'deploy-backup-'));
    const stub = '#!/bin/sh\nfor last; do :; done\n: > "${last#--file=}"\n';
    try {
      for (const name of ['pg_basebackup', 'pg_verifybackup'])
        writeFileSync(join(room, name), '', { mode: 0o755 });
      writeFileSync(join(room, 'pg_dump'), stub, { mode: 0o755 });
      const env = { ...process.env, PATH: `${room}:${process.env['PATH']}` };
      const backup = execFileSync('deploy/backup/backup.sh', ['postgres://one/name', join(room, 'backups')], {
        env,
        encoding: 'utf8',
      }).trim();
      for (const path of [join(room, 'backups'), backup, join(backup, 'database.dump')])
        expect(statSync(path).mode & 0o077, path).to.equal(0);
    } finally {
      rmSync(room, { recursive: true });
    }
  });

  it('restore to the end of the archive a backup of what was once restored to a time', () => {
    const room = mkdtempSync(join(tmpdir(), 'deploy-restore-'));
    const archive = join(room, 'wal');
    const restore = (backup: string, data: string, ...target: string[]): Record<string, string> => {
      const place = join(room, data);
      execFileSync('deploy/backup/restore.sh', [join(room, backup), archive, place, ...target], {
        stdio: 'pipe',
      });
      const lines = readFileSync(join(place, 'postgresql.auto.conf'), 'utf8').match(/^.+$/gm) ?? [];
      return Object.fromEntries(lines.map((line) => line.split(' = ', 2)));
    };
    const none = {
      recovery_target: "''",
      recovery_target_name: "''",
      recovery_target_xid: "''",
      recovery_target_lsn: "''",
    };
    try {
      mkdirSync(join(room, 'first/base/pg_wal'), { recursive: true });
      mkdirSync(join(room, 'second'));
      mkdirSync(archive);
      writeFileSync(join(room, 'first/base/postgresql.auto.conf'), "work_mem = '8MB'\n");
      writeFileSync(join(room, 'first/base/backup_label'), 'START TIMELINE: 10\n');
      const time = '2026-01-31 12:00:00+00';
      expect(restore('first', 'second/base', time)).to.deep.include({
        ...none,
        recovery_target_time: `'${time}'`,
      });
      expect(restore('second', 'third')).to.deep.include({
        ...none,
        work_mem: "'8MB'",
        recovery_target_time: "''",
        recovery_target_timeline: "'latest'",
      });
      writeFileSync(join(archive, '0000000A.history'), '');
      expect(restore('second', 'fourth')).to.include({ recovery_target_timeline: "'latest'" });
      writeFileSync(join(archive, '0000000B.history'), '');
      expect(() => restore('second', 'fifth', time)).to.throw(
        'is of timeline 10, and the archive has later ones: 11.',
      );
      expect(existsSync(join(room, 'fifth'))).to.equal(false);
      expect(restore('second', 'fifth', time, '10')).to.include({
        recovery_target_time: `'${time}'`,
        recovery_target_timeline: "'10'",
      });
    } finally {
      rmSync(room, { recursive: true });
    }
  });

  it('have an example that names every setting, each with a value that is taken', () => {
    const read = settingsRead();
    const lines = readFileSync('deploy/settings.example', 'utf8').match(/^#?[A-Z][A-Z_]+=.*$/gm) ?? [];
    const example = Object.fromEntries(lines.map((line) => line.replace('#', '').split(/=(.*)/s, 2)));
    expect(read.length).to.be.greaterThan(40);
    expect(Object.keys(example)).to.have.members(read);
    const { databaseUrl, checkpointDir, rateLimits } = configFrom(example);
    expect([databaseUrl, checkpointDir]).to.deep.equal([example['DATABASE_URL'], example['CHECKPOINT_DIR']]);
    expect(rateLimits).to.deep.equal(configFrom({}).rateLimits);
  });

  it('leave no setting without a word in docs/operations.md', () => {
    const table = readFileSync('docs/operations.md', 'utf8')
      .split(/^## /m)
      .find((part) => part.startsWith('Settings'));
    const documented = new Set(
      table
        ?.match(/^\| (`[A-Z_`, ]+`)/gm)
        ?.join(' ')
        .match(/[A-Z][A-Z_]+/g),
    );
    const read = settingsRead();
    expect(read.filter((name) => !documented.has(name))).to.deep.equal([]);
    expect([...documented].filter((name) => !read.includes(name))).to.deep.equal([]);
  });

  it('start with the flags of Node and the settings of glibc that npm start has', () => {
    const { config } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      config: { nodeFlags: string; keptMemory: string };
    };
    const texts = ['deploy/Containerfile', ...UNITS].map((file) => readFileSync(file, 'utf8'));
    const starting = texts.filter((text) => text.includes('dist/src/main.js'));
    expect(starting).to.have.length(3);
    for (const text of starting) {
      const [start] = text.match(/^(?:CMD|ExecStart=).*$/m) ?? [];
      expect(start?.match(/--[\w-]+(?:=\d+)?/g)?.join(' '), text).to.equal(config.nodeFlags);
      const [, kept] = text.match(/^(?:ENV |Environment=)(MALLOC_.*)$/m) ?? [];
      expect(kept, text).to.equal(config.keptMemory);
    }
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
