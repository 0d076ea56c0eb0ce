/** Tests of replaced avatars and headers of remote accounts: deleted after an hour, unless they are shown again. */
import { app as accounts } from '@murmuration/accounts'
import type { Context as AccountsContext } from '@murmuration/accounts/context'
import { picturesReplaced, putRemote, type RemoteActor } from '@murmuration/contracts/accounts'
import { cleanUpReplaced, proxyUrls } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { type Cluster, holding, plansOf, remoteActor, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { markReplaced, replacedPictures } from '../src/core/picture/store.js'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, app], env: { MEDIA_FFMPEG: 'off' } })
})
afterAll(() => cluster.stop())

const db = () => cluster.db('media')
const ctx = () => cluster.host.running.find((one) => one.service === 'accounts')?.ctx as AccountsContext
const HOST = 'https://remote.example'
let count = 0
let name = ''
beforeEach(() => {
  name = `rita${++count}`
})

const actor = (avatar_url: string | null, header_url: string | null = null): RemoteActor =>
  remoteActor(name, 'remote.example', { avatar_url, header_url })
const put = async (...pictures: Parameters<typeof actor>): Promise<string> => {
  const { record } = await cluster.call(putRemote, { actor: actor(...pictures) })
  await cluster.waitForIdle()
  return record.id
}
const pictures = async (owner: string) =>
  (
    await db().rows<{ remote_url: string }>(
      sql`select remote_url from pictures where owner = ${owner} order by remote_url`,
    )
  ).map((row) => row.remote_url.slice(HOST.length))
const marked = async (owner: string) =>
  (
    await db().rows<{ remote_url: string }>(
      sql`select remote_url from pictures where owner = ${owner} and replaced_at is not null`,
    )
  ).map((row) => row.remote_url)
/** Runs the tick when the marks have this age in minutes. */
const deleteAfter = async (minutes: number): Promise<void> => {
  await db().run(sql`update pictures set replaced_at = replaced_at - make_interval(mins => ${minutes})
    where replaced_at is not null`)
  await accounts.manifest.ticks.find((one) => one.name === 'accounts.forget-replaced')?.run(ctx())
}

test('a replaced avatar and header are deleted after an hour, with their files', async () => {
  const owner = await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await db().run(sql`update pictures set key = 'cache/' || id, size = 5 where owner = ${owner}`)
  await put(`${HOST}/b.png`)
  const event = await cluster
    .db('accounts')
    .row<{ data: string }>(
      sql`select data from outbox where subject = ${picturesReplaced.subject} order by id desc limit 1`,
    )
  expect(picturesReplaced.data.parse(JSON.parse(event?.data ?? ''))).toMatchObject({
    owner,
    pictures: [{ kind: 'avatar' }, { kind: 'header' }],
  })
  expect(await pictures(owner)).toEqual(['/a.png', '/b.png', '/h.png'])
  await deleteAfter(30)
  expect(await pictures(owner)).toEqual(['/a.png', '/b.png', '/h.png'])
  const bytes = async () =>
    (await db().row<{ n: number }>(sql`select coalesce(sum(size), 0)::int as n from pictures where owner = ${owner}`))
      ?.n
  expect(await bytes()).toBe(10)
  await deleteAfter(31)
  expect(await pictures(owner)).toEqual(['/b.png'])
  expect(await bytes()).toBe(0)
})

test('a picture that is shown again within the hour stays', async () => {
  const owner = await put(`${HOST}/a.png`)
  await put(`${HOST}/b.png`)
  await put(`${HOST}/a.png`)
  await deleteAfter(90)
  expect(await pictures(owner)).toEqual(['/a.png'])
})

test('an update with the same pictures replaces no picture', async () => {
  const owner = await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await deleteAfter(90)
  expect(await pictures(owner)).toEqual(['/a.png', '/h.png'])
})

test.each([
  ['a fragment', 'a.png#1', 'a.png#2', '/a.png'],
  ['an escape', 'a b.png', 'a%20b.png', '/a%20b.png'],
])('another spelling of the same address replaces no picture: %s', async (_name, before, after, stored) => {
  const owner = await put(`${HOST}/${before}`)
  await put(`${HOST}/${after}`)
  expect(await marked(owner)).toEqual([])
  await deleteAfter(90)
  expect(await pictures(owner)).toEqual([stored])
})

test('a late or repeated event does not delete a picture that is shown', async () => {
  const owner = await put(`${HOST}/a.png#1`, `${HOST}/h.png`)
  await put(`${HOST}/b.png`, `${HOST}/h.png`)
  await put(`${HOST}/a.png#1`, `${HOST}/h.png`)
  const old = [
    { kind: 'avatar' as const, remote_url: `${HOST}/a.png` },
    { kind: 'header' as const, remote_url: `${HOST}/h.png` },
  ]
  await db().tx((tx) => markReplaced(tx, owner, old, new Date()))
  await deleteAfter(90)
  expect(await pictures(owner)).toEqual(['/a.png', '/h.png'])
  expect(await marked(owner)).toEqual([])
})

test('a picture that is shown again, or replaced again, while the tick runs stays unchanged', async () => {
  const owner = await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await put(`${HOST}/b.png`)
  const context = ctx()
  const real = context.call
  const call = vi.spyOn(context, 'call').mockImplementation((async (...given: Parameters<typeof real>) => {
    if (given[0] === cleanUpReplaced) {
      await cluster.call(proxyUrls, { items: [{ owner, kind: 'avatar', remote: `${HOST}/a.png` }] })
      await db().tx((tx) => markReplaced(tx, owner, [{ kind: 'header', remote_url: `${HOST}/h.png` }], new Date()))
    }
    return real(...given)
  }) as typeof real)
  await deleteAfter(90).finally(() => call.mockRestore())
  expect(await pictures(owner)).toEqual(['/a.png', '/b.png', '/h.png'])
  expect(await marked(owner)).toEqual([`${HOST}/h.png`])
})

test('a picture that is deleted while it is shown again is stored again', async () => {
  const owner = await put(`${HOST}/a.png`)
  await put(`${HOST}/b.png`)
  const deletion = await holding(db(), sql`delete from pictures where owner = ${owner} and replaced_at is not null`)
  const remote = `${HOST}/a.png`
  const asked = cluster.call(proxyUrls, { items: [{ owner, kind: 'avatar', remote }] })
  await deletion.queued(1)
  await deletion.letGo()
  expect((await asked).urls[remote]).toBeDefined()
  expect(await pictures(owner)).toEqual(['/a.png', '/b.png'])
  expect(await marked(owner)).toEqual([])
})

test.each([
  ['media receives the decision', true],
  ['accounts receives the response', false],
])('a run that ends before %s is completed by the next one', async (_name, isEarly) => {
  const owner = await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await put(`${HOST}/b.png`, `${HOST}/h.png`)
  const context = ctx()
  const real = context.call
  const call = vi.spyOn(context, 'call').mockImplementation((async (...given: Parameters<typeof real>) => {
    if (given[0] !== cleanUpReplaced) return real(...given)
    if (!isEarly) await real(...given)
    throw new Error('the process stopped')
  }) as typeof real)
  await expect(deleteAfter(90).finally(() => call.mockRestore())).rejects.toThrow('the process stopped')
  expect(await pictures(owner)).toEqual(isEarly ? ['/a.png', '/b.png', '/h.png'] : ['/b.png', '/h.png'])
  await deleteAfter(0)
  expect(await pictures(owner)).toEqual(['/b.png', '/h.png'])
})

test('media and accounts may stop while the tick runs', async () => {
  const owner = await put(`${HOST}/a.png`, `${HOST}/h.png`)
  await put(`${HOST}/b.png`, `${HOST}/h.png`)
  await db().run(sql`update pictures set replaced_at = replaced_at - interval '2 hours' where owner = ${owner}`)
  // The media service waits for the row of the old picture when the processes begin to stop.
  const row = await holding(db(), sql`select 1 from pictures where owner = ${owner} for update`)
  const tick = accounts.manifest.ticks.find((one) => one.name === 'accounts.forget-replaced')
  const run = Promise.resolve(tick?.run(ctx())).catch(() => undefined)
  const stopped = (async () => {
    await row.queued(1)
    const end = cluster.host.stop()
    await row.letGo()
    await end
  })()
  await Promise.all([run, stopped])
  await cluster.restart()
  expect((await pictures(owner)).filter((one) => one !== '/a.png')).toEqual(['/b.png', '/h.png'])
  await deleteAfter(0)
  expect(await pictures(owner)).toEqual(['/b.png', '/h.png'])
  expect(await marked(owner)).toEqual([])
})

test('an index serves the query of replaced pictures', async () => {
  await db().run(sql`insert into pictures (id, owner, kind, remote_url, created_at)
    select n, n::text, 'avatar', 'https://far.example/' || n, now() from generate_series(1, 5000) n`)
  await db().run(sql`analyze pictures`)
  expect(await plansOf(db(), (reader) => replacedPictures(reader, new Date(), 100))).toContain('pictures_replaced')
})
