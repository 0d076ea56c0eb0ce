/** Backlog metrics: each process reports pending count and age of its own consumers only. */
import { jetstreamManager } from '@murmuration/bus'
import { event, internal, job, operation } from '@murmuration/contracts/kit'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { startBacklog } from '../src/backlog.js'
import { type App, type BaseContext, handlersFor, registry, service } from '../src/index.js'

const echo = job('media.echo', { data: z.object({ word: z.string() }), concurrency: 1, about: 'Echoes.' })
const other = job('media.other', {
  data: z.object({ word: z.string() }),
  about: 'Belongs to a role that does not run.',
})
const said = event('media.word.said', { data: z.object({ word: z.string() }), about: 'A word was said.' })
const say = operation('media.word.say', {
  viewer: internal(),
  class: 'write',
  input: z.object({ word: z.string() }),
  output: z.object({}),
  about: 'Says a word: an event and a job.',
})
const { handle, react, work } = handlersFor<BaseContext>()

let release: () => void
let released: Promise<void>
const block = () => {
  released = new Promise((resolve) => {
    release = resolve
  })
}
const media: App = {
  manifest: service('media', {
    operations: [
      handle(say, (ctx, _viewer, { word }) =>
        ctx.db.tx(async (tx) => {
          await ctx.announce(tx, said, { word })
          await ctx.queue(tx, echo, { word })
          return {}
        }),
      ),
    ],
    jobs: [work(echo, () => released), work(other, async () => undefined)],
    announces: [said],
    roles: {
      worker: { operations: true, ticks: true, jobs: [echo], scales: 'words', needs: [] },
    },
  }),
  createContext: (base) => base,
}
const accounts: App = {
  manifest: service('accounts', {
    reactions: [react(said, 'on-word-said', () => released, { concurrency: 1 })],
    roles: { reactor: { reactions: true, scales: 'words', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  block()
  cluster = await startCluster({ apps: [media, accounts] })
})
beforeEach(() => block())
afterAll(async () => {
  release()
  await cluster?.stop()
})

const scrape = async (): Promise<Map<string, number>> => {
  const text = await (await fetch(`http://127.0.0.1:${cluster.host.healthPort}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('murmuration_consumer_'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}
const job_ = 'service="media",role="worker",consumer="media_echo"'
const reaction = 'service="accounts",role="reactor",consumer="accounts_on-word-said"'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('each consumer of the roles of a process has metrics, with zero while no message waits', async () => {
  await cluster.call(say, { word: 'first' })
  release()
  await cluster.waitForIdle()
  await expect
    .poll(async () => Object.fromEntries(await scrape()), { interval: 1_000 })
    .toEqual({
      [`murmuration_consumer_pending{${job_}}`]: 0,
      [`murmuration_consumer_oldest_seconds{${job_}}`]: 0,
      [`murmuration_consumer_pending{${reaction}}`]: 0,
      [`murmuration_consumer_oldest_seconds{${reaction}}`]: 0,
    })
})

test('the age grows while messages wait, is the same in every process, and is zero again when they are done', async () => {
  const began = Date.now()
  // One after the other, because simultaneous events share a message.
  for (let i = 0; i < 5; i++) {
    await cluster.call(say, { word: `word ${i}` })
    await pause(300)
  }
  const value = async (labels: string, metric: string) =>
    (await scrape()).get(`murmuration_consumer_${metric}{${labels}}`)
  for (const labels of [job_, reaction]) {
    await expect.poll(() => value(labels, 'pending'), { interval: 1_000 }).toBeGreaterThan(1)
    // The scraped value may be as old as the cache.
    const [early, age] = [(Date.now() - began) / 1_000 - 12, await value(labels, 'oldest_seconds')]
    expect(age).toBeGreaterThan(Math.max(0, early))
    expect(age).toBeLessThan((Date.now() - began) / 1_000 + 1)
  }

  // Two further processes with different roles: one with permission to read the stream, one without.
  const jsm = await jetstreamManager(cluster.operator(), { checkAPI: false })
  const reading = cluster.host.running[0]!.ctx.nc
  const own = await jetstreamManager(reading, { checkAPI: false })
  const watched = { stream: 'JOB_media', durable: 'media_echo', filter: echo.subject }
  const exact = startBacklog('media', own, [{ ...watched, own: true, roles: ['exact'] }])
  const again = startBacklog('media', own, [{ ...watched, own: true, roles: ['again'] }])
  const refused = startBacklog('media', jsm, [{ ...watched, own: true, roles: ['refused'] }])
  await Promise.all([exact, again, refused].map((one) => one.refresh()))
  const now = await scrape()
  const of = (role: string, metric: string) =>
    now.get(`murmuration_consumer_${metric}{service="media",role="${role}",consumer="media_echo"}`)
  expect(of('again', 'pending')).toBe(of('exact', 'pending'))
  expect(Math.abs((of('again', 'oldest_seconds') ?? 0) - (of('exact', 'oldest_seconds') ?? 99))).toBeLessThan(1)
  // The first message is in progress, and another may have been fetched.
  const elapsed = (Date.now() - began) / 1_000
  expect(of('exact', 'oldest_seconds')).toBeGreaterThan(elapsed - 6)
  expect(of('exact', 'oldest_seconds')).toBeLessThan(elapsed)
  // Without permission to read the stream, the age is at most that of the process.
  expect(of('refused', 'oldest_seconds')).toBeLessThan(5)
  for (const one of [exact, again, refused]) one.stop()
  expect([...(await scrape()).keys()].filter((name) => /exact|again|refused/.test(name))).toEqual([])

  release()
  await cluster.waitForIdle()
  for (const labels of [job_, reaction])
    for (const metric of ['pending', 'oldest_seconds'])
      await expect.poll(() => value(labels, metric), { interval: 1_000 }).toBe(0)
})

test('a scrape within ten seconds sends no request to the bus', async () => {
  release()
  await scrape()
  const { nc } = cluster.host.running[0]!.ctx
  const asked: string[] = []
  const request = nc.request.bind(nc)
  nc.request = (subject: string, ...rest: never[]) => {
    if (subject.includes('CONSUMER.INFO')) asked.push(subject)
    return request(subject, ...rest)
  }
  await Promise.all(Array.from({ length: 20 }, scrape))
  // At most one round of requests, and those of the consumers themselves.
  expect(asked.length).toBeLessThan(10)
  await expect.poll(async () => (await scrape()) && asked.length, { interval: 1_000 }).toBeGreaterThan(0)
  nc.request = request
  expect(registry.getSingleMetric('murmuration_consumer_oldest_seconds')).toBeDefined()
})
