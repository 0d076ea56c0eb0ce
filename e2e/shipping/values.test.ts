/** Values of the chart that change several objects, or that Kubernetes, KEDA or the migrations would refuse later. */
import { expect, test } from 'vitest'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, enough, helm, keyOf, render, roles } from './rendered.js'

const config = (more: object) => ({ ...enough, config: { ...enough.config, ...more } })
const keda = { kind: 'keda', prometheusAddress: 'http://prometheus.monitoring:9090' }
/** Specs of all objects of a kind, by name without the release. */
const specsOf = async (kind: string, values: object): Promise<Record<string, AnySpec>> =>
  Object.fromEntries(
    objectsOf(await render(values))
      .filter((object) => object.kind === kind)
      .map(({ metadata, spec }) => [metadata.name.replace(/^murmuration-?/, ''), spec]),
  )
/** Variables of the migration job. */
const migrationOf = async (values: object): Promise<Record<string, string>> => {
  const { migrate } = await specsOf('Job', values)
  return Object.fromEntries(migrate.template.spec.containers[0].env.map((one: AnySpec) => [one.name, one.value]))
}

if (!helm) test('NO HELM ON THIS MACHINE: unusual values were not rendered', () => {})
else {
  test('hosts of an Ingress have no port', async () => {
    const { '': spec } = await specsOf('Ingress', {
      ...config({ LOCAL_DOMAIN: 'a.example:8443' }),
      ingress: { tlsSecret: 'tls' },
    })
    expect(spec.rules.map((rule: AnySpec) => rule.host)).toEqual(['a.example'])
    expect(spec.tls).toEqual([{ secretName: 'tls', hosts: ['a.example'] }])
  })

  test('host names of HTTPRoutes have no port', async () => {
    const values = config({ LOCAL_DOMAIN: 'a.example:8443', WEB_DOMAIN: 'www.a.example:8443' })
    const routes = await specsOf('HTTPRoute', { ...values, ingress: { kind: 'gateway', gateway: { name: 'public' } } })
    expect([routes[''].hostnames, routes.discovery.hostnames]).toEqual([['www.a.example'], ['a.example']])
  })

  test('a host of streaming has its own route of an Ingress', async () => {
    const { '': spec } = await specsOf('Ingress', {
      ...config({ STREAMING_API_BASE_URL: 'wss://streaming.example:8443' }),
      ingress: { tlsSecret: 'tls' },
    })
    expect(spec.tls[0].hosts).toEqual(['social.example', 'streaming.example'])
    expect(spec.rules.map((rule: AnySpec) => rule.host)).toEqual(['social.example', 'streaming.example'])
    expect(spec.rules[1].http.paths).toEqual([
      {
        path: '/api/v1/streaming',
        pathType: 'Prefix',
        backend: { service: { name: 'murmuration-streaming-ws', port: { name: 'http' } } },
      },
    ])
  })

  test.each(['ingress', 'gateway'])('a host of streaming can have no route in the chart (%s)', async (kind) => {
    const specs = await specsOf(kind === 'ingress' ? 'Ingress' : 'HTTPRoute', {
      ...config({ STREAMING_API_BASE_URL: 'wss://streaming.example' }),
      ingress: { kind, gateway: { name: 'public' }, streamingHost: false },
    })
    expect(JSON.stringify(specs)).not.toContain('streaming.example')
  })

  test('the host of streaming has a route if the values are those of an earlier chart', async () => {
    // Helm removes a value that is null, so the default is absent as with --reuse-values.
    const { '': spec } = await specsOf('Ingress', {
      ...config({ STREAMING_API_BASE_URL: 'wss://streaming.example' }),
      ingress: { streamingHost: null },
    })
    expect(spec.rules.map((rule: AnySpec) => rule.host)).toEqual(['social.example', 'streaming.example'])
  })

  test('streaming on the domain of the handles is another path of its Ingress', async () => {
    const domains = { WEB_DOMAIN: 'www.social.example', STREAMING_API_BASE_URL: 'wss://social.example' }
    const { '': spec } = await specsOf('Ingress', config(domains))
    expect(spec.rules.map((rule: AnySpec) => rule.host)).toEqual(['www.social.example', 'social.example'])
    expect(spec.rules[1].http.paths.map((one: AnySpec) => one.path)).toEqual(['/.well-known', '/api/v1/streaming'])
  })

  test.each([
    ['wss://streaming.example', ['streaming.example']],
    ['wss://social.example', undefined],
  ])('the host of %s gets an HTTPRoute if it is another one', async (STREAMING_API_BASE_URL, hosts) => {
    const { streaming } = await specsOf('HTTPRoute', {
      ...config({ STREAMING_API_BASE_URL }),
      ingress: { kind: 'gateway', gateway: { name: 'public' } },
    })
    expect(streaming?.hostnames).toEqual(hosts)
    if (streaming) expect(streaming.rules[0].backendRefs).toEqual([{ name: 'murmuration-streaming-ws', port: 80 }])
  })

  test('an empty list of peers for the metrics admits no peer', async () => {
    const policies = await specsOf('NetworkPolicy', { ...enough, network: { monitoringFrom: [] } })
    expect(policies['statuses-api'].ingress).toBeUndefined()
    expect(policies['statuses-api'].policyTypes).toContain('Ingress')
    expect(policies['gateway-client'].ingress).toEqual([{ ports: [{ port: 3000, protocol: 'TCP' }] }])
  })

  test('without the migrations there is no policy for them', async () => {
    const policies = await specsOf('NetworkPolicy', { ...enough, migration: { enabled: false } })
    expect(Object.keys(policies)).not.toContain('schema-migrate')
  })

  test('a port of another server is accepted when the network policies open it', async () => {
    const text = await render({
      ...enough,
      extraConfig: { OIDC_ISSUER: 'https://id.example:8443', LIBRE_TRANSLATE_ENDPOINT: 'http://translate.example' },
      network: { internet: { ports: [443, 80, 8443], to: [] } },
    })
    expect(text).toContain('OIDC_ISSUER: "https://id.example:8443"')
  })

  test('the delay of a role replaces that of all roles', async () => {
    const env = { STOP_DELAY_SECONDS: 0 }
    const own = Object.fromEntries(roles.map((role) => [keyOf(role), role.http ? { grace: 60 } : { env }]))
    const text = await render({ ...enough, extraConfig: { STOP_DELAY_SECONDS: '40' }, roles: own })
    expect(text).toContain('STOP_DELAY_SECONDS: "40"')
  })

  test.each([
    ['10000', '10000'],
    ['500m', '0.5'],
    ['1500m', '1.5'],
  ])('an average of %s is the threshold %s in KEDA, which reads no quantities', async (average, threshold) => {
    const autoscaling = { ...keda, metrics: { 'streaming-ws': { average } } }
    const { 'streaming-ws': spec } = await specsOf('ScaledObject', { ...enough, autoscaling })
    expect(spec.triggers[1].metadata.threshold).toBe(threshold)
  })

  test('KEDA that is off needs no Prometheus', async () => {
    const text = await render({ ...enough, autoscaling: { enabled: false, kind: 'keda' } })
    expect(text).not.toMatch(/ScaledObject|HorizontalPodAutoscaler/)
  })

  test('the migrations use the logins that the pods use', async () => {
    expect(await migrationOf(config({ DATABASE_ROLES: 'shared' }))).toMatchObject({ DATABASE_ROLES: 'shared' })
    expect(await migrationOf(enough)).not.toHaveProperty('DATABASE_ROLES')
  })

  test('the migrations count the connections of a role with its own pool', async () => {
    const own = { ...enough, roles: { 'statuses-api': { maxReplicas: 40, env: { DB_POOL: 50 } } } }
    const usual = { ...enough, roles: { 'statuses-api': { maxReplicas: 40 } } }
    const [more, less] = [await migrationOf(own), await migrationOf(usual)]
    expect(Number(more.DATABASE_CONNECTIONS) - Number(less.DATABASE_CONNECTIONS)).toBe(40 * (50 - 8))
  })

  test.each(['extraConfig', 'roles'])('%s may be null', async (name) => {
    expect(await render({ ...enough, [name]: null })).toContain('name: murmuration-statuses-fanout')
  })

  const refused: [what: string, values: object, sentence: RegExp][] = [
    [
      'a number that would lose digits',
      { ...enough, extraConfig: { A: 2 ** 60 } },
      /1152921504606846976 is a number with more digits than Helm keeps: write it in quotes/,
    ],
    [
      'a label that a selector needs',
      { ...enough, podLabels: { 'app.kubernetes.io/component': 'x' } },
      /values\.podLabels\.app\.kubernetes\.io\/component: the chart sets this itself/,
    ],
    [
      'an annotation that restarts pods',
      { ...enough, podAnnotations: { 'murmuration/config': 'x' } },
      /values\.podAnnotations\.murmuration\/config: the chart sets this itself/,
    ],
    ...[
      'WEB_DOMAIN',
      'STREAMING_API_BASE_URL',
      'DB_POOL',
      'DATABASE_ROLES',
      'PREPARED_STATEMENTS',
      'SMTP_PORT',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ].map((name): [string, object, RegExp] => [
      `${name} among the extra variables, where the rest of the chart does not see it`,
      { ...enough, extraConfig: { [name]: '25' } },
      new RegExp(`values\\.extraConfig\\.${name}: set config\\.${name} instead`),
    ]),
    [
      'a port of mail for one role, which the network policies do not see',
      { ...enough, roles: { 'notifications-mail': { env: { SMTP_PORT: 25 } } } },
      /values\.roles\.notifications-mail\.env\.SMTP_PORT: .*set config\.SMTP_PORT/,
    ],
    [
      'no peers for DNS, which Kubernetes takes as every address',
      { ...enough, network: { dns: { to: [] } } },
      /network\.dns\.to: name the peers that resolve host names/,
    ],
    ['a peer without a selector', { ...enough, network: { ingressFrom: [{}] } }, /ingressFrom/],
    [
      'an autoscaler without policies',
      { ...enough, autoscaling: { behavior: { scaleDown: { policies: [] } } } },
      /policies/,
    ],
    ...['OIDC_ISSUER', 'OIDC_2_ISSUER', 'OIDC_3_ISSUER', 'LIBRE_TRANSLATE_ENDPOINT'].map(
      (name): [string, object, RegExp] => [
        `${name} with a port that the network policies deny`,
        { ...enough, extraConfig: { [name]: 'https://other.example:8443/path' } },
        new RegExp(`values\\.extraConfig\\.${name} needs port 8443, but network\\.internet\\.ports opens only 443, 80`),
      ],
    ),
    [
      'an address for one role with a port that the network policies deny',
      { ...enough, roles: { 'accounts-identity': { env: { OIDC_ISSUER: 'https://id.example:8443' } } } },
      /values\.roles\.accounts-identity\.env\.OIDC_ISSUER needs port 8443/,
    ],
    [
      'a delay that uses up the grace of all roles',
      { ...enough, extraConfig: { STOP_DELAY_SECONDS: '40' } },
      /STOP_DELAY_SECONDS is 40 and values\.roles\.accounts-api\.grace is 30: at least 5 seconds/,
    ],
    [
      'a delay that uses up the grace of one role',
      { ...enough, roles: { 'streaming-ws': { grace: 60, env: { STOP_DELAY_SECONDS: 56 } } } },
      /STOP_DELAY_SECONDS is 56 and values\.roles\.streaming-ws\.grace is 60/,
    ],
  ]
  test.each(refused)('refuses %s', async (_what, values, sentence) => {
    await expect(render(values)).rejects.toThrow(sentence)
  })
}
