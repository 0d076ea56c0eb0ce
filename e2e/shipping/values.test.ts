/** Values of the chart that change several objects, or that Kubernetes, KEDA or the migrations would refuse later. */
import { expect, test } from 'vitest'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, enough, helm, render } from './rendered.js'

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
  ]
  test.each(refused)('refuses %s', async (_what, values, sentence) => {
    await expect(render(values)).rejects.toThrow(sentence)
  })
}
