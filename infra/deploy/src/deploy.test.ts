import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  componentFiles,
  configKeys,
  DEPLOY,
  kubernetesFiles,
  readComponent,
  readGateway,
  readCompose,
  readKustomization,
  readResources,
  REPOSITORY,
  type Workload,
  workload,
} from './manifests.ts';
import { EDGE_TEMPLATE, fillTemplate, settingsOf } from './nginx.ts';

const PORTS = { shell: 3000, registry: 4100, api: 4000, identity: 4200 } as const;
const SERVICES = Object.keys(PORTS) as (keyof typeof PORTS)[];

const dockerfile = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
const template = readFileSync(EDGE_TEMPLATE, 'utf8');
const resources = readResources();
const workloads = resources
  .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  .map((one) => workload.parse(one));
const manifestsOfKind = (kind: string) =>
  resources.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const containersOf = ({ spec }: Workload) => [
  ...spec.template.spec.initContainers,
  ...spec.template.spec.containers,
];

describe('the Kubernetes manifests', () => {
  it('lists every Kubernetes manifest in the kustomization', () => {
    expect(readKustomization().resources.toSorted()).toEqual(kubernetesFiles().toSorted());
  });

  it('contains every service and the edge with restricted security contexts and a Service of the same name', () => {
    expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual([...SERVICES, 'edge'].sort());
    // The registry finds every replica of the shell by a Service without an address of its own.
    expect(manifestsOfKind('Service').sort()).toEqual([...SERVICES, 'edge', 'shell-replicas'].sort());
    for (const { metadata, spec } of workloads) {
      expect(spec.selector.matchLabels.app).toBe(metadata.name);
      expect(spec.template.metadata.labels.app).toBe(metadata.name);
    }
  });

  it('has the recommended labels of Kubernetes on every workload and its pods', () => {
    const [pairs] = readKustomization().labels.map((label) => label.pairs);
    expect(pairs).toEqual({
      'app.kubernetes.io/part-of': 'forecourt',
      'app.kubernetes.io/managed-by': 'kustomize',
    });
    for (const { metadata, spec } of workloads) {
      const { app, ...recommended } = spec.template.metadata.labels;
      expect(recommended).toEqual(metadata.labels);
      expect([app, recommended['app.kubernetes.io/name']]).toEqual([metadata.name, metadata.name]);
    }
  });

  it.each(SERVICES)('probes %s on a port and path that it serves', (name) => {
    const [main] = workloads.find(({ metadata }) => metadata.name === name)!.spec.template.spec.containers;
    // Only the shell answers probes on another port, which a variable names.
    const probePort = main?.env.find((variable) => variable.name === 'PROBE_PORT')?.value;
    expect(probePort !== undefined).toBe(name === 'shell');
    const port = probePort === undefined ? 'http' : 'probes';
    expect(main?.ports).toEqual([
      { name: 'http', containerPort: PORTS[name] },
      ...(probePort === undefined ? [] : [{ name: 'probes', containerPort: Number(probePort) }]),
    ]);
    expect(main?.startupProbe?.httpGet).toEqual({ path: '/health/live', port });
    expect(main?.livenessProbe?.httpGet).toEqual({ path: '/health/live', port });
    expect(main?.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port });
  });

  it.each(SERVICES)('passes %s only known keys, from sources that contain them', (name) => {
    const { configMapGenerator } = readKustomization();
    const values = configMapGenerator.find((one) => one.name === 'forecourt')!.literals;
    const literals = new Set(values.map((literal) => literal.split('=', 1)[0]));
    const knownKeys = configKeys(name);
    expect(knownKeys.size).toBeGreaterThan(4);
    const one = workloads.find(({ metadata }) => metadata.name === name)!;
    for (const { env } of containersOf(one))
      for (const { name: key, value, valueFrom } of env) {
        expect(knownKeys).toContain(key);
        const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
        expect([value, configMapKeyRef, secretKeyRef].filter((source) => source !== undefined)).toHaveLength(
          1,
        );
        if (configMapKeyRef) expect(literals).toContain(configMapKeyRef.key);
      }
  });

  it('mounts existing volumes and a writable directory for each image', () => {
    for (const one of workloads) {
      const { volumes } = one.spec.template.spec;
      const all = [
        ...volumes.map(({ name }) => name),
        ...one.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name),
      ];
      for (const { volumeMounts } of containersOf(one)) {
        for (const { name } of volumeMounts) expect(all).toContain(name);
        expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp');
      }
    }
  });

  it('gives a stopping shell more time than it needs to drain', () => {
    const { spec } = workloads.find(({ metadata }) => metadata.name === 'shell')!.spec.template;
    const drain = Number(spec.containers[0]?.env.find(({ name }) => name === 'DRAIN_SECONDS')?.value);
    expect(drain).toBeGreaterThanOrEqual(5);
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 10);
  });

  it('scales and protects replicated services and restricts network access', () => {
    expect(manifestsOfKind('HorizontalPodAutoscaler').sort()).toEqual(['edge', 'shell']);
    expect(manifestsOfKind('PodDisruptionBudget').sort()).toEqual(['edge', 'shell']);
    expect(manifestsOfKind('NetworkPolicy').sort()).toEqual(
      ['nobody', ...SERVICES, 'edge', 'metrics'].sort(),
    );
  });

  it('uses images that the Dockerfile builds', () => {
    const own = workloads
      .flatMap(containersOf)
      .flatMap(({ image }) => /^forecourt\/(\w+)$/.exec(image)?.[1] ?? []);
    expect([...new Set(own)].sort()).toEqual([...SERVICES].sort());
    expect(
      readKustomization()
        .images.map(({ name }) => name)
        .sort(),
    ).toEqual(SERVICES.map((name) => `forecourt/${name}`).sort());
  });
});

describe('the component for Gateway API', () => {
  const ingressSchema = z.object({ spec: z.object({ rules: z.array(z.object({ host: z.string() })) }) });
  const serviceSchema = z.object({ spec: z.object({ ports: z.array(z.object({ port: z.number() })) }) });
  const { removed, gateways, routes } = readGateway();
  const objectOf = (kind: string, name: string) =>
    resources.find((one) => one.kind === kind && one.metadata.name === name);

  it('takes the place of the Ingress, for the same hosts', () => {
    expect(removed).toEqual([{ kind: 'Ingress', name: 'forecourt' }]);
    const hosts = ingressSchema.parse(objectOf('Ingress', 'forecourt')).spec.rules.map(({ host }) => host);
    expect(routes).toHaveLength(2);
    for (const { hostnames } of routes) expect(hostnames).toEqual(hosts);
  });

  it('names listeners of its gateway, and ports of services', () => {
    const listeners = gateways.flatMap(({ name, listeners: own }) => own.map((one) => [name, one.name]));
    expect(routes.flatMap(({ parentRefs }) => parentRefs.map((one) => [one.name, one.sectionName]))).toEqual(
      expect.arrayContaining(listeners),
    );
    const backends = routes.flatMap(({ rules }) => rules.flatMap(({ backendRefs }) => backendRefs));
    expect(backends).toHaveLength(1);
    for (const { name, port } of backends)
      expect(serviceSchema.parse(objectOf('Service', name)).spec.ports).toContainEqual(
        expect.objectContaining({ port }),
      );
  });
});

describe('the component for several replicas', () => {
  const component = readComponent();

  it('lists its files, and changes workloads of the base only', () => {
    expect(component.files.toSorted()).toEqual(componentFiles().toSorted());
    for (const { kind, name } of component.patches)
      expect(workloads.find((one) => one.kind === kind && one.metadata.name === name)).toBeDefined();
    // Of the others the base has one.
    expect(component.disruptionBudgets.toSorted()).toEqual(['api', 'identity', 'registry']);
  });

  it('runs as many replicas of each service as `npm run start:cluster`', () => {
    const topology = readFileSync(join(REPOSITORY, 'infra/tooling/local/src/cluster.ts'), 'utf8');
    const names = {
      api: 'marketplace-api',
      registry: 'remote-registry',
      identity: 'identity',
      shell: 'shell',
    };
    const autoscaled = /minReplicas: (\d+)/.exec(readFileSync(join(DEPLOY, 'kubernetes/shell.yaml'), 'utf8'));
    for (const name of SERVICES) {
      const local = new RegExp(`^  '?${names[name]}'?: (\\d+),$`, 'm').exec(topology)?.[1];
      const replicas = component.patches.find((one) => one.name === name)?.replicas;
      expect([name, String(replicas ?? autoscaled?.[1])]).toEqual([name, local]);
    }
  });

  it('gives every replica the database, and only known keys', () => {
    for (const { name, containers, initContainers } of component.patches) {
      const known = configKeys(name);
      for (const { env } of [...containers, ...initContainers]) {
        expect(env.map((variable) => variable.name)).toContain('DATABASE_URL');
        expect(env.map((variable) => variable.name).filter((key) => !known.has(key))).toEqual([]);
      }
      for (const { command } of initContainers) {
        const [, script = ''] = command;
        expect(existsSync(join(REPOSITORY, script)) ? script : `${script} is missing`).toBe(script);
      }
    }
  });
});

describe('the Dockerfile', () => {
  const targets = dockerfile.split(/^(?=FROM )/m);
  const target = (name: string) =>
    targets.find((text) => new RegExp(`^FROM \\S+ AS ${name}\\n`).test(text)) ?? '';

  it('copies only files of the repository or an earlier stage into images', () => {
    const stages = new Set([...dockerfile.matchAll(/^FROM \S+ AS (\S+)/gm)].map(([, name]) => name));
    for (const [, from, sources = ''] of dockerfile.matchAll(/^COPY (?:--from=(\S+) )?(.+) \S+$/gm)) {
      if (from !== undefined) expect(stages).toContain(from);
      for (const source of sources.split(' ')) {
        const path = source.replace(/^\/app\/?/, '');
        const isMade = /(?:^|\/)(?:node_modules|dist)$/.test(path);
        if (!isMade) expect(existsSync(join(REPOSITORY, path)) ? path : `${path} is missing`).toBe(path);
      }
    }
  });

  it.each(SERVICES)('runs %s as an unprivileged user, from an existing script, on its port', (name) => {
    const text = target(name);
    expect(text).toMatch(/^USER node$/m);
    expect(text).toContain(`EXPOSE ${PORTS[name]}`);
    const port = /^ENV (\w+)=(\d+) HEALTH_PORT=(\d+)(?: |$)/m.exec(text);
    expect(port?.slice(2)).toEqual([String(PORTS[name]), String(PORTS[name])]);
    expect(configKeys(name)).toContain(port?.[1]);
    const script = /^CMD \["node", (?:"--[^"]+", )?"(\S+)"\]$/m.exec(text)?.[1] ?? '';
    const source = script.replace('shell/dist/server/server.cjs', 'shell/src/server.ts');
    expect(existsSync(join(REPOSITORY, source))).toBe(true);
  });

  it('has a health check for every service', () => {
    expect(target('runtime')).toMatch(
      /^HEALTHCHECK .*\n\s+CMD \["node", "infra\/deploy\/healthcheck\.mjs"\]$/m,
    );
    for (const name of SERVICES) expect(target(name)).toMatch(/^FROM runtime /);
  });
});

/** CycloneDX's program is installed when it is first used. */
const hasRegistry =
  spawnSync('npm', ['view', 'react', 'version', '--fetch-retries=0', '--prefer-online'], { timeout: 30_000 })
    .status === 0;

describe('the bill of materials', () => {
  (hasRegistry ? it : it.skip)(
    'lists what npm has installed, by version, address and hash, and what depends on what (skipped without a package registry)',
    () => {
      const text = execFileSync('node', ['infra/deploy/sbom.mjs'], {
        cwd: REPOSITORY,
        encoding: 'utf8',
        maxBuffer: 1e8,
      });
      const bom = JSON.parse(text) as {
        bomFormat: string;
        components: {
          'bom-ref': string;
          group?: string;
          name: string;
          version: string;
          purl: string;
          hashes?: { alg: string; content: string }[];
          properties?: { name: string; value: string }[];
        }[];
        dependencies: { ref: string; dependsOn?: string[] }[];
      };
      expect(bom.bomFormat).toBe('CycloneDX');
      // Not what an older lockfile has left behind.
      const components = bom.components.filter(
        ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:extraneous'),
      );
      const nameOf = ({ group, name }: (typeof components)[number]) =>
        group === undefined ? name : `${group}/${name}`;
      // Also development dependencies of other workspaces, and an optional peer.
      expect(components.map(nameOf)).toEqual(
        expect.arrayContaining(['express', 'oidc-provider', 'react', 'zod', 'pg']),
      );
      for (const component of components) {
        const name = nameOf(component);
        expect(component.purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${component.version}`);
        // The sources of a workspace are no download.
        expect([name, component.hashes]).toEqual([
          name,
          name.startsWith('@forecourt/')
            ? undefined
            : [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as unknown }],
        ]);
      }
      const references = new Map(
        bom.components.map((component) => [component['bom-ref'], nameOf(component)]),
      );
      const dependsOn = (name: string) =>
        bom.dependencies
          .filter(({ ref }) => references.get(ref) === name)
          .flatMap((dependency) => dependency.dependsOn ?? [])
          .map((ref) => references.get(ref));
      expect(dependsOn('@forecourt/identity')).toEqual(expect.arrayContaining(['express', 'oidc-provider']));
      expect(dependsOn('express')).toContain('body-parser');
    },
    120_000,
  );

  it('is part of every image', () => {
    const script = readFileSync(join(DEPLOY, 'production-packages.sh'), 'utf8');
    expect(script).toMatch(/^node infra\/deploy\/sbom\.mjs >node_modules\/sbom\.cdx\.json$/m);
    expect(dockerfile.match(/production-packages\.sh/g)).toHaveLength(SERVICES.length);
  });
});

describe('the compose file', () => {
  const { services, volumes, secrets } = readCompose();

  it("runs the Dockerfile's images in Compose with restricted privileges", () => {
    for (const name of SERVICES) {
      expect(services[name]?.build).toEqual({
        context: '../..',
        dockerfile: 'infra/deploy/Dockerfile',
        target: name,
      });
      expect(services[name]?.image).toContain(`forecourt/${name}:`);
    }
    for (const { security_opt } of Object.values(services))
      expect(security_opt).toContain('no-new-privileges:true');
  });

  it.each(SERVICES)('passes %s only known keys in Compose', (name) => {
    const keys = Object.keys(services[name]?.environment ?? {});
    expect(keys.filter((key) => !configKeys(name).has(key))).toEqual([]);
  });

  it('requires only values named in the example environment', () => {
    const example = readFileSync(join(DEPLOY, '.env.example'), 'utf8');
    const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');
    const requestedNames = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name as string));
    expect([...requestedNames].sort()).toEqual(
      [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name as string).sort(),
    );
    // A secret in the example would end up in production.
    expect(example).toMatch(/^SESSION_SECRET=$/m);
  });

  it('starts without a release: nothing waits for shells to be ready', () => {
    // They are ready with the first releases, which are published to the started registry.
    for (const { depends_on } of Object.values(services))
      expect(depends_on['shell']?.condition).not.toBe('service_healthy');
    expect(services['edge']?.depends_on).toHaveProperty('shell');
  });

  it('asks for the replicas of the shell again, so that those of `--scale` are served', () => {
    expect(services['edge']?.environment['SHELL_SERVERS']).toMatch(
      /^resolver 127\.0\.0\.11 valid=\ds ipv6=off; server shell:3000 resolve .*;$/,
    );
    // The version of nginx that can do it within an upstream.
    const [, major, minor] = /nginx-unprivileged:(\d+)\.(\d+)/.exec(services['edge']!.image)!.map(Number);
    expect(major! * 100 + minor!).toBeGreaterThanOrEqual(128);
    // Needed by `resolve`.
    expect(template).toMatch(/upstream shell \{\s+zone shell /);
  });

  it('refers to existing services, volumes and files in Compose', () => {
    for (const { depends_on, volumes: mounted } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
      for (const mount of mounted) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('./')) expect(existsSync(join(DEPLOY, source))).toBe(true);
        else if (mount.includes(':')) expect(volumes).toHaveProperty(source);
      }
    }
    expect(Object.keys(secrets).sort()).toEqual(['tls_certificate', 'tls_key']);
  });
});

describe('the edge', () => {
  const settings = Object.fromEntries(settingsOf(template).map((name) => [name, `<${name}>`]));

  it("fills every variable of the edge's template", () => {
    const filled = fillTemplate(template, settings);
    expect(
      filled
        .split('\n')
        .filter((line) => !line.trimStart().startsWith('#'))
        .join('\n'),
    ).not.toContain('${');
    expect(() => fillTemplate(template, { ...settings, SHELL_SERVERS: undefined as never })).toThrow(
      'SHELL_SERVERS',
    );
  });

  it('hides health and metrics endpoints in any spelling, at the edge and the CDN', () => {
    const vcl = readFileSync(join(DEPLOY, 'cdn/fastly.vcl'), 'utf8');
    const hidden = [
      ...[...template.matchAll(/location (~\*?) (\S+) \{\s+return 404;/g)].map(
        ([, mode, pattern = '']) => new RegExp(pattern, mode === '~*' ? 'i' : ''),
      ),
      ...[...vcl.matchAll(/req\.url\.path ~ "(\(\?i\))?(\S+)"\) \{\s+error 404/g)].map(
        ([, insensitive, pattern = '']) => new RegExp(pattern, insensitive ? 'i' : ''),
      ),
    ];
    // Site, identity, CDN.
    expect(hidden).toHaveLength(3);
    for (const path of ['/metrics', '/METRICS', '/Metrics/', '/health/ready', '/HEALTH/live'])
      for (const pattern of hidden) expect(path).toMatch(pattern);
    for (const path of ['/cars-for-sale/all-cars', '/healthy', '/a/metrics'])
      for (const pattern of hidden) expect(path).not.toMatch(pattern);
  });

  it('sets every value of the edge in Compose and Kubernetes', () => {
    const requiredSettings = settingsOf(template).sort();
    const NGINX = 'NGINX_ENVSUBST_OUTPUT_DIR';
    const { services } = readCompose();
    expect(
      Object.keys(services['edge']?.environment ?? {})
        .filter((key) => key !== NGINX)
        .sort(),
    ).toEqual(requiredSettings);
    const one = workloads.find(({ metadata }) => metadata.name === 'edge')!;
    const [main] = one.spec.template.spec.containers;
    expect(
      main?.env
        .map(({ name }) => name)
        .filter((key) => key !== NGINX)
        .sort(),
    ).toEqual(requiredSettings);
  });
});
