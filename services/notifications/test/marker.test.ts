/** Markers, also with simultaneous writes. */
import { setMarkers, showMarkers } from '@murmuration/contracts/notifications'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())

const set = (id: string, input: object) => cluster.call(setMarkers, input, viewer(id))
const show = (id: string, timeline: string[]) => cluster.call(showMarkers, { timeline }, viewer(id))

test('a marker is created, changed, and returned to its owner for the requested timelines', async () => {
  expect(await show('1', ['home', 'notifications'])).toEqual({})
  const made = await set('1', { home: { last_read_id: '109' }, notifications: { last_read_id: '7' } })
  expect(made).toEqual({
    home: { last_read_id: '109', version: 1, updated_at: expect.any(String) },
    notifications: { last_read_id: '7', version: 1, updated_at: expect.any(String) },
  })
  const { home } = await set('1', { home: { last_read_id: '110' } })
  expect(home).toMatchObject({ last_read_id: '110', version: 2 })
  expect(await show('1', ['home', 'nonsense'])).toMatchObject({ home: { last_read_id: '110', version: 2 } })
  expect(await show('1', ['notifications'])).toMatchObject({ notifications: { last_read_id: '7', version: 1 } })
  expect(await show('1', [])).toEqual({})
  expect(await show('2', ['home'])).toEqual({})
})

test('a request without a position changes nothing', async () => {
  expect(await set('3', {})).toEqual({})
  expect(await set('3', { home: {} })).toEqual({})
  expect(await set('3', { elsewhere: { last_read_id: '1' } })).toEqual({})
  expect(await show('3', ['home', 'notifications'])).toEqual({})
})

test('S-099 F062 twenty simultaneous first writes all succeed, and each increases the version', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      set('4', { home: { last_read_id: String(100 + i) }, notifications: { last_read_id: String(200 + i) } }),
    ),
  )
  expect(answers.map((one) => one.home?.version).toSorted((a, b) => a! - b!)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  const last = answers.find((one) => one.home?.version === 20)
  expect(await show('4', ['home', 'notifications'])).toEqual(last)
})

test('S-099 a write that waits too long fails with a conflict, not with a server error', async () => {
  await set('5', { home: { last_read_id: '1' } })
  const taken = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = cluster.db('notifications').tx(async (tx) => {
    await tx.run(sql`select 1 from markers where account_id = 5 for update`)
    taken.resolve()
    await held.promise
  })
  await taken.promise
  await expect(set('5', { home: { last_read_id: '2' } })).rejects.toMatchObject({
    code: 'conflict',
    status: 409,
    message: 'Conflict during update, please try again',
  })
  held.resolve()
  await holder
  expect(await show('5', ['home'])).toMatchObject({ home: { last_read_id: '1', version: 1 } })
})
