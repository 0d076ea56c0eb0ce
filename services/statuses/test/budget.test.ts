/** Cost of a page: the number of queries and requests does not grow with its length. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { currentRequest } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

let stage: Stage
let me: Person
let list: string
let thread: string
let queries = 0
const TAG = `budget${Date.now()}`
beforeAll(async () => {
  stage = await raise()
  const { world } = stage
  me = world.person('me')
  const authors = Array.from({ length: 10 }, (_, i) => world.person(`author${i}`))
  for (const author of authors) world.follow(me, author)
  list = world.list(me, authors).id
  thread = (await stage.post(me, 'root')).id
  for (let i = 0; i < 45; i++) {
    const author = authors[i % 10] as Person
    const status = await stage.post(author, {
      status: `@author${(i + 1) % 10} ${i} #${TAG}`,
      media_ids: i % 3 === 0 ? [world.file(author).id] : [],
      ...(i % 4 === 0 ? { in_reply_to_id: thread } : {}),
    })
    await stage.cluster.call(statuses.addFavourite, { id: status.id }, stage.as(me))
    await stage.cluster.call(statuses.addBookmark, { id: status.id }, stage.as(me))
    if (i % 5 === 0)
      await stage.cluster.call(statuses.addReblog, { id: status.id }, stage.as(authors[(i + 3) % 10] as Person))
  }
  await stage.cluster.settle()
  const running = stage.cluster.host.running.find((one) => one.service === 'statuses')
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
afterAll(() => stage.stop())

/** Id of the request whose queries are counted. */
const ASKED = 'budget'

const cost = async (operation: AnyOperation, input: Record<string, unknown>) => {
  queries = 0
  stage.world.asked.length = 0
  const answer = await stage.cluster.ask(operation, input as never, stage.as(me), { requestId: ASKED })
  const body = JSON.parse(new TextDecoder().decode(answer.bytes))
  const items = Array.isArray(body) ? body.length : body.descendants.length
  return { items, queries, requests: stage.world.asked.length }
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
for (const [name, operation, input, most] of pages)
  test(`${name} costs the same whatever its length`, async () => {
    const warm = await cost(operation, { ...input(), limit: 30 })
    expect(warm.items).toBe(30)
    const short = await cost(operation, { ...input(), limit: 5 })
    const long = await cost(operation, { ...input(), limit: 30 })
    table.push(`${name.padEnd(12)} ${long.queries} queries, ${long.requests} requests`)
    expect({ queries: short.queries, requests: short.requests }).toEqual(most)
    expect({ queries: long.queries, requests: long.requests }).toEqual(most)
  })

test('cached filters cost nothing more, for any number of filters', async () => {
  await cost(statuses.homeTimeline, { limit: 30 })
  const without = await cost(statuses.homeTimeline, { limit: 30 })
  const keywords_attributes = Array.from({ length: 50 }, (_, n) => ({ keyword: `word ${n}` }))
  const made: string[] = []
  for (let n = 0; n < 10; n++)
    made.push(
      (
        await stage.cluster.call(
          statuses.createFilter,
          { title: `${n}`, context: ['home'], keywords_attributes },
          stage.as(me),
        )
      ).id,
    )
  await cost(statuses.homeTimeline, { limit: 30 })
  expect(await cost(statuses.homeTimeline, { limit: 30 })).toEqual(without)
  for (const id of made) await stage.cluster.call(statuses.removeFilter, { id }, stage.as(me))
})

test('a thread costs the same whatever its length', async () => {
  await cost(statuses.showThread, { id: thread })
  const { items, queries: asked, requests } = await cost(statuses.showThread, { id: thread })
  table.push(`${'thread'.padEnd(12)} ${asked} queries, ${requests} requests`)
  expect(items).toBeGreaterThan(10)
  expect({ asked, requests }).toEqual({ asked: 4, requests: 1 })
})

test('an anonymous page causes no request to other services', async () => {
  queries = 0
  stage.world.asked.length = 0
  await stage.cluster.call(statuses.publicTimeline, { limit: 40 }, null, { requestId: ASKED })
  expect({ queries, requests: stage.world.asked.length }).toEqual({ queries: 2, requests: 0 })
  console.log(`cost of a warm page\n${table.join('\n')}`)
})

test('emoji reactions add one query to a page, whatever its length', async () => {
  const author = stage.world.person('reacted')
  const dan = stage.world.person('dan', { domain: 'far.example' })
  for (let i = 0; i < 24; i++) {
    const { uri } = await stage.post(author, `${i}`)
    const input = { what: 'favourite', actor: dan.id, object: uri, uri: `https://far.example/likes/${i}` }
    const reaction = { name: '🎉', emoji: null }
    await stage.cluster.call(statuses.applyRemoteInteraction, { ...input, reaction } as never)
  }
  await stage.cluster.settle()
  const page = (limit: number) => cost(statuses.accountTimeline, { id: author.id, limit })
  await page(24)
  const [long, short] = [await page(24), await page(4)]
  await stage.cluster.db('statuses').run(sql`update status_stats set reactions = 0`)
  const without = await page(24)
  expect([short.items, long.items]).toEqual([4, 24])
  expect(long.queries).toBe(without.queries + 1)
  expect(short.queries).toBe(long.queries)
  expect([short.requests, long.requests]).toEqual([without.requests, without.requests])
})

test('quotes and preview cards add at most two queries to a page, whatever its length', async () => {
  const pages = Array.from({ length: 12 }, (_, i) => `https://pages.example/${i}`)
  const db = stage.cluster.db('statuses')
  const author = stage.world.person('quoter')
  stage.world.follow(me, author)
  const first = await stage.post(author, 'quoted')
  let last = first.id
  for (const [i, url] of pages.entries()) {
    await db.run(sql`insert into previews (id, url, type, article, title, description, author_name, author_url, provider_name,
        provider_url, html, width, height, embed_url, image_description, fetched_at)
      values (${i + 1}, ${url}, 0, true, 't', 'd', '', '', 'p', '', '', 0, 0, '', '', now())`)
    const { id } = await stage.post(author, { status: `quote ${i}`, quoted_status_id: i % 2 ? first.id : last })
    const linked = await stage.post(author, `link ${i}`)
    await db.run(sql`update statuses set preview_id = ${i + 1} where id = ${linked.id}`)
    last = id
  }
  await stage.cluster.settle()
  const list = () => ({ id: author.id })
  await cost(statuses.accountTimeline, { ...list(), limit: 24 })
  const long = await cost(statuses.accountTimeline, { ...list(), limit: 24 })
  const short = await cost(statuses.accountTimeline, { ...list(), limit: 4 })
  console.log(`with quotes  ${long.queries} queries, ${long.requests} requests`)
  expect([short.items, long.items]).toEqual([4, 24])
  // Facts and ids as without quotes; then the quotes, and the quoted statuses that are not on the page.
  for (const { queries: asked, requests } of [short, long]) {
    expect(asked).toBeLessThanOrEqual(5)
    expect(requests).toBeLessThanOrEqual(3)
  }
})
