/** Former followers keep the version that they received, get no later edits, and receive the Delete. */
import { createBlock } from '@murmuration/contracts/accounts'
import { createStatus, deleteStatus, editStatus, statusRecords } from '@murmuration/contracts/statuses'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ada: Awaited<ReturnType<Harness['createAccount']>>
/** Follow ada at first. */
let rita: { server: RemoteServer; actor: RemoteActor }
let olaf: { server: RemoteServer; actor: RemoteActor }

const follower = async (name: string) => {
  const server = await harness.server()
  const actor = await server.addActor(name)
  expect(await harness.outcome(server, makeActivity(actor, 'Follow', ada.uri), { as: actor })).toBe('done')
  return { server, actor }
}
const write = async (more: object) => {
  const { id } = await harness.call(createStatus, { status: 'for some', ...more } as never, ada)
  await harness.waitForIdle()
  return { id, uri: (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
}
const heard = async () => {
  await harness.waitForIdle()
  return [olaf, rita].map(({ server }) => server.inbox.all.map(({ activity }) => activity.type))
}
const block = async ({ actor, server }: typeof rita) => {
  await harness.call(createBlock, { id: (await harness.account(actor.id))?.id ?? '' }, ada)
  await harness.waitForIdle()
  server.inbox.clear()
}

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  ada = await harness.createAccount(`ada${Math.random().toString(36).slice(2, 8)}`)
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
  await harness.call(editStatus, { id: status.id, status: 'of rita' } as never, ada)
  expect(await heard()).toEqual([['Update'], []])
  await harness.call(deleteStatus, { id: status.id }, ada)
  expect(await heard()).toEqual([['Update', 'Delete'], ['Delete']])
})

test('delivery 3 objects 7 results of a followers-only poll go to current followers, also if a former follower voted', async () => {
  const status = await write({ visibility: 'private', poll: { options: ['a', 'b'], expires_in: 3600 } })
  clear()
  const vote = ({ actor, server }: typeof rita) =>
    harness.outcome(
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
  const clock = harness.host.running.find((one) => one.service === 'federation')?.ctx.clock
  clock?.moveTo(190_000)
  await olaf.server.inbox.next(({ activity }) => activity.type === 'Update')
  clock?.moveTo(0)
  expect(await heard()).toEqual([['Update'], []])
})

test('delivery 3 the Update of a public status goes to all its recipients', async () => {
  const status = await write({ visibility: 'unlisted' })
  clear()
  await block(rita)
  await harness.call(editStatus, { id: status.id, status: 'for all' } as never, ada)
  expect(await heard()).toEqual([['Update'], ['Update']])
})
