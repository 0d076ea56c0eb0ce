/** Checks of the streams of a service, with a bus in memory. */
import type { ConsumerPlan, JetStreamManager, NatsConnection, StreamPlan } from '@murmuration/bus'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from './log.js'
import type { Outbox } from './outbox.js'
import { keepTopology } from './topology.js'

const log = { warn: () => undefined } as unknown as Log
const nc = { status: async function* () {} } as unknown as NatsConnection
const limits = { replicas: 1, maxBytes: 1 }
const notFound = Object.assign(new Error('stream not found'), { code: 10059 })

interface ConsumerConfig {
  durable_name: string
}
/** A bus without streams. `refuse` is called before each creation. */
const busOf = (refuse: (name: string) => void = () => undefined) => {
  const known = new Map<string, object>()
  const consumersOf = new Map<string, ConsumerConfig[]>()
  const info = async (name: string) => {
    if (!known.has(name)) throw notFound
    return { config: known.get(name) }
  }
  const add = async (config: { name: string }) => {
    refuse(config.name)
    known.set(config.name, config)
  }
  const consumers = {
    async *list(stream: string) {
      await info(stream)
      for (const config of consumersOf.get(stream) ?? []) yield { name: config.durable_name, config }
    },
    add: async (stream: string, config: ConsumerConfig) => {
      refuse(config.durable_name)
      consumersOf.set(stream, [...(consumersOf.get(stream) ?? []), config])
    },
    update: async () => undefined,
  }
  return { known, consumersOf, jsm: { streams: { info, add, update: add }, consumers } as unknown as JetStreamManager }
}
const events: StreamPlan = { name: 'EVT_media', subjects: ['evt.media.>'], kind: 'events' }
const jobs: StreamPlan = { name: 'JOB_media', subjects: ['job.media.>'], kind: 'jobs' }
const live: StreamPlan = { name: 'LIVE', subjects: ['live.user.*'], kind: 'live' }

const keep = (
  streams: StreamPlan[],
  jsm: JetStreamManager,
  resend: Outbox['resend'],
  { liveCheckMs, consumers = [] }: { liveCheckMs?: number; consumers?: ConsumerPlan[] } = {},
) => {
  const outbox = { resend } as Outbox
  const kept = keepTopology({
    streams,
    consumers,
    limits,
    nc,
    jsm,
    outbox,
    log,
    ...(liveCheckMs && { liveCheckMs }),
  })
  onTestFinished(() => kept.stop())
  return kept
}
const consumer = (stream: string, durable: string): ConsumerPlan => ({
  stream,
  durable,
  filter: 'x',
  ackWaitMs: 1,
  maxAckPending: 1,
})

test('messages of a created stream are sent again after a check in which another stream or the database failed', async () => {
  let refusals = 2
  const { jsm } = busOf((name) => {
    if (name === jobs.name && refusals-- > 0) throw new Error('refused')
  })
  const resent: string[] = []
  let failures = 1
  keep([events, jobs], jsm, async (kind) => {
    if (failures-- > 0) throw new Error('no database')
    resent.push(kind)
    return 1
  })
  await expect.poll(() => resent).toEqual(['evt', 'job'])
})

test('a lost live stream is created again before the next check of everything', async () => {
  const { known, jsm } = busOf()
  keep([live], jsm, async () => 0, { liveCheckMs: 50 })
  await expect.poll(() => known.has('LIVE')).toBe(true)
  known.delete('LIVE')
  await expect.poll(() => known.has('LIVE')).toBe(true)
})

test('a refused stream or consumer is named, does not prevent the others, and is created when the bus accepts it', async () => {
  let refuses = true
  const { known, consumersOf, jsm } = busOf((name) => {
    if (refuses && [jobs.name, 'media_b'].includes(name)) throw new Error(`no ${name}`)
  })
  const consumers = ['media_a', 'media_b', 'media_c'].map((durable) => consumer(events.name, durable))
  const kept = keep([events, jobs], jsm, async () => 0, { consumers })
  expect(kept.missing([])).toBe('streams and consumers were not checked yet (and 1 more)')
  await expect
    .poll(() => kept.missing(['media_a', 'media_b']))
    .toBe('the stream JOB_media is missing: no JOB_media (and 1 more)')
  expect([...known.keys()]).toEqual([events.name])
  expect(consumersOf.get(events.name)?.map((one) => one.durable_name)).toEqual(['media_a', 'media_c'])
  refuses = false
  await expect.poll(() => kept.missing(['media_a', 'media_b'])).toBeNull()
})

test('a role misses only its own consumers', async () => {
  const { jsm } = busOf((name) => {
    if (name === 'media_b') throw new Error('no permission')
  })
  const kept = keep([events], jsm, async () => 0, {
    consumers: ['media_a', 'media_b'].map((durable) => consumer(events.name, durable)),
  })
  await expect.poll(() => kept.missing(['media_b'])).toBe('the consumer media_b of EVT_media is missing: no permission')
  expect(kept.missing(['media_a'])).toBeNull()
})

test('the missing stream of another service is not reported', async () => {
  const { jsm } = busOf()
  const kept = keep([events], jsm, async () => 0, { consumers: [consumer('EVT_accounts', 'media_a')] })
  await expect.poll(() => kept.missing(['media_a'])).toBeNull()
})

test('while the bus does not respond, the reported state stays', async () => {
  const { jsm } = busOf()
  const kept = keep([events], jsm, async () => 0, { consumers: [consumer(events.name, 'media_a')] })
  await expect.poll(() => kept.missing(['media_a'])).toBeNull()
  let requests = 0
  jsm.streams.info = async () => {
    requests++
    throw new Error('timeout')
  }
  kept.check()
  await expect.poll(() => requests, { timeout: 10_000 }).toBeGreaterThan(1)
  expect(kept.missing(['media_a'])).toBeNull()
})
