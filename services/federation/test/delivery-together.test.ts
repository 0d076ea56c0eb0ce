/** Deliveries with real sibling services: activities of local accounts are verified and accepted by another server. */
import { createBlock, createFollow, removeFollow } from '@murmuration/contracts/accounts'
import {
  addFavourite,
  createStatus,
  deleteStatus,
  editStatus,
  removeFavourite,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { Delivery, RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let rita: RemoteActor
let ada: Awaited<ReturnType<Harness['createAccount']>>
let ritaId: string

beforeAll(async () => {
  harness = await startHarness()
  remote = await harness.server()
  rita = await remote.addActor('rita')
  ada = await harness.createAccount('ada')
})
afterAll(() => harness.stop())

/** The next delivery, whose signature is checked with the key that its author publishes. */
const next = async (type: string): Promise<Delivery> => {
  const delivery = await remote.inbox.next((one) => one.activity.type === type)
  expect(await remote.verify(delivery, { as: rita })).toMatchObject({ keyId: `${ada.uri}#main-key` })
  expect(delivery.activity.actor).toBe(ada.uri)
  return delivery
}
const by = (type: string, object: Parameters<typeof makeActivity>[2], extra = {}) =>
  harness.outcome(remote, makeActivity(rita, type, object, extra), { as: rita })

test('a remote follower is accepted and receives Create, Update and Delete', async () => {
  const follow = makeActivity(rita, 'Follow', ada.uri)
  expect(await harness.outcome(remote, follow, { as: rita })).toBe('done')
  expect((await next('Accept')).activity.object).toMatchObject({ id: follow.id })
  ritaId = (await harness.account(rita.id))?.id ?? ''
  const status = await harness.call(createStatus, { status: 'hello @rita', visibility: 'public' }, ada)
  if (!('uri' in status)) throw new Error('it was put off')
  const { activity } = await next('Create')
  expect(activity.object).toMatchObject({ id: status.uri, attributedTo: ada.uri })
  await harness.call(editStatus, { id: status.id, status: 'hello again' }, ada)
  expect((await next('Update')).activity.object).toMatchObject({ id: status.uri })
  await harness.call(deleteStatus, { id: status.id }, ada)
  expect((await next('Delete')).activity.object).toMatchObject({ id: status.uri })
})

test('a repeated Follow is accepted again under its new id', async () => {
  const again = makeActivity(rita, 'Follow', ada.uri)
  expect(await harness.outcome(remote, again, { as: rita })).toBe('done')
  expect((await next('Accept')).activity.object).toMatchObject({ id: again.id })
})

test('a local follow is sent, accepted, and undone', async () => {
  await harness.call(createFollow, { id: ritaId }, ada)
  const follow = await next('Follow')
  expect(await by('Accept', follow.activity)).toBe('done')
  await harness.call(removeFollow, { id: ritaId }, ada)
  expect((await next('Undo')).activity.object).toMatchObject({ id: follow.activity.id })
})

test('a favourite is sent to the author and undone', async () => {
  const note = remote.addNote(rita, '<p>look</p>', { to: [ada.uri], cc: [], tag: [{ type: 'Mention', href: ada.uri }] })
  expect(await by('Create', note)).toBe('done')
  const { records } = await harness.call(statusRecords, { uris: [note.id] })
  const id = records[0]?.id ?? ''
  await harness.call(addFavourite, { id }, ada)
  expect((await next('Like')).activity.object).toBe(note.id)
  await harness.call(removeFavourite, { id }, ada)
  expect((await next('Undo')).activity.object).toMatchObject({ type: 'Like' })
})

test('a block ends the follow and is sent', async () => {
  await harness.call(createBlock, { id: ritaId }, ada)
  expect((await next('Block')).activity.object).toBe(rita.id)
  expect((await next('Reject')).activity.object).toMatchObject({ actor: rita.id })
  const again = makeActivity(rita, 'Follow', ada.uri)
  await harness.outcome(remote, again, { as: rita })
  expect((await next('Reject')).activity.object).toMatchObject({ id: again.id })
})
