/** Decisions of staff about local accounts (limited, sensitive) hold for the documents that other servers receive. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { createStatus, editStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { Delivery, RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let eve: Awaited<ReturnType<Harness['createAccount']>>
/** Follows eve. */
let rita: { server: RemoteServer; actor: RemoteActor }
/** Does not. */
let olaf: typeof rita

const known = async (name: string, type: string, object: string) => {
  const server = await harness.server()
  const actor = await server.addActor(name)
  await harness.outcome(server, makeActivity(actor, type, object), { as: actor })
  // A handle on loopback has a port, which nobody can type.
  await harness.db('accounts').run(sql`update accounts set domain = ${`${name}.example`} where uri = ${actor.id}`)
  return { server, actor }
}
const write = async (visibility: string) => {
  const status = '@rita@rita.example @olaf@olaf.example buy'
  const { id } = await harness.call(createStatus, { status, visibility } as never, eve)
  await harness.waitForIdle()
  return { id, uri: (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
}
const read = async (uri: string): Promise<Document> =>
  (await (await fetch(uri, { headers: { accept: 'application/activity+json' } })).json()) as Document
const heard = ({ server }: typeof rita) => server.inbox.all.map(({ activity }) => activity.type)

beforeAll(async () => {
  harness = await startHarness()
  eve = await harness.createAccount('eve')
  rita = await known('rita', 'Follow', eve.uri)
  olaf = await known('olaf', 'Like', `${eve.uri}/statuses/1`)
  await harness.call(moderateAccount, { id: eve.id, action: 'silence', stamp: '1' })
  await harness.waitForIdle()
  rita.server.inbox.clear()
})
afterAll(() => harness.stop())

test.each(['public', 'unlisted', 'private', 'direct'])(
  'objects 4 a limited account mentions in a %s status only its followers',
  async (visibility) => {
    rita.server.inbox.clear()
    const status = await write(visibility)
    expect([heard(rita), heard(olaf)]).toEqual([['Create'], []])
    const { activity } = rita.server.inbox.all[0] as Delivery
    const { to, cc, object } = activity as unknown as { to: string[]; cc: string[]; object: Document }
    expect([...to, ...cc]).toContain(rita.actor.id)
    expect([...to, ...cc]).not.toContain(olaf.actor.id)
    expect((object.tag as Document[]).map((it) => it.href)).toEqual([rita.actor.id])
    await harness.call(editStatus, { id: status.id, status: `${visibility} @olaf@olaf.example buy now` } as never, eve)
    await harness.waitForIdle()
    expect(heard(olaf)).toEqual([])
  },
)

test('objects 4 an account that is no longer limited mentions any account', async () => {
  await harness.call(moderateAccount, { id: eve.id, action: 'unsilence', stamp: '2' })
  await harness.waitForIdle()
  await write('public')
  expect(heard(olaf)).toEqual(['Create'])
})

test('objects 2 statuses of an account that staff marked as sensitive are sensitive', async () => {
  const status = await write('public')
  expect((await read(status.uri)).sensitive).toBe(false)
  await harness.call(moderateAccount, { id: eve.id, action: 'sensitive', stamp: '3' })
  await harness.waitForIdle()
  expect((await read(status.uri)).sensitive).toBe(true)
})
