/** Checks of the streams of a service, with a bus in memory. */
import type { JetStreamManager, NatsConnection, StreamPlan } from '@murmuration/bus'
import { expect, onTestFinished, test } from 'vitest'
import type { Log } from './log.js'
import type { Outbox } from './outbox.js'
import { keepTopology } from './topology.js'

const log = { warn: () => undefined } as unknown as Log
const nc = { status: async function* () {} } as unknown as NatsConnection
const limits = { replicas: 1, maxBytes: 1 }
const notFound = Object.assign(new Error('stream not found'), { code: 10059 })

/** A bus without streams. `refuse` is called before each creation. */
const busOf = (refuse: (name: string) => void = () => undefined) => {
  const known = new Map<string, object>()
  const info = async (name: string) => {
    if (!known.has(name)) throw notFound
    return { config: known.get(name) }
  }
  const add = async (config: { name: string }) => {
    refuse(config.name)
    known.set(config.name, config)
  }
  return { known, jsm: { streams: { info, add, update: add } } as unknown as JetStreamManager }
}
const events: StreamPlan = { name: 'EVT_media', subjects: ['evt.media.>'], kind: 'events' }
const jobs: StreamPlan = { name: 'JOB_media', subjects: ['job.media.>'], kind: 'jobs' }
const live: StreamPlan = { name: 'LIVE', subjects: ['live.user.*'], kind: 'live' }

const keep = (streams: StreamPlan[], jsm: JetStreamManager, resend: Outbox['resend'], liveCheckMs?: number) => {
  const outbox = { resend } as Outbox
  const kept = keepTopology({
    streams,
    consumers: [],
    limits,
    nc,
    jsm,
    outbox,
    log,
    ...(liveCheckMs && { liveCheckMs }),
  })
  onTestFinished(() => kept.stop())
}

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
  keep([live], jsm, async () => 0, 50)
  await expect.poll(() => known.has('LIVE')).toBe(true)
  known.delete('LIVE')
  await expect.poll(() => known.has('LIVE')).toBe(true)
})
