/** Activities that name objects or actors that are unavailable: they are retried, and end with a reason. */
import { openRedis } from '@murmuration/cache'
import { resolveAccount } from '@murmuration/contracts/accounts'
import { processActivity } from '@murmuration/contracts/federation'
import { statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { createMemoryCache } from '@murmuration/flow'
import { type Document, makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Context, createContext } from '../src/context.js'
import { storeActivities } from '../src/inbox/inbox.store.js'
import { process as work } from '../src/inbox/process.job.js'
import { readRelayed } from '../src/inbox/read-relayed.job.js'
import { createRequestLimits } from '../src/resolver/request-limits.js'
import { type Fixture, startFixture } from './fixture.js'
import { inboxEntry } from './inbox-entry.js'

let fixture: Fixture
let ctx: Context
beforeAll(async () => {
  fixture = await startFixture()
  const base = fixture.harness.host.running.find((one) => one.service === 'federation')?.ctx
  ctx = await createContext(base as Parameters<typeof createContext>[0])
})
afterAll(() => fixture.harness.stop())
afterEach(async () => {
  fixture.remote.repair()
  await fixture.harness.waitForIdle()
  expect(await fixture.harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

const db = () => fixture.harness.db('federation')
/** Number of refusals with this reason since the last call. */
const counted = async (reason: string): Promise<number> => {
  await ctx.refusals.flush()
  const rows = await db().rows<{ n: number }>(
    sql`with gone as (delete from inbox_refusals where stage = 'worker' and reason = ${reason} returning count)
      select coalesce(sum(count), 0)::int as n from gone`,
  )
  return rows[0]?.n ?? 0
}
const LAST = processActivity.retry.times

/** Actors whose last fetch failed. */
const clear = () => fixture.harness.clear()
/** Stores an activity as the inbox does, without a job. Returns its id. */
const keep = async (activity: Document): Promise<string> => {
  const [id, actor] = [activity.id as string, activity.actor as string]
  const about = { origin: new URL(actor).origin, activityId: id, type: activity.type as string, actor, ownerId: null }
  const kept = { id: ctx.ids.next(), ...about, body: JSON.stringify(activity) }
  return String((await db().tx((tx) => storeActivities(tx, [kept])))[0])
}
const run = (id: string, tries: number) => work.run(ctx, { ids: [id] }, { id: '1', tries })
const outcome = async (id: string) => {
  const entry = await inboxEntry(db(), id)
  return [entry?.outcome, entry?.reason].filter(Boolean).join(' ')
}
const away = (uri: string) => fixture.remote.behave({ kind: 'status', status: 503 }, { path: new URL(uri).pathname })

let n = 0
/** An activity of each type, and the object that must be fetched for it. */
const kinds: [string, () => Promise<{ activity: Document; missing: string }>][] = [
  [
    'a boosted status',
    async () => {
      const { id } = fixture.remote.addNote(fixture.vera, '<p>worth it</p>')
      return { activity: makeActivity(fixture.rita, 'Announce', id, { to: [PUBLIC] }), missing: id }
    },
  ],
  [
    'the author of a boosted status',
    async () => {
      const sam = await fixture.remote.addActor(`sam${++n}`)
      const { id } = fixture.remote.addNote(sam, '<p>by sam</p>')
      return { activity: makeActivity(fixture.rita, 'Announce', id, { to: [PUBLIC] }), missing: sam.id }
    },
  ],
  [
    'a pinned status',
    async () => {
      const { id } = fixture.remote.addNote(fixture.rita, '<p>first of all</p>')
      const target = `${fixture.rita.id}/collections/featured`
      if (fixture.rita.document.featured === undefined) {
        Object.assign(fixture.rita.document, { featured: target })
        expect(await fixture.sendActivity(fixture.rita, 'Update', fixture.rita.document)).toMatch(/^done/)
      }
      return { activity: makeActivity(fixture.rita, 'Add', id, { target }), missing: id }
    },
  ],
  [
    'the actor of what somebody passed on',
    async () => {
      const una = await fixture.remote.addActor(`una${++n}`)
      return { activity: makeActivity(una, 'Like', fixture.post.uri), missing: una.id }
    },
  ],
]

describe.each(kinds)('%s', (_name, make) => {
  test('is fetched by a later attempt', async () => {
    const { activity, missing } = await make()
    const stop = away(missing)
    const id = await keep(activity)
    await expect(run(id, 1)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await outcome(id)).toBe('')
    stop()
    await clear()
    await run(id, 2)
    expect(await outcome(id)).toBe('done')
  })

  test('that stays unavailable ends with a reason', async () => {
    const { activity, missing } = await make()
    away(missing)
    const id = await keep(activity)
    await run(id, LAST)
    expect(await outcome(id)).toBe('refused gave-up')
    expect(await counted('gave-up')).toBe(1)
  })
})

test.each(['status', 'author'])(
  'a relayed status is retried while its %s is unavailable, then dropped',
  async (what) => {
    const sam = await fixture.remote.addActor(`sam${++n}`)
    const { id: uri } = fixture.remote.addNote(sam, '<p>by sam</p>')
    const stop = away(what === 'status' ? uri : sam.id)
    const read = (tries: number) => readRelayed.run(ctx, { uri }, { id: '2', tries })
    const isHere = async () => (await fixture.harness.call(statusRecords, { uris: [uri] })).records.length > 0
    await expect(read(1)).rejects.toMatchObject({ code: 'unavailable' })
    await read(readRelayed.job.retry.times)
    expect(await isHere()).toBe(false)
    expect(await counted(what === 'status' ? 'object-later' : 'unknown-actor')).toBe(1)
    stop()
    await clear()
    await read(2)
    expect(await isHere()).toBe(true)
  },
)

test('a status that a relay announced is read again if the instance policy is not loaded, and counted if its server is blocked', async () => {
  const sam = await fixture.remote.addActor(`sam${++n}`)
  const { id: uri } = fixture.remote.addNote(sam, '<p>by sam</p>')
  const read = (policy: Partial<Context['policy']>) =>
    readRelayed.run({ ...ctx, policy: { ...ctx.policy, ...policy } }, { uri }, { id: '3', tries: 1 })
  const isHere = async () => (await fixture.harness.call(statusRecords, { uris: [uri] })).records.length > 0
  await expect(read({ loaded: () => false })).rejects.toMatchObject({ code: 'unavailable' })
  const rule = { domain: '127.0.0.1', severity: 'suspend' as const, reject_media: false, reject_reports: false }
  await read({ domainRule: () => ({ ...rule, stamp: 'block 1' }) })
  expect(await counted('object-host-is-blocked')).toBe(1)
  expect(await isHere()).toBe(false)
  await read({})
  expect(await isHere()).toBe(true)
})

test('hostile 106 fetches for activities do not use the rate limit of interactive fetches', async () => {
  const { harness, remote, rita, bob, note } = fixture
  const victim = await harness.server({ name: 'localhost' })
  const vera = await victim.addActor('vera')
  const other = await victim.addActor('other')
  const host = new URL(victim.origin).host
  // Uses up the limit of background fetches of this minute and the next.
  const minutes = [ctx.clock.now(), ctx.clock.now() + 60_000]
  const redis = await openRedis({ url: harness.env.REDIS_URL ?? '', name: 'test' })
  const spend = async (now: number) => {
    const local = createMemoryCache<number>({ max: 10, ttlMs: 1_000, now: () => now })
    const limits = createRequestLimits({ redis, prefix: `federation:${ctx.site.webDomain}`, now: () => now, local })
    await Promise.all(Array.from({ length: 200 }, () => limits.mayRequest(host, 'behind')))
  }
  await Promise.all(minutes.map(spend))
  await redis.close()

  const boosted = victim.addNote(vera, '<p>boosted</p>')
  const tag = [{ type: 'Mention', href: vera.id, name: `@vera@${host}` }]
  const naming = remote.addNote(await remote.addActor(`sam${++n}`), '<p>@vera</p>', { tag })
  const later = [
    makeActivity(rita, 'Announce', boosted.id, { to: [PUBLIC] }),
    makeActivity(rita, 'Move', rita.id, { target: vera.id }),
    makeActivity(vera, 'Like', fixture.post.uri),
  ]
  for (const activity of later)
    await expect(run(await keep(activity), 1)).rejects.toMatchObject({ code: 'unavailable' })
  const done = [
    makeActivity(rita, 'Create', note(rita, { tag, cc: [bob.uri] })),
    makeActivity(rita, 'Announce', naming.id, { to: [PUBLIC] }),
  ]
  for (const activity of done) {
    const id = await keep(activity)
    await run(id, 1)
    expect(await outcome(id)).toBe('done')
  }
  expect(victim.requests.all.map((one) => one.path)).toEqual([])
  // Interactive fetches are still permitted.
  expect((await harness.call(resolveAccount, { uri: other.id })).record?.uri).toBe(other.id)
})

test('an activity that failed twice is held outside the bus until its next attempt', async () => {
  const { id: uri } = fixture.remote.addNote(fixture.vera, '<p>far away</p>')
  const stop = away(uri)
  const announce = () => makeActivity(fixture.rita, 'Announce', uri, { to: [PUBLIC] })
  const [id, other] = [await keep(announce()), await keep(announce())]
  await work.run(ctx, { ids: [id, other], tried: 2 }, { id: '1', tries: 1 })
  expect(await db().rows(sql`select tries, due_at > now() + interval '25 s' as later from held_activities`)).toEqual([
    { tries: 3, later: true },
    { tries: 3, later: true },
  ])
  expect([await outcome(id), await outcome(other)]).toEqual(['', ''])
  await work.run(ctx, { ids: [other], tried: LAST - 1 }, { id: '1', tries: 1 })
  expect(await outcome(other)).toBe('refused gave-up')
  stop()
  await clear()
  await db().run(sql`update held_activities set due_at = now() - interval '1 second'`)
  await expect.poll(() => outcome(id)).toBe('done')
  expect(await outcome(other)).toBe('refused gave-up')
})
