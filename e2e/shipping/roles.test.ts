/** Every role of roles.json is a complete workload: Deployment, autoscaler, disruption budget, policy, probes and a restricted container. */
import { describe, expect, test } from 'vitest'
import { type AnySpec, type Container, keyOf, lookUp, mark, OVERLAYS, type PodSpec, roles } from './rendered.js'

const charts = Object.fromEntries(await Promise.all(OVERLAYS.map(async (name) => [name, await lookUp(name)] as const)))
const mebi = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1)

const restrictedContext = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: 10001,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
const expectRestricted = (pod: PodSpec): void => {
  expect(pod.automountServiceAccountToken).toBe(false)
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 10001,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC ?? false).toBe(false)
  for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
    expect(container.securityContext).toEqual(restrictedContext)
    for (const kind of ['requests', 'limits'] as const)
      expect(Object.keys(container.resources[kind]).sort()).toEqual(['cpu', 'ephemeral-storage', 'memory'])
    const written = container.volumeMounts.filter((mount) => !mount.readOnly).map((mount) => mount.mountPath)
    expect(written.filter((path) => !['/tmp', '/var/lib/murmuration/blob'].includes(path))).toEqual([])
  }
  const tmp = pod.volumes.find((volume) => volume.name === 'tmp')?.emptyDir?.sizeLimit ?? ''
  expect(mebi(tmp)).toBeGreaterThan(0)
  expect(mebi(pod.containers[0]!.resources.limits['ephemeral-storage'] ?? '')).toBeGreaterThan(mebi(tmp))
}

describe.each(OVERLAYS)(`${mark}%s`, (name) => {
  const { of, spec, pod } = charts[name]!

  test('the rendering contains only objects of roles', () => {
    const expected = roles.map((role) => `murmuration-${keyOf(role)}`).sort()
    for (const kind of ['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'])
      expect(
        of(kind)
          .map((object) => object.metadata.name)
          .sort(),
      ).toEqual(expected)
  })

  describe.each(roles.map((role) => [keyOf(role), role] as const))('%s', (key, role) => {
    const container = (): Container => pod('Deployment', key).containers[0]!

    test('runs its role and has its labels', () => {
      expect(container().args).toEqual(['serve', `${role.service}:${role.role}`])
      const deployment = spec('Deployment', key)
      expect(deployment.template.metadata.labels).toMatchObject(deployment.selector.matchLabels)
      expect(deployment.selector.matchLabels['app.kubernetes.io/component']).toBe(key)
      expect(container().image).toMatch(role.image === 'media' ? /^murmuration-media[:@]/ : /^murmuration[:@]/)
    })

    test('D082 the pod is restricted', () => expectRestricted(pod('Deployment', key)))

    test('D085 has probes, drain, rollout, disruption budget, spread and autoscaler', () => {
      const { startupProbe, livenessProbe, readinessProbe, lifecycle } = container() as Record<string, AnySpec>
      expect(startupProbe.httpGet).toEqual({ path: '/livez', port: 'health' })
      expect(livenessProbe.httpGet).toEqual({ path: '/livez', port: 'health' })
      expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' })
      expect(container().ports).toContainEqual({ name: 'health', containerPort: role.health, protocol: 'TCP' })
      expect(lifecycle.preStop).toEqual({ sleep: { seconds: 5 } })
      const grace = Number(container().env?.find((one) => one.name === 'STOP_GRACE_SECONDS')?.value)
      expect(grace).toBe(name === 'large' && key === 'streaming-ws' ? 60 : role.grace)
      expect(pod('Deployment', key).terminationGracePeriodSeconds).toBe(grace + 10)
      expect(spec('Deployment', key).strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
      expect((pod('Deployment', key).topologySpreadConstraints as unknown[]).length).toBe(2)
      const labels = spec('Deployment', key).template.metadata.labels
      expect(labels).toMatchObject(spec('PodDisruptionBudget', key).selector.matchLabels)
      expect(spec('PodDisruptionBudget', key).maxUnavailable).toBe(1)
      const scaler = spec('HorizontalPodAutoscaler', key)
      expect(scaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: `murmuration-${key}` })
      expect(scaler.minReplicas).toBeLessThanOrEqual(scaler.maxReplicas)
      expect(scaler.metrics[0].resource.name).toBe('cpu')
    })

    test('its limits are not below its requests', () => {
      const { requests, limits } = container().resources
      const milli = (text = '') => (text.endsWith('m') ? Number.parseInt(text, 10) : Number(text) * 1000)
      expect(milli(limits.cpu)).toBeGreaterThanOrEqual(milli(requests.cpu))
      expect(mebi(limits.memory ?? '')).toBeGreaterThanOrEqual(mebi(requests.memory ?? ''))
    })

    test('D075 its Service, if any, does not expose the health port', () => {
      const services = of('Service').filter((object) => object.metadata.name === `murmuration-${key}`)
      expect(services).toHaveLength(role.http ? 1 : 0)
      for (const service of services)
        expect((service.spec as AnySpec).ports.map((port: AnySpec) => port.targetPort)).toEqual(['http'])
      const numbers = (container().ports as AnySpec[]).map((port) => port.containerPort)
      expect(numbers).toEqual(role.http ? [role.health, role.http.port] : [role.health])
    })
  })

  test('D082 D085 the migrations run before the rollout, once, restricted and with a time limit', () => {
    const job = of('Job')[0]!
    expect(of('Job')).toHaveLength(1)
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    const { template, backoffLimit, activeDeadlineSeconds } = job.spec as AnySpec
    expect(template.spec.containers[0].args).toEqual(['migrate'])
    expect(template.spec.restartPolicy).toBe('Never')
    expect(backoffLimit).toBeLessThanOrEqual(5)
    const wait = Number(template.spec.containers[0].env.find((one: AnySpec) => one.name === 'DATABASE_WAIT')?.value)
    expect(wait).toBeGreaterThanOrEqual(600)
    expect(wait).toBeLessThan(activeDeadlineSeconds)
    expectRestricted(template.spec)
  })
})

test(`${mark}D086 the large overlay has images with digests`, () => {
  const images = charts
    .large!.of('Deployment')
    .map((object) => (object.spec as AnySpec).template.spec.containers[0].image)
  for (const image of images) expect(image).toMatch(/^murmuration(-media)?@sha256:[0-9a-f]{64}$/)
})

test(`${mark}the large overlay scales every role with a metric by it: by an age for the whole role, or by an average of its pods`, () => {
  const of = (key: string) => charts.large!.spec('HorizontalPodAutoscaler', key).metrics[1]
  expect(of('statuses-fanout')).toEqual({
    type: 'External',
    external: {
      metric: {
        name: 'murmuration_consumer_oldest_seconds',
        selector: { matchLabels: { service: 'statuses', role: 'fanout' } },
      },
      target: { type: 'Value', value: '30' },
    },
  })
  expect(of('streaming-ws')).toEqual({
    type: 'Pods',
    pods: {
      metric: { name: 'murmuration_streaming_connections' },
      target: { type: 'AverageValue', averageValue: '10000' },
    },
  })
  expect(of('gateway-client')).toBeUndefined()
})

test.each(roles.filter((role) => role.consumes).map(keyOf))(
  `${mark}the large overlay scales the consuming role %s by the age of its oldest message`,
  (key) => {
    const metric = charts.large!.spec('HorizontalPodAutoscaler', key).metrics[1]
    expect(metric?.external?.metric.name).toBe('murmuration_consumer_oldest_seconds')
  },
)
