/** Deliveries of the only author of a host that does not respond to one of them: others are sent as probes, in an order that matters. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { favouriteCreated, favouriteRemoved, type NoteData } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSteps, hour, type Steps } from './delivery-steps.js'
import {
  announceEdited,
  createAccount,
  posted,
  remoteAccount,
  type SiblingServices,
  startSiblingServices,
} from './sibling-services.js'

let harness: SiblingServices
let steps: Steps
let ada: AccountRecord
/** Ids of activities to which the server does not respond. */
let poison: Set<string>
/** True: the server responds to no activity. */
let isDown: boolean
/** How the server fails. */
let failsWith: 'cut' | 'long' | 'bad gateway'
/** Ids of activities without and with a response, in the order of the requests. */
let tried: string[]
let taken: string[]
let origin: string
let close: () => Promise<void>

beforeAll(async () => {
  harness = await startSiblingServices()
  steps = createSteps(harness)
})
afterAll(() => harness.stop())
beforeEach(async () => {
  poison = new Set()
  isDown = false
  failsWith = 'cut'
  tried = []
  taken = []
  const server = await serve((request, raw) => {
    const { id } = JSON.parse(request.body.toString()) as { id: string }
    if (!isDown && !poison.has(id)) {
      taken.push(id)
      return { status: 202 }
    }
    tried.push(id)
    if (failsWith === 'long') return { status: 202, body: 'x'.repeat(2_000_000) }
    if (failsWith === 'bad gateway') return { status: 502 }
    raw.request.socket.destroy()
    return undefined
  })
  origin = server.origin
  close = server.close
  ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [`${origin}/inbox`])
})
afterEach(async () => {
  await harness.db('federation').run(sql`update deliveries set state = 3 where state = 0`)
  await close()
})

const createOf = (it: NoteData | undefined): string => `${it?.uri}/activity`
/** Posts a status to which the server does not respond. */
const poisoned = async (): Promise<NoteData> => {
  const it = await posted(harness, ada)
  poison.add(createOf(it))
  return it
}
const attempts = async (uri: string): Promise<number> => {
  const activity = sql`select id from activities where uri = ${uri}`
  const row = await harness
    .db('federation')
    .row<{ attempts: number }>(
      sql`select attempts::int from deliveries where activity_id = (${activity}) and state = 0`,
    )
  return row?.attempts ?? 0
}
/** Posts statuses, and waits until their deliveries are stored, in this order. Simultaneous events have no order. */
const several = async (count: number): Promise<NoteData[]> => {
  const all: NoteData[] = []
  for (let n = 0; n < count; n++) {
    all.push(await posted(harness, ada))
    await harness.waitForIdle()
  }
  return all
}
/** Moves the clock to each next attempt until the condition is true. Returns the time that passed. */
const untilTrue = async (isTrue: () => boolean): Promise<number> => {
  const begun = harness.ours.clock.now()
  for (let n = 0; n < 20 && !isTrue(); n++) await steps.untilDue(origin)
  return harness.ours.clock.now() - begun
}

describe.each(['cut', 'long', 'bad gateway'] as const)('a server that fails on one activity (%s)', (how) => {
  test('delays its only author for a limited time', async () => {
    failsWith = how
    // With a response to an earlier activity for one of the kinds only.
    if (how === 'long') await posted(harness, ada)
    const bad = await poisoned()
    await steps.waitForIdle()
    const hers = await several(2)
    const reply = await posted(harness, ada, {
      in_reply_to: bad.id,
      in_reply_to_author: ada.id,
      in_reply_to_uri: bad.uri,
    })
    await announceEdited(harness, bad)
    await harness.waitForIdle()
    expect(await untilTrue(() => taken.includes(createOf(hers[0])))).toBeLessThan(2 * hour)
    await steps.waitForIdle()
    expect(taken.slice(how === 'long' ? 1 : 0)).toEqual([...hers, reply].map(createOf))
    // The server accepted others, so the failed one keeps its own schedule.
    const before = tried.length
    expect(before).toBeLessThanOrEqual(6)
    const next = await posted(harness, ada)
    await steps.waitForIdle()
    expect([taken.at(-1), tried.length]).toEqual([createOf(next), before])
    poison.clear()
    steps.later(5 * hour)
    await steps.waitForIdle()
    // The edit waited for its status.
    expect(taken.slice(-2)).toEqual([createOf(bad), expect.stringContaining('#updates/')])
  })
})

test('a server that does not respond to two activities in a row delays their author for a limited time', async () => {
  const bad = [await poisoned(), await poisoned()]
  await steps.waitForIdle()
  const hers = await several(2)
  expect(await untilTrue(() => taken.includes(createOf(hers[0])))).toBeLessThan(7 * hour)
  // The first activity no longer delays others, and the second one has its first attempts.
  expect(await untilTrue(() => taken.includes(createOf(hers[1])))).toBeLessThan(2 * hour)
  expect(taken).toEqual(hers.map(createOf))
  poison.clear()
  steps.later(28 * hour)
  await steps.waitForIdle()
  expect(taken.slice(2).toSorted()).toEqual(bad.map(createOf).toSorted())
})

test('a server that is down gets one request per attempt of the first activity, and each later one at most once', async () => {
  await posted(harness, ada)
  await steps.waitForIdle()
  isDown = true
  const hers = await several(9)
  // The waits of the schedule up to the ninth attempt are 15 s, 1 min, 5 min, 15 min, 1 h, 3 h, 6 h and 12 h.
  expect(await untilTrue(() => tried.length === 9)).toBeGreaterThan(17 * hour)
  const [first = '', ...others] = hers.map(createOf)
  expect(tried).toEqual([...Array.from({ length: 5 }, () => first), ...others.slice(0, 4)])
  expect(await attempts(first)).toBe(tried.length)
  isDown = false
  await steps.untilDue(origin)
  const probe = others[4]
  expect(taken.slice(1)).toEqual([probe, first, ...others.filter((it) => it !== probe)])
  expect(tried.length).toBe(9)
})

test('no activity is sent before a Follow, Undo or other relation that was to be sent before it', async () => {
  const actor = { name: 'rita', id: `${origin}/users/rita`, inbox: `${origin}/inbox` }
  const rita = remoteAccount(harness, actor)
  const favourite = {
    status: '1',
    statusUri: `${origin}/1`,
    author: rita.id,
    authorLocal: false,
    by: ada.id,
    byLocal: true,
    uri: null,
  }
  const liked = { ...favourite, id: harness.nextId() }
  await harness.announce(favouriteCreated, liked)
  await steps.waitForIdle()
  isDown = true
  const hers = await several(2)
  await harness.announce(favouriteRemoved, liked)
  await harness.waitForIdle()
  hers.push(...(await several(2)))
  await untilTrue(() => tried.length === 9)
  const [first = '', second = '', ...others] = hers.map(createOf)
  // Only the second status may be sent before the first one.
  expect(tried.toSpliced(5, 1)).toEqual(Array.from({ length: 8 }, () => first))
  expect(tried[5]).toBe(second)
  isDown = false
  await steps.untilDue(origin)
  await steps.waitForIdle()
  expect(taken.slice(1)).toEqual([first, second, expect.stringContaining('undo'), ...others])
})
