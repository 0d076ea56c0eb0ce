/** Further recipients of activities: servers with recent contact, without those that the actor blocks. */
import { credentialsUpdate, domainBlockCreate } from '@murmuration/contracts/accounts'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './world.js'

let world: World
let ada: Awaited<ReturnType<World['person']>>

const known = async (name: string, type: string, object: string) => {
  const server = await world.server()
  const actor = await server.addActor(name)
  await world.outcome(server, makeActivity(actor, type, object), { as: actor })
  // A handle on loopback has a port, which a mention cannot have.
  await world.db('accounts').run(sql`update accounts set domain = ${`${name}.example`} where uri = ${actor.id}`)
  server.inbox.clear()
  return server
}
const heard = (server: Awaited<ReturnType<typeof known>>) => server.inbox.all.map(({ activity }) => activity.type)

beforeAll(async () => {
  world = await startWorld()
  ada = await world.person('ada')
})
afterAll(() => world.stop())

test('delivery 3 a reply to a local account is not sent to servers that its author blocks', async () => {
  const bob = await world.person('bob')
  const [rob, tom] = [await known('rob', 'Follow', bob.uri), await known('tom', 'Follow', bob.uri)]
  const { id } = await world.call(createStatus, { status: 'a question' } as never, bob)
  await world.call(domainBlockCreate, { domain: 'rob.example' }, ada)
  await world.call(createStatus, { status: 'an answer', in_reply_to_id: id } as never, ada)
  await world.settle()
  expect([heard(tom), heard(rob)]).toEqual([['Create', 'Create'], ['Create']])
})

test('activities 2 accounts mentioned within two days receive the Update of a profile', async () => {
  const [sam, ann] = [
    await known('sam', 'Like', `${ada.uri}/statuses/1`),
    await known('ann', 'Like', `${ada.uri}/statuses/1`),
  ]
  await world.call(createStatus, { status: '@sam@sam.example hi' } as never, ada)
  await world.settle()
  expect(heard(sam)).toEqual(['Create'])
  await world.call(credentialsUpdate, { display_name: 'Ada of the lake' }, ada)
  await sam.inbox.reached(2)
  await world.settle()
  expect([heard(sam), heard(ann)]).toEqual([['Create', 'Update'], []])
})
