/** Further recipients of activities: servers with recent contact, without those that the actor blocks. */
import { createDomainBlock, updateCredentials } from '@murmuration/contracts/accounts'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ada: Awaited<ReturnType<Harness['createAccount']>>

const known = async (name: string, type: string, object: string) => {
  const server = await harness.server()
  const actor = await server.addActor(name)
  await harness.outcome(server, makeActivity(actor, type, object), { as: actor })
  // A handle on loopback has a port, which a mention cannot have.
  await harness.db('accounts').run(sql`update accounts set domain = ${`${name}.example`} where uri = ${actor.id}`)
  server.inbox.clear()
  return server
}
const heard = (server: Awaited<ReturnType<typeof known>>) => server.inbox.all.map(({ activity }) => activity.type)

beforeAll(async () => {
  harness = await startHarness()
  ada = await harness.createAccount('ada')
})
afterAll(() => harness.stop())

test('delivery 3 a reply to a local account is not sent to servers that its author blocks', async () => {
  const bob = await harness.createAccount('bob')
  const [rob, tom] = [await known('rob', 'Follow', bob.uri), await known('tom', 'Follow', bob.uri)]
  const { id } = await harness.call(createStatus, { status: 'a question' } as never, bob)
  await harness.call(createDomainBlock, { domain: 'rob.example' }, ada)
  await harness.call(createStatus, { status: 'an answer', in_reply_to_id: id } as never, ada)
  await harness.waitForIdle()
  expect([heard(tom), heard(rob)]).toEqual([['Create', 'Create'], ['Create']])
})

test('activities 2 accounts mentioned within two days receive the Update of a profile', async () => {
  const [sam, ann] = [
    await known('sam', 'Like', `${ada.uri}/statuses/1`),
    await known('ann', 'Like', `${ada.uri}/statuses/1`),
  ]
  await harness.call(createStatus, { status: '@sam@sam.example hi' } as never, ada)
  await harness.waitForIdle()
  expect(heard(sam)).toEqual(['Create'])
  await harness.call(updateCredentials, { display_name: 'Ada of the lake' }, ada)
  await sam.inbox.reached(2)
  await harness.waitForIdle()
  expect([heard(sam), heard(ann)]).toEqual([['Create', 'Update'], []])
})
