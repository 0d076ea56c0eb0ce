/** Every role that an autoscaler of the large overlay scales by a metric exports it in a process with that role alone. */
import { readFile } from 'node:fs/promises'
import type { Product } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startWhole } from '../product.js'
import { type AnySpec, keyOf, lookUp, mark, roles, root } from './rendered.js'

interface Scaled {
  key: string
  /** Argument of `serve`. */
  word: string
  name: string
  labels: Record<string, string>
}

const { spec } = await lookUp('large')
const scaled: Scaled[] = roles.flatMap((role) => {
  const metrics = spec('HorizontalPodAutoscaler', keyOf(role)).metrics.slice(1) as AnySpec[]
  return metrics.map((one) => {
    const { name, selector } = (one.external ?? one.pods).metric
    return { key: keyOf(role), word: `${role.service}:${role.role}`, name, labels: selector?.matchLabels ?? {} }
  })
})

let product: Product
beforeAll(async () => {
  product = await startWhole({ table: Object.fromEntries(scaled.map(({ key, word }) => [key, [word]])) })
})
afterAll(() => product?.stop())

/** Label sets and values of one metric of a process. */
const scrape = async (key: string, metric: string) => {
  const port = product.processes.get(key)?.healthPort
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)]
    .filter((line) => line[1] === metric)
    .map(([, , labels = '', value]) => ({
      value: Number(value),
      labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map((one) => [one[1], one[2]])),
    }))
}

test('the roles with growing queues are scaled by a metric', () => {
  expect(scaled.map((one) => one.key)).toEqual(
    expect.arrayContaining([
      'statuses-fanout',
      'federation-inbox',
      'federation-deliver',
      'notifications-push',
      'media-worker',
      'streaming-ws',
    ]),
  )
})

test.each(scaled.map((one) => [one.key, one] as const))(
  `${mark}%s exports the metric of its autoscaler, with its labels`,
  async (key, { name, labels }) => {
    // Zero, because an idle process has no waiting messages and no connections.
    await expect
      .poll(() => scrape(key, name), { interval: 500 })
      .toContainEqual({
        value: 0,
        labels: expect.objectContaining(labels),
      })
    for (const series of await scrape(key, name)) expect(series.labels).toMatchObject(labels)
  },
)

test(`${mark}prometheus-adapter serves the metrics under the names in the autoscalers`, async () => {
  const { rules } = parse(await readFile(new URL('k8s/scaling/prometheus-adapter.yaml', root), 'utf8')) as AnySpec
  const served = (kind: string) => rules[kind].map((rule: AnySpec) => /^\w+/.exec(rule.seriesQuery)?.[0])
  const asked = roles.flatMap((role) => spec('HorizontalPodAutoscaler', keyOf(role)).metrics as AnySpec[])
  expect(served('external').sort()).toEqual([
    ...new Set(asked.flatMap((one) => one.external?.metric.name ?? []).sort()),
  ])
  expect(served('custom').sort()).toEqual([...new Set(asked.flatMap((one) => one.pods?.metric.name ?? []).sort())])
  // The maximum, because every pod of a role exports the same age.
  for (const rule of rules.external) expect(rule.metricsQuery).toMatch(/^max\(/)
})
