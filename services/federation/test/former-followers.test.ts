/** Former followers keep the version that they received, get no later edits, and receive the Delete. */
import { blockCreate } from '@murmuration/contracts/accounts'
import { createStatus, deleteStatus, editStatus, statusRecords } from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from './world.js'

let world: World
let ada: Awaited<ReturnType<World['person']>>
/** Follow ada at first. */
let rita: { server: RemoteServer; actor: RemoteActor }
let olaf: { server: RemoteServer; actor: RemoteActor }

const follower = async (name: string) => {
  const server = await world.server()
  const actor = await server.addActor(name)
  expect(await world.outcome(server, makeActivity(actor, 'Follow', ada.uri), { as: actor })).toBe('done')
  return { server, actor }
}
const write = async (more: object) => {
  const { id } = await world.call(createStatus, { status: 'for some', ...more } as never, ada)
  await world.settle()
  return { id, uri: (await world.call(statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
}
const heard = async () => {
  await world.settle()
  return [olaf, rita].map(({ server }) => server.inbox.all.map(({ activity }) => activity.type))
}
const block = async ({ actor, server }: typeof rita) => {
  await world.call(blockCreate, { id: (await world.account(actor.id))?.id ?? '' }, ada)
  await world.settle()
  server.inbox.clear()
}

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  ada = await world.person(`ada${Math.random().toString(36).slice(2, 8)}`)
  rita = await follower('rita')
  olaf = await follower('olaf')
})
const clear = () => {
  for (const { server } of [rita, olaf]) server.inbox.clear()
}

test('delivery 3 objects 4 the Update of a followers-only status goes to current followers, its Delete to all recipients', async () => {
  const status = await write({ visibility: 'private' })
  clear()
  await block(rita)
  await world.call(editStatus, { id: status.id, status: 'of rita' } as never, ada)
  expect(await heard()).toEqual([['Update'], []])
  await world.call(deleteStatus, { id: status.id }, ada)
  expect(await heard()).toEqual([['Update', 'Delete'], ['Delete']])
})

test('delivery 3 objects 7 results of a followers-only poll go to current followers, also if a former follower voted', async () => {
  const status = await write({ visibility: 'private', poll: { options: ['a', 'b'], expires_in: 3600 } })
  clear()
  const vote = ({ actor, server }: typeof rita) =>
    world.outcome(
      server,
      makeActivity(
        actor,
        'Create',
        { id: `${actor.id}/v`, type: 'Note', name: 'a', attributedTo: actor.id, inReplyTo: status.uri, to: [ada.uri] },
        { to: [ada.uri] },
      ),
      { as: actor },
    )
  expect([await vote(rita), await vote(olaf)]).toEqual(['done', 'done'])
  await block(rita)
  const clock = world.host.running.find((one) => one.service === 'federation')?.ctx.clock
  clock?.moveTo(190_000)
  await olaf.server.inbox.next(({ activity }) => activity.type === 'Update')
  clock?.moveTo(0)
  expect(await heard()).toEqual([['Update'], []])
})

test('delivery 3 the Update of a public status goes to all its recipients', async () => {
  const status = await write({ visibility: 'unlisted' })
  clear()
  await block(rita)
  await world.call(editStatus, { id: status.id, status: 'for all' } as never, ada)
  expect(await heard()).toEqual([['Update'], ['Update']])
})
