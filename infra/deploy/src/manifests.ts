import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

export const DEPLOY = join(import.meta.dirname, '..');
export const REPOSITORY = join(DEPLOY, '../..');

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const container = z.object({
  name: z.string(),
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
  env: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .strictObject({
            configMapKeyRef: z.strictObject({ name: z.string(), key: z.string() }).optional(),
            secretKeyRef: z
              .strictObject({ name: z.string(), key: z.string(), optional: z.boolean().optional() })
              .optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.object({
    requests: z.object({ cpu: z.string(), memory: z.string() }),
    limits: z.object({ memory: z.string() }),
  }),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
});

const labels = z.object({ app: z.string() });
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels */
const recommendedLabels = z.object({
  'app.kubernetes.io/name': z.string(),
  'app.kubernetes.io/component': z.string(),
});

export const workload = z.object({
  kind: z.enum(['Deployment', 'StatefulSet']),
  metadata: z.object({ name: z.string(), labels: recommendedLabels }),
  spec: z.object({
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels: labels.extend(recommendedLabels.shape) }),
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.number().positive(),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        initContainers: z.array(container).default([]),
        containers: z.array(container).length(1),
        volumes: z.array(z.object({ name: z.string() })).default([]),
      }),
    }),
    volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })).default([]),
  }),
});
export type Workload = z.infer<typeof workload>;

/** Any Kubernetes object. */
const resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type Resource = z.infer<typeof resource>;

/** All objects of the files that the kustomization names. @throws Error if a file isn't valid YAML or contains anything else */
export function readResources(): Resource[] {
  return readKustomization().resources.flatMap((path) =>
    parseAllDocuments(readFileSync(join(DEPLOY, path), 'utf8')).map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return resource.parse(document.toJS());
    }),
  );
}

export const readKustomization = () =>
  z
    .object({
      resources: z.array(z.string()),
      configMapGenerator: z.array(
        z.object({
          name: z.string(),
          literals: z.array(z.string()).default([]),
          files: z.array(z.string()).default([]),
        }),
      ),
      images: z.array(z.object({ name: z.string() })),
      labels: z.array(z.object({ pairs: z.record(z.string(), z.string()) })),
    })
    .parse(parse(readFileSync(join(DEPLOY, 'kustomization.yaml'), 'utf8')));

const parseObjects = (path: string): Resource[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).map((one) => resource.parse(one.toJS()));

/** What the component for Gateway API adds and takes away. */
export function readGateway() {
  const folder = join(DEPLOY, 'gateway');
  const { resources, patches } = z
    .object({
      resources: z.array(z.string()),
      patches: z.array(
        z.object({ target: z.object({ kind: z.string(), name: z.string() }), patch: z.string() }),
      ),
    })
    .parse(parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')));
  const route = z.object({
    spec: z.object({
      parentRefs: z.array(z.object({ name: z.string(), sectionName: z.string() })),
      hostnames: z.array(z.string()),
      rules: z.array(
        z.object({ backendRefs: z.array(z.object({ name: z.string(), port: z.number() })).default([]) }),
      ),
    }),
  });
  const gateway = z.object({ spec: z.object({ listeners: z.array(z.object({ name: z.string() })) }) });
  const objects = resources.flatMap((path) => parseObjects(join(folder, path)));
  return {
    removed: patches.map(({ target }) => target),
    gateways: objects
      .filter(({ kind }) => kind === 'Gateway')
      .map((one) => ({ name: one.metadata.name, listeners: gateway.parse(one).spec.listeners })),
    routes: objects.filter(({ kind }) => kind === 'HTTPRoute').map((one) => route.parse(one).spec),
  };
}

const COMPONENT = join(DEPLOY, 'replicas');
const changedContainer = z.object({
  env: z.array(z.object({ name: z.string() })),
  command: z.array(z.string()).default([]),
});

/** What the component for several replicas changes and adds. */
export function readComponent() {
  const { resources, patches } = z
    .object({ resources: z.array(z.string()), patches: z.array(z.object({ path: z.string() })) })
    .parse(parse(readFileSync(join(COMPONENT, 'kustomization.yaml'), 'utf8')));
  const pathsOfPatches = patches.map(({ path }) => path);
  const added = resources.flatMap((path) =>
    parseAllDocuments(readFileSync(join(COMPONENT, path), 'utf8')).map((one) => resource.parse(one.toJS())),
  );
  return {
    files: [...resources, ...pathsOfPatches],
    disruptionBudgets: added.map(({ metadata }) => metadata.name),
    patches: pathsOfPatches.map((path) => {
      const { kind, metadata, spec } = z
        .object({
          kind: z.string(),
          metadata: z.object({ name: z.string() }),
          spec: z.object({
            replicas: z.number().optional(),
            template: z.object({
              spec: z.object({
                containers: z.array(changedContainer),
                initContainers: z.array(changedContainer).default([]),
              }),
            }),
          }),
        })
        .parse(parse(readFileSync(join(COMPONENT, path), 'utf8')));
      return { kind, name: metadata.name, replicas: spec.replicas, ...spec.template.spec };
    }),
  };
}

export const componentFiles = (): string[] =>
  readdirSync(COMPONENT).filter((name) => name !== 'kustomization.yaml');

const composeService = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.array(z.string()),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});

export const readCompose = (file = 'compose.yaml') =>
  z
    .object({
      services: z.record(z.string(), composeService),
      volumes: z.record(z.string(), z.null()),
      secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
    })
    // `<<` is the YAML 1.1 merge key, which Compose supports.
    .parse(parse(readFileSync(join(DEPLOY, file), 'utf8'), { merge: true }));

/** Read by the client of S3 itself. */
const BUCKET_CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** Read by the exporter of traces itself. */
const EXPORTER_KEYS = ['OTEL_EXPORTER_OTLP_HEADERS'];
const TRACING_KEYS = 'infra/service-kit/src/tracing.ts';
const CONFIGS: Readonly<Record<string, readonly string[]>> = {
  shell: [
    'shell/src/engine/config.ts',
    'shell/src/engine/overrides/server/config.ts',
    'shell/src/marketplace/config.ts',
  ],
  registry: ['infra/services/remote-registry/src/config.ts', TRACING_KEYS],
  api: ['infra/services/marketplace-api/src/config.ts', TRACING_KEYS],
  identity: ['infra/services/identity/src/config.ts', TRACING_KEYS],
};

/** Environment keys of a service, from its configuration schema. */
export function configKeys(service: string): ReadonlySet<string> {
  const source = (CONFIGS[service] ?? [])
    .map((path) => readFileSync(join(REPOSITORY, path), 'utf8'))
    .join('\n');
  const keys = [...source.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+):/gm)].map(([, key]) => key as string);
  return new Set([
    ...keys,
    ...(keys.includes('BUCKET') ? BUCKET_CREDENTIALS : []),
    ...(keys.includes('OTEL_EXPORTER_OTLP_ENDPOINT') ? EXPORTER_KEYS : []),
  ]);
}

/** Paths as written in the kustomization. */
export const kubernetesFiles = (): string[] =>
  readdirSync(join(DEPLOY, 'kubernetes')).map((name) => `kubernetes/${name}`);
