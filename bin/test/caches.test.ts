/** Commands for feeds and caches, on running services. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import { createAccountByOperator, createFollow, createList } from '@murmuration/contracts/accounts'
import { buildFeeds, listAuditLog } from '@murmuration/contracts/admin'
import { cachesManaged, createStatus, homeTimeline, showStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
let redis: ReturnType<typeof createClient>
let alice: string
let bob: string
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, admin, media, statuses], env: { MEDIA_FFMPEG: 'off' } })
  operator = await connectOperator({ ...process.env, ...cluster.env })
  redis = createClient({ url: cluster.env.REDIS_URL ?? '' })
  await redis.connect()
  const make = async (username: string) => {
    const input = { username, email: `${username}@mail.example`, confirmed: true }
    return (await cluster.call(createAccountByOperator, input)).id
  }
  ;[alice, bob] = [await make('alice'), await make('bob')]
  await cluster.call(createFollow, { id: bob }, viewer(alice))
  await cluster.call(createList, { title: 'some' }, viewer(alice))
  await cluster.waitForIdle()
})
afterAll(async () => {
  await operator.close()
  redis.destroy()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const feeds = async (): Promise<string[]> => (await redis.keys('statuses:feed:*')).toSorted()
const home = async (who: string) =>
  JSON.parse(
    new TextDecoder().decode((await cluster.request(homeTimeline, { limit: 20 } as never, viewer(who))).bytes),
  ) as { id: string }[]

test('feeds of one account or of all recently active ones are rebuilt, and cleared without a loss', async () => {
  const { id } = (await cluster.call(createStatus, { status: 'hello' }, viewer(bob))) as { id: string }
  await cluster.waitForIdle()
  const before = await feeds()
  if (before.length > 0) await redis.del(before)
  expect(await ctl('feed', 'build', 'alice', '--dry-run')).toBe('Would build 2 feeds of 1 accounts')
  expect(await feeds()).toEqual([])
  expect(await ctl('feed', 'build', 'alice')).toBe('2 feeds of 1 accounts built')
  expect(await feeds()).toEqual([`statuses:feed:home:${alice}`, expect.stringContaining(`statuses:feed:list:${alice}`)])
  expect(await redis.zRange(`statuses:feed:home:${alice}`, 0, -1)).toEqual(['!', id.padStart(19, '0')])
  await cluster
    .db('accounts')
    .run(sql`update users set active_at = now() - interval '31 days' where account_id = ${bob}`)
  // Fan-out no longer fills the feed of this account, so a built feed would have a gap later.
  expect(await ctl('feed', 'build', 'bob')).toBe('0 feeds of 1 accounts built')
  expect(await redis.exists(`statuses:feed:home:${bob}`)).toBe(0)
  for (const account_id of ['1', '0'])
    await expect(operator.call(buildFeeds, { account_id })).rejects.toMatchObject({ code: 'not_found' })
  expect(await dataOf(operator, 'feed', 'build', '--all')).toMatchObject({ state: 'done', seen: 1, changed: 2 })
  expect(await ctl('feed', 'clear', '--dry-run')).toBe('Would clear 3 feeds of 2 accounts')
  expect((await feeds()).length).toBe(2)
  expect(await ctl('feed', 'clear')).toBe('3 feeds of 2 accounts cleared')
  expect(await feeds()).toEqual([])
  expect((await home(alice)).map((one) => one.id)).toEqual([id])
  expect(await runWords(operator, 'feed', 'build', 'nobody_here')).toMatchObject({ status: 1 })
})

test('a cleared cache is filled again, and nothing else in Redis changes', async () => {
  const { id } = (await cluster.call(createStatus, { status: 'cached' }, viewer(bob))) as { id: string }
  await redis.set('gateway:limit:test', '1')
  const cards = async () => (await redis.keys('statuses:card:*')).filter((key) => key.includes(id)).length
  const show = () => cluster.call(showStatus, { id }, viewer(alice))
  expect(await ctl('cache', 'clear', '--dry-run')).toBe('Would clear: statuses, translations')
  expect(await ctl('cache', 'clear', 'translations')).toBe('Cleared within 15 seconds: translations')
  await show()
  // The cards are not in Redis yet, because the process that created the status has them in memory.
  expect(await cards()).toBe(0)
  expect(await dataOf(operator, 'cache', 'clear')).toEqual({ kinds: ['statuses', 'translations'], within: 15 })
  await expect.poll(async () => (await show()) && cards()).toBe(1)
  await ctl('cache', 'clear', 'statuses')
  // The entry in memory expires, and the next read fills Redis.
  await expect.poll(async () => (await show()) && cards()).toBe(2)
  expect(await redis.get('gateway:limit:test')).toBe('1')
  await cluster.waitForIdle()
  const { entries } = await cluster.call(listAuditLog, {})
  const names = entries.map((one) => one.action)
  // Entries about one account have its name, and those about all accounts have none.
  const targets = entries.filter((one) => /_feeds$/.test(one.action)).map((one) => one.target)
  expect(targets.toSorted()).toEqual(['', '', 'alice', 'bob'])
  expect([cachesManaged.name, names.filter((one) => one === 'clear_caches').length]).toEqual([
    'statuses.cache.managed',
    3,
  ])
  expect(names.filter((one) => one === 'build_feeds' || one === 'clear_feeds').length).toBe(4)
})
