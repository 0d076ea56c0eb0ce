/** Sending of queued deliveries: hosts that were blocked meanwhile, and failures of this server and of hosts. */
import { createPrivateKey } from 'node:crypto'
import { sha256Base64 } from '@murmuration/activitypub/signatures/digest'
import type { DomainRule } from '@murmuration/contracts/admin'
import { OutboundError, type OutboundRequest } from '@murmuration/outbound'
import { makeRsaKeys } from '@murmuration/testkit/outside/remote-actor'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { HostQueue, type Item } from './host-queue.js'
import { HEALTHY } from './host-queue.rules.js'
import type { Entry } from './ledger.js'
import { createSender, type SenderContext } from './sender.js'

const start = Date.parse('2026-11-21T12:00:00Z')
const seq = (BigInt(start) << 16n).toString()
let privateKey: Item['signer']['privateKey']
let entries: Entry[]
let asked: string[]
let empty: HostQueue[]
/** Response of the other server. */
let response: () => Promise<{ status: number }>
/** Runs before the result of an attempt is stored. */
let beforeStored: () => void
let isBlocked: boolean
let isKnown: boolean

beforeAll(async () => {
  privateKey = createPrivateKey((await makeRsaKeys()).privateKey)
})
beforeEach(() => {
  entries = []
  asked = []
  empty = []
  response = async () => ({ status: 202 })
  beforeStored = () => undefined
  isBlocked = false
  isKnown = true
})

const sender = () => {
  const rule = { domain: 'x.example', severity: 'suspend' } as DomainRule
  const ctx = {
    clock: { now: () => start },
    log: { warn: () => undefined, info: () => undefined },
    faults: { planned: false, reach: () => undefined },
    outbound: {
      request: async ({ url }: OutboundRequest) => {
        asked.push(new URL(url).pathname)
        return { ...(await response()), headers: {} }
      },
    },
    rules: {
      policy: { loaded: () => isKnown, domainRule: () => (isBlocked ? rule : null), allows: () => false },
      config: { limitedFederation: false, allowAddresses: [] },
    },
    ledger: {
      add(entry: Entry) {
        entries.push(entry)
        beforeStored()
        entry.onStored()
      },
      flush: async () => undefined,
    },
    refetchGoneActor: () => undefined,
    inFlight: 8,
    timeoutMs: 1_000,
  }
  return createSender(ctx as unknown as SenderContext, {
    onEmpty: (queue) => empty.push(queue),
    onWantsMore: () => undefined,
  })
}

const item = (actor: string, kind = 'Create', isActorDeletion = false): Item => {
  const body = Buffer.from('{}')
  return {
    activity: actor,
    inbox: actor,
    queue: '1',
    actor,
    about: `https://a/${actor}`,
    kind: 'Create',
    seq,
    attempts: 0,
    status: null,
    url: `https://x.example/${kind}/${actor}`,
    payload: {
      uri: `https://a/${actor}`,
      kind,
      isActorDeletion,
      forFollowers: false,
      target: null,
      body,
      sha256: sha256Base64(body),
    },
    signer: { actor: 'https://a', keyId: 'https://a#main-key', privateKey },
    synchronisation: null,
  }
}

const queueWith = (...items: Item[]): HostQueue => {
  const row = { id: '1', host: 'x.example', mine: true, pokes: 1, failures: 0, scheme: 0, scheme_at: null }
  const health = { paused_until: null, failed_days: null, unavailable_since: null, delivered_at: new Date(start) }
  const queue = new HostQueue({ ...row, ...health }, start)
  queue.enter('loading')
  return Object.assign(queue, { items })
}

test('a host that was blocked after its deliveries were read receives only kinds for blocked hosts', async () => {
  const gate = Promise.withResolvers<{ status: number }>()
  response = () => gate.promise
  const queue = queueWith(item('1'), item('2'), item('3'), item('4', 'Undo'), item('5', 'Delete', true), item('6'))
  sender().start(queue)
  await expect.poll(() => asked.length).toBe(2)
  isBlocked = true
  gate.resolve({ status: 202 })
  await expect.poll(() => empty).toEqual([queue])
  expect(asked.toSorted()).toEqual(['/Create/1', '/Create/2', '/Delete/5', '/Undo/4'])
  // The other deliveries are read again, and then refused.
  expect([queue.stale, entries.length]).toEqual([true, 4])
})

test('nothing is sent while the instance policy is unknown, and the host queue is read again', () => {
  isKnown = false
  const queue = queueWith(item('1'), item('2', 'Undo'))
  sender().start(queue)
  expect([asked, empty, queue.items, queue.stale]).toEqual([[], [queue], [], true])
})

test('deliveries that stay in the host queue of a healthy host are not read again', async () => {
  const queue = queueWith(item('1'), item('2'), item('3'))
  sender().start(queue)
  await expect.poll(() => empty).toEqual([queue])
  expect([asked.length, queue.stale]).toEqual([3, false])
})

const failing = (code: string) => async () => {
  throw new OutboundError('connect', 'connection failed', { cause: Object.assign(new Error(code), { code }) })
}

test.each(['EMFILE', 'EADDRNOTAVAIL', 'UND_ERR_CLOSED'])(
  'what fails here, %s, is put off without having counted, and nothing is held against the host',
  async (code) => {
    response = failing(code)
    const queue = queueWith(item('1'))
    sender().start(queue)
    await expect
      .poll(() => entries)
      .toMatchObject([{ result: null, putOffUntil: new Date(start + 60_000), health: null }])
    expect([queue.health, queue.stale]).toEqual([HEALTHY, false])
  },
)

test('a failure of the host counts as an attempt and as a failure of the host', async () => {
  response = failing('ECONNREFUSED')
  const queue = queueWith(item('1'))
  sender().start(queue)
  await expect.poll(() => entries).toMatchObject([{ result: { fate: { state: 'pending' } }, putOffUntil: null }])
  expect(queue.health).toMatchObject({ failures: 1, pausedUntil: expect.any(Number) })
})

test('a delivery of the same actor that is read before the result of a failure is stored is not sent', async () => {
  response = async () => ({ status: 500 })
  const queue = queueWith(item('1'))
  beforeStored = () => queue.items.push({ ...item('1'), activity: '2', about: 'https://a/2' })
  sender().start(queue)
  await expect.poll(() => empty).toEqual([queue])
  expect([asked.length, queue.items, queue.stale]).toEqual([1, [], true])
})

test('a delivery to a name with a refused address is retried, and the host is paused', async () => {
  response = async () => {
    throw new OutboundError('forbidden_address', 'an address is not public', { retryable: true })
  }
  const queue = queueWith(item('1'), item('2'))
  sender().start(queue)
  await expect.poll(() => empty).toEqual([queue])
  expect(entries.map(({ result }) => result?.fate.state)).toEqual(['pending', 'pending'])
  expect(queue.health.failures).toBeGreaterThan(0)
  expect(queue.health.pausedUntil).toBeGreaterThan(start)
})

test('a delivery to a URL with a refused address is refused permanently', async () => {
  response = async () => {
    throw new OutboundError('forbidden_address', 'the address is not public')
  }
  const queue = queueWith(item('1'))
  sender().start(queue)
  await expect.poll(() => entries).toMatchObject([{ result: { fate: { state: 'refused' } } }])
})

/** A probe that is sent instead of an earlier delivery of its actor, and another delivery of the actor. */
const probing = () => {
  const insteadOf = { ...item('0'), attempts: 5, status: null }
  return {
    insteadOf,
    queue: queueWith({ ...item('1'), insteadOf }, { ...item('1'), activity: '2', about: 'https://a/2' }),
  }
}

test('a failed probe counts as an attempt of the delivery that it was sent instead of, and its actor waits', async () => {
  response = failing('ECONNRESET')
  const { queue } = probing()
  sender().start(queue)
  await expect.poll(() => empty).toEqual([queue])
  expect(asked).toEqual(['/Create/1'])
  expect(entries).toMatchObject([
    { result: { activity: '1', fate: { state: 'pending' } }, head: { activity: '0', inbox: '0' } },
  ])
  // The wait after the sixth attempt is three hours, within 15 %.
  const nextAt = entries[0]?.head?.nextAt ?? 0
  expect([nextAt > start + 2.5 * 3_600_000, nextAt < start + 3.5 * 3_600_000]).toEqual([true, true])
})

test.each([202, 404])('after a probe with the status %i, the delivery before it is read again', async (status) => {
  response = async () => ({ status })
  const { queue } = probing()
  const deliveredBefore = queue.deliveredAt
  sender().start(queue)
  await expect.poll(() => asked.length).toBe(2)
  await expect.poll(() => empty).toEqual([queue])
  expect(entries.map((it) => it.head)).toEqual([null, null])
  expect(queue.stale).toBe(true)
  // The time of a success is stored, although the last one is recent.
  expect(entries[0]?.health === null).toBe(false)
  expect(queue.deliveredAt === deliveredBefore).toBe(status === 404)
})

test('after a failure of this server, the probe and the delivery before it are put off', async () => {
  response = failing('EMFILE')
  const { queue } = probing()
  sender().start(queue)
  await expect.poll(() => empty).toEqual([queue])
  expect(entries).toMatchObject([
    { activity: '1', result: null, head: { activity: '0', inbox: '0' }, putOffUntil: new Date(start + 60_000) },
  ])
})
