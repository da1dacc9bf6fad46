import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const CHART = 'deploy/helm';
const templates = readdirSync(`${CHART}/templates`).map((name): [string, string] => [
  name,
  readFileSync(`${CHART}/templates/${name}`, 'utf8'),
]);
const values = readFileSync(`${CHART}/values.yaml`, 'utf8');
const compose = readFileSync('deploy/compose.yaml', 'utf8');

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, first = '']) => first);
}

function templateOf(name: string): string {
  return templates.find(([file]) => file === name)?.[1] ?? '';
}

describe('the Helm chart', () => {
  it('opens no block in a template that it does not close', () => {
    for (const [name, text] of templates)
      expect(found(text, /\{\{-? (if|range|with)\b/g), name).to.have.length(
        found(text, /\{\{-? (end) /g).length,
      );
  });

  it('uses no value that it does not declare, and declares none that it does not use', () => {
    const used = templates.flatMap(([, text]) => found(text, /\.Values\.(\w+)/g));
    const byRole = templates.flatMap(([, text]) => found(text, /index \$\.Values \$(role)/g));
    const declared = found(values, /^(\w+):/gm);
    const roles = byRole.length > 0 ? ['gateway', 'worker'] : [];
    expect([...new Set([...used, ...roles])]).to.have.members(declared);
    const policy = values.split('networkPolicy:')[1] ?? '';
    const parts = found(templateOf('networkpolicy.yaml'), /networkPolicy\.(\w+)/g);
    expect([...new Set(parts)]).to.have.members(found(policy, /^ {2}(\w+):/gm));
  });

  it('selects the pods of its deployments, by the ports that they name', () => {
    const deployments = templateOf('deployments.yaml');
    const policy = templateOf('networkpolicy.yaml');
    const [labels = ''] = found(deployments, /labels: (\{ app.*?\}\} \})/g);
    expect(found(policy, /matchLabels: (\{.*?\}\} \})/g)).to.deep.equal([labels]);
    const ports = found(deployments, /name: (\w+), containerPort/g);
    expect(found(policy, /port: (\w+)/g)).to.have.members(ports);
    expect(found(templateOf('service.yaml'), /targetPort: (\w+)/g)).to.deep.equal(['http']);
  });

  it('allows connections only from the ingress and the monitoring, each to one port', () => {
    const rules = found(templateOf('networkpolicy.yaml'), /- \{ from: (.*) \}$/gm);
    expect(rules.map((rule) => rule.replace(/[{}]/g, '').trim())).to.deep.equal([
      ' toJson $.Values.networkPolicy.gateways , ports: [ protocol: TCP, port: http ]'.trim(),
      ' toJson $.Values.networkPolicy.operations , ports: [ protocol: TCP, port: operations ]'.trim(),
    ]);
    expect(found(values, /(namespaceSelector): \{ matchLabels/g)).to.have.length(2);
  });

  it('lets pods take a newer database, and its migration refuse one', () => {
    expect(values).to.match(/^settings: \{ NEWER_SCHEMA: allow \}$/m);
    expect(templateOf('deployments.yaml')).to.include('range $name, $value := $.Values.settings');
    expect(templateOf('migrate.yaml')).to.not.match(/settings|NEWER_SCHEMA/);
  });

  it('has one migration job, which the next release replaces', () => {
    const job = templateOf('migrate.yaml');
    expect(job).to.match(/^ {2}name: \{\{ \.Release\.Name \}\}-migrate$/m);
    expect(job).to.include('helm.sh/hook-delete-policy: before-hook-creation');
  });
});

describe('compose.yaml', () => {
  const services = compose.split(/^services:/m)[1]?.split(/^volumes:/m)[0] ?? '';
  const names = found(services, /^ {2}(\w+):$/gm);

  function service(name: string): string {
    return services.split(new RegExp(`^ {2}${name}:$`, 'm'))[1]?.split(/^ {2}\w+:$/m)[0] ?? '';
  }

  it('depends on services that it has, and mounts existing files', () => {
    expect(names).to.have.members([
      'migrate',
      'gateway',
      'worker',
      'postgres',
      'pgbouncer',
      'prometheus',
      'grafana',
    ]);
    expect(names).to.include.members(found(services, /depends_on: \{ (\w+):/g));
    for (const folder of found(services, /'\.\/([\w/]+):/g))
      expect(readdirSync(`deploy/${folder}`), folder).to.not.deep.equal([]);
  });

  it('leaves the rest to settings.env, trusts no proxy and opens no port to other machines', () => {
    const [own = ''] = found(compose, /environment: &settings\n((?: {4}.*\n)+)/g);
    expect(found(own, /^ {4}(\w+):/gm)).to.have.members([
      'NODE_ENV',
      'ADMIN_KEYS',
      'SECRETS_KEY',
      'DATABASE_URL',
      'PREPARED_STATEMENTS',
      'MIGRATIONS',
      'OPERATIONS_PORT',
      'REVOCATION_JOURNAL',
      'CHECKPOINT_DIR',
      'CHECKPOINT_KEY',
    ]);
    const ports = found(compose, /ports: \['(.*)'\]/g);
    expect(ports).to.have.length(2);
    for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('gives processes the time that they take to end, as the chart and the units do', () => {
    const [common = ''] = found(compose, /^x-service: &service\n((?: {2}.*\n)+)/gm);
    expect(found(common, /^ {2}stop_grace_period: (\d+)s$/gm)).to.deep.equal(['30']);
    expect(templateOf('deployments.yaml')).to.match(/^ {6}terminationGracePeriodSeconds: 30$/m);
    for (const role of ['gateway', 'worker'])
      expect(readFileSync(`deploy/systemd/partner-consent-${role}.service`, 'utf8'), role).to.match(
        /^TimeoutStopSec=30$/m,
      );
  });

  it('lets gateways and workers take a newer database, and its migration refuse one', () => {
    const setting = names.filter((name) => service(name).includes('NEWER_SCHEMA: allow'));
    expect(setting).to.have.members(['gateway', 'worker']);
  });

  it('reaches PostgreSQL directly unless told otherwise, and migrates directly always', () => {
    expect(compose).to.include('@${DATABASE_HOST:-postgres:5432}/consent\n');
    expect(service('migrate')).to.include(
      'DATABASE_URL: postgresql://consent:${POSTGRES_PASSWORD:?}@postgres:5432/',
    );
    expect(service('pgbouncer')).to.include('profiles: [pooler]');
  });
});

describe('the folder that the image is built from', () => {
  const SECRETS = ['deploy/settings.env', 'deploy/.env', '.env', '.env.production', '.data/secrets.json'];

  /** What the build compiles and what the service reads at run time. */
  const NEEDED = [
    ...['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'ormconfig.ts', 'bin'],
    ...['src', 'schema', 'resolvers', 'entities', 'rest-bridge'],
    ...['site/built', 'graphiql/built', 'dashboard/built'],
  ];

  const patterns = found(readFileSync('.dockerignore', 'utf8'), /^([^#\n].*)$/gm).map((pattern) => {
    const parts = pattern.replaceAll('.', '\\.').split('**/');
    const source = parts.map((part) => part.replaceAll('*', '[^/]*')).join('(?:.+/)?');
    return new RegExp(`^${source}(?:/|$)`);
  });

  /** As .dockerignore means it: a pattern names the path or a folder around it. */
  function isLeftOut(path: string): boolean {
    return patterns.some((pattern) => pattern.test(path));
  }

  it('gets no secrets, no history and no packages of the machine', () => {
    const unwanted = [...SECRETS, '.git/config', 'node_modules/pg/index.js', 'site/node_modules/a', 'dist/a'];
    expect(unwanted.filter((path) => !isLeftOut(path))).to.deep.equal([]);
  });

  it('gets all that the build and the service need', () => {
    const needed = execFileSync('git', ['ls-files', ...NEEDED], { encoding: 'utf8' })
      .trim()
      .split('\n');
    expect(needed.length).to.be.greaterThan(1000);
    expect(needed.filter(isLeftOut)).to.deep.equal([]);
  });

  it('keeps the same secrets out of commits', () => {
    const ignored = execFileSync('git', ['check-ignore', '--no-index', ...SECRETS], { encoding: 'utf8' });
    expect(ignored.trim().split('\n')).to.have.members(SECRETS);
  });
});
