/** Reading of due deliveries while a delivery of the same host fails. */
import { createPrivateKey } from 'node:crypto'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { expect, test } from 'vitest'
import type { Signer } from '../core/signature/signers.js'
import type { Due } from './delivery.store.js'
import { HostQueue } from './host-queue.js'
import { createLoader } from './loader.js'
import type { Payload } from './payload.js'

const start = Date.parse('2026-11-21T12:00:00Z')
const seq = (BigInt(start) << 16n).toString()

const due = (activity: string, queue: string, actor: string): Due => ({
  activity,
  inbox: activity,
  queue,
  actor,
  about: `https://a/${activity}`,
  kind: 'Create',
  seq,
  attempts: 0,
  status: null,
  url: `https://${queue}.example/inbox`,
})

const hostQueueOf = (id: string): HostQueue => {
  const row = { id, host: `${id}.example`, mine: true, pokes: 1, failures: 0, scheme: 0, scheme_at: null }
  const health = { paused_until: null, failed_days: null, unavailable_since: null, delivered_at: new Date(start) }
  return new HostQueue({ ...row, ...health }, start)
}

/** Loads these deliveries. `meanwhile` runs after the rows are read, and before the payloads are. */
const load = async (rows: readonly Due[], queues: readonly HostQueue[], meanwhile: () => void): Promise<void> => {
  const privateKey = createPrivateKey((await makeRsaKeys()).privateKey)
  const signer: Signer = { actor: 'https://a', keyId: 'https://a#main-key', privateKey }
  const payload = { forFollowers: false } as Payload
  const loader = createLoader({
    db: { rows: async () => rows },
    clock: { now: () => start, date: () => new Date(start) },
    log: {},
    payloads: {
      many: async (ids: readonly string[]) => {
        meanwhile()
        return new Map(ids.map((id) => [id, payload]))
      },
    },
    signers: { many: async (ids: readonly string[]) => new Map(ids.map((id) => [id, signer])) },
    synchronisation: { many: async () => new Map() },
  } as unknown as Parameters<typeof createLoader>[0])
  await loader.load(queues, 10)
}
const itemsOf = (queue: HostQueue): string[] => queue.items.map((it) => it.activity)

test('deliveries that were read before a delivery of their host failed are read again', async () => {
  const [one, two] = [hostQueueOf('1'), hostQueueOf('2')]
  const rows = [due('a', '1', '7'), due('b', '1', '8'), due('c', '2', '7')]
  await load(rows, [one, two], () => one.removeBlocked({ activity: 'x', actor: '7' }))
  expect([itemsOf(one), one.stale]).toEqual([[], true])
  // Deliveries to other hosts do not wait.
  expect([itemsOf(two), two.stale]).toEqual([['c'], false])
  await load(rows.slice(0, 2), [one], () => undefined)
  expect([itemsOf(one), one.stale]).toEqual([['a', 'b'], false])
})

test('deliveries are queued if a delivery failed before they were read', async () => {
  const queue = hostQueueOf('1')
  queue.removeBlocked({ activity: 'x', actor: '7' })
  await load([due('a', '1', '7')], [queue], () => undefined)
  expect([itemsOf(queue), queue.stale]).toEqual([['a'], false])
})
