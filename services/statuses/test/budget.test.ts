/** Cost of a page: the number of queries and requests does not grow with its length. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { currentRequest } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { showThreadAround } from '../src/thread/around.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let me: FakeAccount
let list: string
let thread: string
let queries = 0
const TAG = `budget${Date.now()}`
beforeAll(async () => {
  harness = await startHarness()
  const { fakes } = harness
  me = fakes.fakeAccount('me')
  const authors = Array.from({ length: 10 }, (_, i) => fakes.fakeAccount(`author${i}`))
  for (const author of authors) fakes.follow(me, author)
  list = fakes.list(me, authors).id
  thread = (await harness.post(me, 'root')).id
  for (let i = 0; i < 45; i++) {
    const author = authors[i % 10] as FakeAccount
    const status = await harness.post(author, {
      status: `@author${(i + 1) % 10} ${i} #${TAG}`,
      media_ids: i % 3 === 0 ? [fakes.file(author).id] : [],
      ...(i % 4 === 0 ? { in_reply_to_id: thread } : {}),
    })
    await harness.cluster.call(statuses.addFavourite, { id: status.id }, harness.as(me))
    await harness.cluster.call(statuses.addBookmark, { id: status.id }, harness.as(me))
    if (i % 5 === 0)
      await harness.cluster.call(
        statuses.addReblog,
        { id: status.id },
        harness.as(authors[(i + 3) % 10] as FakeAccount),
      )
  }
  await harness.cluster.waitForIdle()
  const running = harness.cluster.host.running.find((one) => one.service === 'statuses')
  const db = running?.ctx.db
  if (!db) throw new Error('statuses does not run')
  for (const verb of ['rows', 'row', 'run'] as const) {
    const real = db[verb].bind(db) as (...given: unknown[]) => unknown
    Object.assign(db, {
      [verb]: (...given: unknown[]) => {
        // Queries of other requests at the same moment do not count.
        if (currentRequest()?.requestId === ASKED) queries++
        return real(...given)
      },
    })
  }
})
afterAll(() => harness.stop())

/** Id of the request whose queries are counted. */
const ASKED = 'budget'

const cost = async (operation: AnyOperation, input: Record<string, unknown>) => {
  queries = 0
  harness.fakes.asked.length = 0
  const answer = await harness.cluster.request(operation, input as never, harness.as(me), { requestId: ASKED })
  const body = JSON.parse(new TextDecoder().decode(answer.bytes))
  const items = Array.isArray(body) ? body.length : body.descendants.length
  return { items, queries, requests: harness.fakes.asked.length }
}

const pages: [string, AnyOperation, () => Record<string, unknown>, { queries: number; requests: number }][] = [
  ['home', statuses.homeTimeline, () => ({}), { queries: 1, requests: 1 }],
  ['list', statuses.listTimeline, () => ({ id: list }), { queries: 1, requests: 2 }],
  ['public', statuses.publicTimeline, () => ({}), { queries: 2, requests: 2 }],
  ['tag', statuses.tagTimeline, () => ({ hashtag: TAG }), { queries: 3, requests: 1 }],
  ['favourites', statuses.listFavourites, () => ({}), { queries: 2, requests: 1 }],
  ['bookmarks', statuses.listBookmarks, () => ({}), { queries: 2, requests: 1 }],
]

const table: string[] = []
for (const [name, operation, input, max] of pages)
  test(`${name} costs the same whatever its length`, async () => {
    const warm = await cost(operation, { ...input(), limit: 30 })
    expect(warm.items).toBe(30)
    const short = await cost(operation, { ...input(), limit: 5 })
    const long = await cost(operation, { ...input(), limit: 30 })
    table.push(`${name.padEnd(12)} ${long.queries} queries, ${long.requests} requests`)
    expect({ queries: short.queries, requests: short.requests }).toEqual(max)
    expect({ queries: long.queries, requests: long.requests }).toEqual(max)
  })

test('cached filters cost nothing more, for any number of filters', async () => {
  await cost(statuses.homeTimeline, { limit: 30 })
  const without = await cost(statuses.homeTimeline, { limit: 30 })
  const keywords_attributes = Array.from({ length: 50 }, (_, n) => ({ keyword: `word ${n}` }))
  const made: string[] = []
  for (let n = 0; n < 10; n++)
    made.push(
      (
        await harness.cluster.call(
          statuses.createFilter,
          { title: `${n}`, context: ['home'], keywords_attributes },
          harness.as(me),
        )
      ).id,
    )
  await cost(statuses.homeTimeline, { limit: 30 })
  expect(await cost(statuses.homeTimeline, { limit: 30 })).toEqual(without)
  for (const id of made) await harness.cluster.call(statuses.removeFilter, { id }, harness.as(me))
})

test('a thread costs the same whatever its length', async () => {
  await cost(statuses.showThread, { id: thread })
  const { items, queries: asked, requests } = await cost(statuses.showThread, { id: thread })
  table.push(`${'thread'.padEnd(12)} ${asked} queries, ${requests} requests`)
  expect(items).toBeGreaterThan(10)
  expect({ asked, requests }).toEqual({ asked: 4, requests: 1 })
})

test('the statuses of a thread are read while the relationships are requested', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  await showThreadAround(ctx, me.id, thread)
  const gate = Promise.withResolvers<void>()
  const started: string[] = []
  const shown = showThreadAround(
    Object.assign(Object.create(ctx), {
      relationships: async (question: Parameters<Context['relationships']>[0]) => {
        started.push('relationships')
        await gate.promise
        return ctx.relationships(question)
      },
      loadCurrentState: (page: Parameters<Context['loadCurrentState']>[0]) => {
        started.push('current state')
        return ctx.loadCurrentState(page)
      },
    }),
    me.id,
    thread,
  )
  await vi.waitFor(() => expect(started.sort()).toEqual(['current state', 'relationships'])).finally(gate.resolve)
  expect(JSON.parse(await shown).descendants.length).toBeGreaterThan(10)
})

test('an anonymous page causes no request to other services', async () => {
  queries = 0
  harness.fakes.asked.length = 0
  await harness.cluster.call(statuses.publicTimeline, { limit: 40 }, null, { requestId: ASKED })
  expect({ queries, requests: harness.fakes.asked.length }).toEqual({ queries: 2, requests: 0 })
  console.log(`cost of a warm page\n${table.join('\n')}`)
})

test('emoji reactions add one query to a page, whatever its length', async () => {
  const author = harness.fakes.fakeAccount('reacted')
  const dan = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
  for (let i = 0; i < 24; i++) {
    const { uri } = await harness.post(author, `${i}`)
    const input = { what: 'favourite', actor: dan.id, object: uri, uri: `https://far.example/likes/${i}` }
    const reaction = { name: '🎉', emoji: null }
    await harness.cluster.call(statuses.applyRemoteInteraction, { ...input, reaction } as never)
  }
  await harness.cluster.waitForIdle()
  const page = (limit: number) => cost(statuses.accountTimeline, { id: author.id, limit })
  await page(24)
  const [long, short] = [await page(24), await page(4)]
  await harness.cluster.db('statuses').run(sql`update status_stats set reactions = 0`)
  const without = await page(24)
  expect([short.items, long.items]).toEqual([4, 24])
  expect(long.queries).toBe(without.queries + 1)
  expect(short.queries).toBe(long.queries)
  expect([short.requests, long.requests]).toEqual([without.requests, without.requests])
})

test('quotes and preview cards add at most two queries to a page, whatever its length', async () => {
  const pages = Array.from({ length: 12 }, (_, i) => `https://pages.example/${i}`)
  const db = harness.cluster.db('statuses')
  const author = harness.fakes.fakeAccount('quoter')
  harness.fakes.follow(me, author)
  const first = await harness.post(author, 'quoted')
  let last = first.id
  for (const [i, url] of pages.entries()) {
    await db.run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url, provider_name,
        provider_url, html, width, height, embed_url, image_description, fetched_at)
      values (${i + 1}, ${url}, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', '', now())`)
    const { id } = await harness.post(author, { status: `quote ${i}`, quoted_status_id: i % 2 ? first.id : last })
    const linked = await harness.post(author, `link ${i}`)
    await db.run(sql`update statuses set preview_id = ${i + 1} where id = ${linked.id}`)
    last = id
  }
  await harness.cluster.waitForIdle()
  const list = () => ({ id: author.id })
  await cost(statuses.accountTimeline, { ...list(), limit: 24 })
  const long = await cost(statuses.accountTimeline, { ...list(), limit: 24 })
  const short = await cost(statuses.accountTimeline, { ...list(), limit: 4 })
  console.log(`with quotes  ${long.queries} queries, ${long.requests} requests`)
  expect([short.items, long.items]).toEqual([4, 24])
  // Ids and statuses as without quotes; then the quotes, and the quoted statuses that are not on the page.
  for (const { queries: asked, requests } of [short, long]) {
    expect(asked).toBeLessThanOrEqual(5)
    expect(requests).toBeLessThanOrEqual(3)
  }
})

test('a thread leaves out its longest statuses if their texts or its JSON have too many bytes', async () => {
  const ids: string[] = []
  const reply = async () => {
    const { id } = await harness.post(me, { status: 'long', in_reply_to_id: ids.at(-1) })
    ids.push(id)
  }
  for (let n = 0; n < 5; n++) await reply()
  await harness.cluster.waitForIdle()
  const lengths = [1, 3_000_000, 3_500_000, 3_000_000, 1]
  await harness.cluster.db('statuses').run(sql`update statuses s set html = repeat('x', one.length), rev = rev + 1
    from unnest(${ids}::bigint[], ${lengths}::int[]) as one(id, length) where s.id = one.id`)
  const around = async (id = '') => {
    const { ancestors, descendants } = await harness.cluster.call(statuses.showThread, { id }, harness.as(me))
    return { ancestors: ancestors.map((one) => one.id), descendants: descendants.map((one) => one.id) }
  }
  expect(await around(ids[0])).toEqual({ ancestors: [], descendants: [ids[1], ids[3], ids[4]] })
  expect(await around(ids[4])).toEqual({ ancestors: [ids[0], ids[1], ids[3]], descendants: [] })
})
