/** What people here do arrives at the servers it is for: once each, signed, as the same bytes, and nowhere else. */
import type { AccountRecord } from '@murmuration/contracts/accounts'
import { deliveryExplain } from '@murmuration/contracts/federation'
import type { RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Neighbours, person, posted, startNeighbours, stranger } from './neighbours.js'

let world: Neighbours
let remote: RemoteServer
let rita: RemoteActor
let ritaHere: AccountRecord
let ada: AccountRecord

beforeAll(async () => {
  world = await startNeighbours()
  remote = await startRemoteServer()
  rita = await remote.addActor('rita')
  ritaHere = stranger(world, rita, `${remote.origin}/inbox`)
})
afterAll(async () => {
  await world.stop()
  await remote.close()
})
beforeEach(async () => {
  remote.heal()
  remote.inbox.clear()
  remote.requests.clear()
  ada = await person(world, 'ada')
})

test('a public status arrives at the shared inbox, signed by its author', async () => {
  world.tables.inboxes.set(ada.id, [`${remote.origin}/inbox`])
  const status = await posted(world, ada)
  const delivery = await remote.inbox.next()
  expect(delivery.activity).toMatchObject({ type: 'Create', actor: ada.uri, object: { id: status.uri } })
  expect(delivery.headers.signature).toContain(`keyId="${ada.uri}#main-key"`)
  await world.settle()
  const { activities } = await world.call(deliveryExplain, { activity: status.uri })
  expect(activities).toMatchObject([{ kind: 'Create', counts: { delivered: 1, pending: 0 } }])
})
