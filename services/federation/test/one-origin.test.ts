/** A server that sends its documents slowly delays no other server, and none of its activities is lost. */
import { createStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let rita: RemoteActor
let status: string
beforeAll(async () => {
  harness = await startHarness()
  const bob = await harness.createAccount('bob')
  const { id } = await harness.call(createStatus, { status: 'hello', visibility: 'public' } as never, bob)
  status = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
  remote = await harness.server()
  rita = await remote.addActor('rita')
  expect(await harness.outcome(remote, makeActivity(rita, 'Like', status), { as: rita })).toBe('done')
})
afterAll(() => harness.stop())

const ACTIVITIES = 30

/** A server whose accounts are known here, and which no longer responds to requests for them. */
const unresponsiveServer = async (
  names: readonly string[],
): Promise<{ server: RemoteServer; actors: RemoteActor[] }> => {
  const server = await harness.server()
  const actors: RemoteActor[] = []
  for (const name of names) {
    const actor = await server.addActor(name)
    expect(await harness.outcome(server, makeActivity(actor, 'Like', status), { as: actor })).toBe('done')
    actors.push(actor)
  }
  server.behave({ kind: 'hang' }, { path: /^\/users\// })
  return { server, actors }
}
/** Each says many times that they changed: one after the other, so that each letter is a job. */
const flood = async (server: RemoteServer, actors: readonly RemoteActor[]): Promise<void> => {
  for (let n = 0; n < ACTIVITIES; n++) {
    const actor = actors[n % actors.length] as RemoteActor
    const letter = makeActivity(actor, 'Update', { id: actor.id, type: 'Person', name: `number ${n}` })
    expect((await harness.deliver(server, letter, { as: actor })).status).toBe(202)
  }
}
const outcomesOf = async (server: RemoteServer, type = 'Update'): Promise<(string | null)[]> =>
  (await harness.inboxRows())
    .filter((row) => row.type === type && row.actor.startsWith(server.origin))
    .map(({ outcome }) => outcome)
const holds = () => harness.db('federation').rows<{ site: string }>(sql`select site from held_activities`)
const allDone = (server: RemoteServer) =>
  expect.poll(() => outcomesOf(server), { interval: 500 }).toEqual(Array.from({ length: ACTIVITIES }, () => 'done'))

test('while one server never responds, activities of another are processed, and all of the first once it responds', async () => {
  const { server, actors } = await unresponsiveServer(['una', 'vic', 'wes', 'xia'])
  await flood(server, actors)
  for (let n = 0; n < 5; n++) {
    const began = performance.now()
    const undo = makeActivity(rita, n % 2 ? 'Like' : 'Undo', n % 2 ? status : makeActivity(rita, 'Like', status))
    const letter = { ...undo, id: `${rita.id}/${n}` }
    expect((await harness.deliver(remote, letter, { as: rita })).status).toBe(202)
    await expect
      .poll(async () =>
        (await harness.inboxRows()).some((row) => row.activity_id === letter.id && row.outcome !== null),
      )
      .toBe(true)
    // The first of them arrives while all worker slots wait for the other server, which takes two seconds.
    expect(performance.now() - began).toBeLessThan(5_000)
  }
  expect(await outcomesOf(server)).toContain(null)
  await expect.poll(async () => (await holds()).map(({ site }) => site)).toContain(new URL(server.origin).host)
  server.repair()
  await allDone(server)
  await expect.poll(holds).toEqual([])
})

test('no activity is lost if the process ends meanwhile', async () => {
  const { server, actors } = await unresponsiveServer(['yan', 'zoe'])
  await flood(server, actors)
  await expect.poll(async () => (await holds()).length).toBeGreaterThan(0)
  expect(await outcomesOf(server)).toContain(null)
  await harness.host.stop()
  server.repair()
  await harness.restart()
  await harness.policy({})
  await allDone(server)
  expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})
