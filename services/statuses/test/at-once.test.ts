/** Pages read at the same moment share queries and requests, and each viewer receives the same page as alone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { createCurrentStateLoader, createRevisionCache, loadPageOfStatuses } from '../src/core/viewer/loaded-status.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let author: FakeAccount
let fakeAccounts: FakeAccount[]
let ids: string[]
const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
beforeAll(async () => {
  harness = await startHarness()
  const { fakes } = harness
  author = fakes.fakeAccount('author')
  fakeAccounts = ['keen', 'saver', 'muter', 'filterer', 'blocker', 'blocked', 'plain'].map((name) =>
    fakes.fakeAccount(name),
  )
  const other = fakes.fakeAccount('other')
  ids = []
  for (let i = 0; i < 4; i++) ids.push((await harness.post(i === 3 ? other : author, `number ${i}`)).id)
  const [keen, saver, muter, filterer, blocker, blocked] = fakeAccounts as [
    FakeAccount,
    FakeAccount,
    FakeAccount,
    FakeAccount,
    FakeAccount,
    FakeAccount,
  ]
  const [first = '', second = '', third = ''] = ids
  await call(statuses.addFavourite, { id: first }, harness.as(keen))
  await call(statuses.addReblog, { id: second }, harness.as(keen))
  await call(statuses.addBookmark, { id: second }, harness.as(saver))
  await call(statuses.muteThread, { id: third }, harness.as(muter))
  await call(statuses.addPin, { id: first }, harness.as(author))
  await call(
    statuses.createFilter,
    { title: 'numbers', context: ['public', 'home'], keywords_attributes: [{ keyword: 'number' }] },
    harness.as(filterer),
  )
  fakes.block(blocker, author)
  fakes.block(author, blocked)
  await harness.cluster.waitForIdle()
})
afterAll(() => harness.stop())

const page = async (who: FakeAccount | null) => {
  const list = await call(statuses.listStatuses, { id: ids }, who && harness.as(who))
  return list.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

test('marks, filters and blocks of one viewer do not affect others', async () => {
  const readers = [author, ...fakeAccounts, null]
  const alone = []
  for (const who of readers) alone.push(await page(who))
  const [own, keen, saver, muter, filterer, blocker, blocked, plain, nobody] = alone
  expect(own?.[0]?.pinned).toBe(true)
  expect(keen?.map((one) => [one.favourited, one.reblogged])).toEqual([
    [true, false],
    [false, true],
    [false, false],
    [false, false],
  ])
  expect(saver?.map((one) => one.bookmarked)).toEqual([false, true, false, false])
  expect(muter?.map((one) => one.muted)).toEqual([false, false, true, false])
  expect(filterer?.map((one) => one.filtered?.length)).toEqual([1, 1, 1, 1])
  // A blocking viewer may read statuses by id; a blocked one may not.
  expect([blocker?.length, blocked?.length]).toEqual([4, 1])
  expect(plain?.some((one) => one.favourited || one.bookmarked || one.muted || one.filtered?.length)).toBe(false)
  expect(nobody?.[0]).not.toHaveProperty('favourited')
  for (let round = 0; round < 3; round++) expect(await Promise.all(readers.map(page))).toEqual(alone)
})

test('an edit or deletion applies to everyone who reads at that moment', async () => {
  const { id } = await harness.post(author, 'before')
  const gone = await harness.post(author, 'gone')
  const readers = fakeAccounts.slice(0, 4)
  const both = (who: FakeAccount) => call(statuses.listStatuses, { id: [id, gone.id] }, harness.as(who))
  await Promise.all(readers.map(both))
  await call(statuses.editStatus, { id, status: 'after' }, harness.as(author))
  await call(statuses.deleteStatus, { id: gone.id }, harness.as(author))
  for (const seen of await Promise.all(readers.map(both)))
    expect(seen.map((one) => one.content)).toEqual(['<p>after</p>'])
})

test('a failing request does not affect others at the same moment', async () => {
  const [keen] = fakeAccounts as [FakeAccount]
  const odd = call(statuses.listStatuses, { id: ['99999999999999999999999'] }, harness.as(keen)).catch(() => 'refused')
  const [seen] = await Promise.all([page(keen), odd])
  expect(seen).toHaveLength(4)
})

test('reading a long thread does not delay others at the same moment', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const [keen, saver] = fakeAccounts as [FakeAccount, FakeAccount]
  const revisionCache = createRevisionCache()
  await loadPageOfStatuses({ db: ctx.db, revisionCache, loadCurrentState: createCurrentStateLoader(ctx) }, keen.id, ids)
  const short = ids.flatMap((id) => revisionCache.get(id) ?? [])
  const [one] = short
  if (one === undefined) throw new Error('a status that was read is not known')
  const long = [...short, ...Array.from({ length: 4_000 }, (_, i) => ({ ...one, id: String(i + 1) }))]
  let queries = 0
  const rows: Context['db']['rows'] = (query) => {
    queries++
    return ctx.db.rows(query)
  }
  const read = createCurrentStateLoader({ db: { ...ctx.db, rows } })
  const pages = [
    { viewer: keen.id, known: long },
    { viewer: keen.id, known: short },
    { viewer: saver.id, known: short },
  ]
  const [thread, first, second] = await Promise.all(pages.map(read))
  expect(queries).toBe(2)
  expect([...(thread?.values() ?? [])]).toEqual([...(first?.values() ?? [])])
  expect([...(second?.values() ?? [])].map((status) => status.bookmarked)).toEqual([false, true, false, false])
})
