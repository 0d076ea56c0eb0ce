/** The chart with the real Helm: it lints, renders the committed manifests, and refuses wrong values with a clear message. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { chart, objectsOf, overlay, runHelm } from '../../helm/render.js'
import {
  type AnySpec,
  enough,
  helm,
  keyOf,
  lookUp,
  OVERLAYS,
  type Role,
  render,
  roles,
  root,
  textOf,
} from './rendered.js'

test('the chart has the version of the product', async () => {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string }
  expect(await readFile(join(chart, 'Chart.yaml'), 'utf8')).toContain(`\nappVersion: "${version}"\n`)
})

test('the chart has no dependencies', async () => {
  expect(await readFile(join(chart, 'Chart.yaml'), 'utf8')).not.toMatch(/^dependencies:/m)
})

if (!helm)
  test.each(OVERLAYS)('NO HELM ON THIS MACHINE: %s was neither linted nor rendered, only read', async (name) => {
    const { of } = await lookUp(name)
    expect(of('Deployment')).toHaveLength(roles.length)
  })
else
  describe('with helm', () => {
    test('lints without values', async () => {
      expect(await runHelm(['lint', chart])).toContain('0 chart(s) failed')
    })

    test.each(OVERLAYS)('lints with the values of %s', async (name) => {
      expect(await runHelm(['lint', chart, '--values', overlay(name).values])).toContain('0 chart(s) failed')
    })

    test.each(OVERLAYS)('k8s/rendered/%s.yaml equals the rendering of the chart', async (name) => {
      expect(await textOf(name)).toBe(await readFile(overlay(name).rendered, 'utf8'))
    })

    test('renders with the required values only', async () => {
      expect(await render(enough)).toContain('name: murmuration-statuses-fanout')
    })

    test('integers keep their digits', async () => {
      const text = await render({ ...enough, config: { ...enough.config, NATS_STREAM_BYTES: 21474836480 } })
      expect(text).toContain('NATS_STREAM_BYTES: "21474836480"')
    })

    test('without autoscalers the Deployments have the replicas', async () => {
      const text = await render({ ...enough, autoscaling: { enabled: false } })
      expect(text).not.toContain('HorizontalPodAutoscaler')
      expect(text.match(/^ {2}replicas: \d+$/gm)).toHaveLength(roles.length)
    })

    test('unusual but valid combinations of values render', async () => {
      const text = await render({
        ...enough,
        config: { ...enough.config, SMTP_PORT: 25, S3_ENDPOINT: 'http://minio:9000' },
        network: { smtp: { ports: [25], to: [] }, blob: { ports: [9000], to: [] } },
        monitoring: { podMonitor: true },
        roles: { 'admin-api': { minReplicas: 3, maxReplicas: 3, cpu: '1', cpuLimit: '1000m', memoryLimit: '1Gi' } },
      })
      expect(text).toContain('kind: PodMonitor')
      expect(text).not.toContain('prometheus.io/scrape')
    })

    test('with KEDA, ScaledObjects replace the other autoscalers and query Prometheus for the age of the oldest message', async () => {
      const text = await render({
        ...enough,
        autoscaling: { kind: 'keda', prometheusAddress: 'http://prometheus.monitoring:9090' },
        roles: { 'statuses-fanout': { minReplicas: 2, maxReplicas: 9 } },
      })
      expect(text).not.toContain('HorizontalPodAutoscaler')
      expect(text).not.toMatch(/^ {2}replicas:/m)
      const scaled = objectsOf(text).filter((object) => object.kind === 'ScaledObject')
      const names = roles.map((role) => `murmuration-${keyOf(role)}`)
      expect(scaled.map((object) => object.metadata.name).sort()).toEqual(names.sort())
      const { spec } = scaled.find((object) => object.metadata.name === 'murmuration-statuses-fanout') as AnySpec
      expect(spec).toMatchObject({
        scaleTargetRef: { name: 'murmuration-statuses-fanout' },
        minReplicaCount: 2,
        maxReplicaCount: 9,
        triggers: [
          { type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } },
          {
            type: 'prometheus',
            metricType: 'Value',
            metadata: {
              serverAddress: 'http://prometheus.monitoring:9090',
              query: 'max(murmuration_consumer_oldest_seconds{namespace="default",service="statuses",role="fanout"})',
              threshold: '30',
              // A query without a result must not read as an empty queue.
              ignoreNullValues: 'false',
            },
          },
        ],
      })
    })

    test.each([
      ['hpa', 'HorizontalPodAutoscaler', (spec: AnySpec) => spec.behavior],
      ['keda', 'ScaledObject', (spec: AnySpec) => spec.advanced.horizontalPodAutoscalerConfig.behavior],
    ])('values set how fast autoscalers of kind %s add and remove pods', async (kind, object, behaviorOf) => {
      const text = await render({
        ...enough,
        autoscaling: {
          kind,
          prometheusAddress: 'http://prometheus.monitoring:9090',
          behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
        },
      })
      const scalers = objectsOf(text).filter((one) => one.kind === object)
      expect(scalers).toHaveLength(roles.length)
      for (const { spec } of scalers)
        expect(behaviorOf(spec as AnySpec)).toEqual({
          scaleUp: {
            stabilizationWindowSeconds: 0,
            policies: [
              { type: 'Percent', value: 100, periodSeconds: 30 },
              { type: 'Pods', value: 2, periodSeconds: 30 },
            ],
          },
          scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
        })
    })

    test('a role can scale by CPU alone', async () => {
      const text = await render({ ...enough, autoscaling: { custom: true, metrics: { 'statuses-fanout': null } } })
      const scaler = objectsOf(text).find(
        (object) => object.kind === 'HorizontalPodAutoscaler' && object.metadata.name === 'murmuration-statuses-fanout',
      ) as AnySpec
      expect(scaler.spec.metrics).toHaveLength(1)
    })

    test('a role can be disabled', async () => {
      const text = await render({ ...enough, roles: { 'statuses-links': { enabled: false } } })
      expect(text).not.toContain('murmuration-statuses-links')
    })

    /** Roles whose pod template differs between a rendering with these values and one without. */
    const changed = async (values: object): Promise<string[]> => {
      const templates = async (text: string) =>
        new Map(
          objectsOf(text)
            .filter((object) => object.kind === 'Deployment')
            .map((object) => [object.metadata.name.slice('murmuration-'.length), JSON.stringify(object.spec)]),
        )
      const [before, after] = [await templates(await render(enough)), await templates(await render(values))]
      expect([...after.keys()]).toEqual(roles.map(keyOf))
      return [...after].filter(([key, spec]) => before.get(key) !== spec).map(([key]) => key)
    }
    const of =
      (...services: string[]) =>
      (role: Role) =>
        services.includes(role.service)
    const needing = (need: string) => (role: Role) => role.needs.includes(need)
    const all = () => true
    const config = (more: object) => ({ ...enough, config: { ...enough.config, ...more } })

    const restarts: [what: string, values: object, reads: (role: Role) => boolean][] = [
      ['SMTP_SERVER', config({ SMTP_SERVER: 'smtp.example' }), of('notifications')],
      ['TRUSTED_PROXIES', config({ TRUSTED_PROXIES: 2 }), of('gateway', 'streaming')],
      ['STREAMING_API_BASE_URL', config({ STREAMING_API_BASE_URL: 'wss://b.example' }), of('gateway', 'admin')],
      ['VAPID_PUBLIC_KEY', config({ VAPID_PUBLIC_KEY: 'abc' }), of('accounts', 'admin', 'notifications')],
      ['S3_REGION', config({ S3_REGION: 'eu-central-1' }), needing('blob')],
      ['DB_POOL', config({ DB_POOL: 4 }), needing('postgres')],
      ['LOG_LEVEL', config({ LOG_LEVEL: 'debug' }), all],
      ['OTEL_TRACES_SAMPLER_ARG', config({ OTEL_TRACES_SAMPLER_ARG: '0.5' }), all],
      ['a variable that one service reads', { ...enough, extraConfig: { STATUSES_FEED_LENGTH: 400 } }, of('statuses')],
      ['a variable that no service names', { ...enough, extraConfig: { NODE_OPTIONS: '--trace-warnings' } }, all],
      [
        'the revision of one secret',
        { ...enough, secrets: { ...enough.secrets, revisions: { SMTP_PASSWORD: '2' } } },
        of('notifications'),
      ],
      [
        'the revision of the key of one login',
        { ...enough, secrets: { ...enough.secrets, revisions: { STATUSES_DATABASE_URL: '2' } } },
        of('statuses'),
      ],
      ['the revision of all secrets', { ...enough, secrets: { ...enough.secrets, revision: '2' } }, all],
      [
        'a request of one role',
        { ...enough, roles: { 'media-worker': { cpu: '2' } } },
        (r) => keyOf(r) === 'media-worker',
      ],
      ['the bounds of an autoscaler', { ...enough, roles: { 'media-worker': { maxReplicas: 50 } } }, () => false],
      ['a network policy', { ...enough, network: { smtp: { ports: [25], to: [] } } }, () => false],
    ]
    test.each(restarts)('a change of %s restarts only the pods that read it', async (_what, values, reads) => {
      expect(await changed(values)).toEqual(roles.filter(reads).map(keyOf))
    })

    test('every variable in values.yaml is read by a role', async () => {
      const { config: offered } = parse(await readFile(join(chart, 'values.yaml'), 'utf8')) as Record<string, object>
      const reads = JSON.parse(await readFile(join(chart, 'reads.json'), 'utf8'))
      const known = new Set([reads.always, ...Object.values(reads.byNeed), ...Object.values(reads.services)].flat())
      expect(Object.keys(offered!).filter((name) => !known.has(name) && !name.startsWith('OTEL_'))).toEqual([])
    })

    const refused: [what: string, values: object, sentence: RegExp][] = [
      ['nothing set', {}, /config\.LOCAL_DOMAIN: the domain/],
      ['D084 no Secret named', { config: enough.config }, /secrets\.existingSecret: name a Secret/],
      [
        'no place for media',
        { ...enough, config: { LOCAL_DOMAIN: 'social.example' } },
        /media needs a place: set config\.S3_ENABLED/,
      ],
      ['S3 without a bucket', { ...enough, config: { LOCAL_DOMAIN: 'a.example', S3_ENABLED: true } }, /S3_BUCKET/],
      ['an unknown key', { ...enough, replicas: 3 }, /additional propert.*replicas|replicas.*additional/is],
      [
        'an unknown variable',
        { ...enough, config: { ...enough.config, LOCAL_DOMIAN: 'a.example' } },
        /additional propert.*LOCAL_DOMIAN|LOCAL_DOMIAN.*additional/is,
      ],
      [
        'a domain with a scheme',
        { ...enough, config: { ...enough.config, LOCAL_DOMAIN: 'https://a.example' } },
        /LOCAL_DOMAIN/,
      ],
      ['a port out of range', { ...enough, config: { ...enough.config, SMTP_PORT: 70000 } }, /SMTP_PORT/],
      [
        'an unknown role',
        { ...enough, roles: { 'statuses-fanuot': { cpu: '1' } } },
        /no such role; there are .*statuses-fanout/,
      ],
      [
        'an unknown key of a role',
        { ...enough, roles: { 'statuses-fanout': { replicas: 3 } } },
        /additional propert.*replicas|replicas.*additional/is,
      ],
      [
        'D084 a secret among the variables',
        { ...enough, extraConfig: { SMTP_PASSWORD: 'x' } },
        /SMTP_PASSWORD|extraConfig/,
      ],
      ['D086 an image called latest', { ...enough, image: { tag: 'latest' } }, /image.*tag|tag/s],
      ['D086 a digest that is none', { ...enough, image: { digest: 'sha256:1' } }, /digest/],
      ['a Gateway without a name', { ...enough, ingress: { kind: 'gateway' } }, /ingress\.gateway\.name/],
      [
        'fewer replicas at most than at least',
        { ...enough, roles: { 'statuses-fanout': { minReplicas: 5, maxReplicas: 3 } } },
        /values\.roles\.statuses-fanout: minReplicas 5 is more than maxReplicas 3/,
      ],
      [
        'more replicas at least than the default of at most',
        { ...enough, roles: { 'admin-api': { minReplicas: 50 } } },
        /values\.roles\.admin-api: minReplicas 50 is more than maxReplicas 4/,
      ],
      [
        'a limit of CPU below the request',
        { ...enough, roles: { 'admin-api': { cpu: '2', cpuLimit: '500m' } } },
        /values\.roles\.admin-api: cpuLimit 500m is less than cpu 2/,
      ],
      [
        'a limit of memory below the request',
        { ...enough, roles: { 'admin-api': { memory: '2Gi', memoryLimit: '512Mi' } } },
        /values\.roles\.admin-api: memoryLimit 512Mi is less than memory 2Gi/,
      ],
      [
        'a variable of a role that the chart sets itself',
        { ...enough, roles: { 'admin-api': { env: { HEALTH_PORT: 1 } } } },
        /values\.roles\.admin-api\.env\.HEALTH_PORT: the chart sets this variable itself/,
      ],
      [
        'a variable of all roles that the chart sets itself',
        { ...enough, extraConfig: { MODE: 'test' } },
        /values\.extraConfig\.MODE: the chart sets this variable itself/,
      ],
      [
        'a file of authorities that no pod has',
        { ...enough, extraConfig: { EXTRA_CA_FILE: '/etc/ca.pem' } },
        /values\.extraConfig\.EXTRA_CA_FILE: the pods and the migrations have no such file; .*secrets\.authorityKey/,
      ],
      [
        'a variable that is set twice',
        { ...enough, extraConfig: { S3_BUCKET: 'other' } },
        /values\.extraConfig\.S3_BUCKET: config\.S3_BUCKET is set as well/,
      ],
      [
        'two places for media',
        { ...enough, blob: { existingClaim: 'media' } },
        /config\.S3_ENABLED is true and blob\.existingClaim names a volume/,
      ],
      [
        'S3 among the extra variables',
        {
          ...enough,
          config: { LOCAL_DOMAIN: 'a.example' },
          extraConfig: { S3_ENABLED: 'true', S3_BUCKET: 'b' },
          blob: { existingClaim: 'media' },
        },
        /values\.extraConfig\.S3_BUCKET: set config\.S3_BUCKET instead/,
      ],
      [
        'S3 for one role',
        { ...enough, roles: { 'media-worker': { env: { S3_ENABLED: 'true' } } } },
        /values\.roles\.media-worker\.env\.S3_ENABLED: all roles share one place for media, set config\.S3_ENABLED/,
      ],
      [
        'a migration deadline that leaves no time after the wait for PostgreSQL',
        { ...enough, migration: { deadlineSeconds: 30 } },
        /deadlineSeconds/,
      ],
      [
        'an Ingress to a surface without a role',
        { ...enough, roles: { 'gateway-federation': { enabled: false } } },
        /no enabled role serves the surface "federation"/,
      ],
      [
        'scaling of an unknown role',
        { ...enough, autoscaling: { metrics: { 'statuses-fanuot': { name: 'x', average: '1' } } } },
        /values\.autoscaling\.metrics\.statuses-fanuot: no such role/,
      ],
      [
        'scaling by queues of a role without queues',
        { ...enough, autoscaling: { metrics: { 'gateway-client': { oldestSeconds: 30 } } } },
        /values\.autoscaling\.metrics\.gateway-client\.oldestSeconds: the role has no consumer/,
      ],
      [
        'two metrics for a role',
        { ...enough, autoscaling: { metrics: { 'media-worker': { name: 'x', average: '1' } } } },
        /values\.autoscaling\.metrics\.media-worker: set oldestSeconds, or name and average/,
      ],
      [
        'an incomplete metric',
        { ...enough, autoscaling: { metrics: { 'admin-api': { name: 'x' } } } },
        /values\.autoscaling\.metrics\.admin-api: set oldestSeconds, or name and average/,
      ],
      [
        'the revision of a key that no pod reads',
        { ...enough, secrets: { ...enough.secrets, revisions: { SMTP_PASWORD: '2' } } },
        /values\.secrets\.revisions\.SMTP_PASWORD: no pod gets this key; there are .*SMTP_PASSWORD/,
      ],
      ['KEDA without Prometheus', { ...enough, autoscaling: { kind: 'keda' } }, /autoscaling\.prometheusAddress: KEDA/],
      [
        'KEDA beside an adapter',
        { ...enough, autoscaling: { kind: 'keda', custom: true, prometheusAddress: 'http://prometheus:9090' } },
        /autoscaling\.custom is for kind hpa/,
      ],
      [
        'mail through a port that the network policies deny',
        { ...enough, config: { ...enough.config, SMTP_PORT: 25 } },
        /config\.SMTP_PORT needs port 25, but network\.smtp\.ports opens only 465, 587/,
      ],
      [
        'S3 on a port that the network policies deny',
        { ...enough, config: { ...enough.config, S3_ENDPOINT: 'https://minio.example:9000' } },
        /config\.S3_ENDPOINT needs port 9000, but network\.blob\.ports opens only 443/,
      ],
      [
        'traces to a port that the network policies deny',
        { ...enough, config: { ...enough.config, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' } },
        /config\.OTEL_EXPORTER_OTLP_ENDPOINT needs port 80, but network\.otlp\.ports opens only 4317, 4318/,
      ],
      ['less grace than a drain takes', { ...enough, roles: { 'streaming-ws': { grace: 5 } } }, /grace/],
    ]
    test.each(refused)('refuses %s', async (_what, values, sentence) => {
      await expect(render(values)).rejects.toThrow(sentence)
    })
  })
