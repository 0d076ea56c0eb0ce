/** Leases of ticks: one holder at a time, renewed together, lost and released. */
import { openDatabase, sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type App, Leases, service } from '../src/index.js'

const app: App = {
  manifest: service('media', { operations: [], roles: { worker: { scales: 'tasks', needs: [] } } }),
  createContext: (base) => base,
}

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
beforeEach(() => cluster.db('media').run(sql`delete from leases`))

const leasesOf = (holder: string) => new Leases(cluster.db('media'), holder)
const rows = () =>
  cluster
    .db('media')
    .rows<{ name: string; holder: string; fence: string }>(sql`select name, holder, fence from leases order by name`)
const end = () => cluster.db('media').run(sql`update leases set until = clock_timestamp() - interval '1 second'`)

test('a lease has one holder until it expires or is released, and the fence increases with each holder', async () => {
  const [one, two] = [leasesOf('one'), leasesOf('two')]
  expect([await one.has('media.a', 60_000), await two.has('media.a', 60_000)]).toEqual([true, false])
  await one.release()
  expect(await two.has('media.a', 60_000)).toBe(true)
  await end()
  expect(await one.has('media.a', 60_000)).toBe(true)
  expect(await rows()).toEqual([{ name: 'media.a', holder: 'one', fence: '3' }])
})

test('a lease that was stored while the clock of the database was ahead is taken over, and one of another length is not', async () => {
  const [one, two] = [leasesOf('one'), leasesOf('two')]
  expect(await one.has('media.a', 60_000)).toBe(true)
  expect(await two.has('media.a', 40_000)).toBe(false)
  await cluster.db('media').run(sql`update leases set until = clock_timestamp() + interval '1 day'`)
  expect(await two.has('media.a', 60_000)).toBe(true)
  expect(await one.has('media.a', 60_000)).toBe(true)
  expect(await leasesOf('one').has('media.a', 60_000)).toBe(false)
})

test('leases that are due at about the same time are renewed together, and others are not', async () => {
  const one = leasesOf('one')
  // A lease of three milliseconds is due for renewal after one, and a lease of an hour after twenty minutes.
  const short = ['media.a', 'media.b']
  const all = await Promise.all([...short.map((name) => one.has(name, 3)), one.has('media.c', 3_600_000)])
  expect(all).toEqual([true, true, true])
  const untils = () =>
    cluster.db('media').rows<{ name: string; until: Date }>(sql`select name, until from leases order by name`)
  const before = await untils()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await one.has('media.a', 3)).toBe(true)
  const after = await untils()
  const changed = after.filter(({ until }, i) => until.getTime() !== before[i]?.until.getTime())
  expect(changed.map(({ name }) => name)).toEqual(short)
})

test('a holder whose lease another process took notices it at the renewal', async () => {
  const [one, two] = [leasesOf('one'), leasesOf('two')]
  expect(await one.has('media.a', 3)).toBe(true)
  await end()
  expect(await two.has('media.a', 60_000)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await one.has('media.a', 3)).toBe(false)
  await one.release()
  expect(await rows()).toMatchObject([{ holder: 'two' }])
})

test('a process without the leases checks all of them with one statement, and takes those that are released', async () => {
  const names = ['media.a', 'media.b', 'media.c']
  const one = leasesOf('one')
  await Promise.all(names.map((name) => one.has(name, 60_000)))
  const asked: string[] = []
  const db = openDatabase({
    url: cluster.env.DATABASE_URL ?? '',
    schema: 'media',
    onQuery: (text) => void asked.push(text),
  })
  try {
    const two = new Leases(db, 'two')
    const tryAll = () => Promise.all(names.map((name) => two.has(name, 60_000)))
    expect(await tryAll()).toEqual([false, false, false])
    expect(asked).toHaveLength(1)
    await one.release()
    expect(await tryAll()).toEqual([true, true, true])
  } finally {
    await db.close()
  }
})
