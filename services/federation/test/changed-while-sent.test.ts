/** An object that is deleted or changed during publishing has the same state on other servers as here. */
import { type AccountRecord, accountRemoved, followCreated, followRemoved } from '@murmuration/contracts/accounts'
import { quoteRequested, statusPinned, statusUnpinned } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  announceCreated,
  announceDeleted,
  announceEdited,
  createAccount,
  posted,
  remoteAccount,
  type SiblingServices,
  startSiblingServices,
  written,
} from './sibling-services.js'

let harness: SiblingServices
let remote: RemoteServer
let other: RemoteServer
let shared: string
let otherShared: string
let rita: AccountRecord
let olaf: AccountRecord
let ada: AccountRecord

beforeAll(async () => {
  harness = await startSiblingServices()
  ;[remote, other] = [await startRemoteServer(), await startRemoteServer()]
  ;[shared, otherShared] = [`${remote.origin}/inbox`, `${other.origin}/inbox`]
  rita = remoteAccount(harness, await remote.addActor('rita'), shared)
  olaf = remoteAccount(harness, await other.addActor('olaf'), otherShared)
})
afterAll(async () => {
  await harness.stop()
  await Promise.all([remote.close(), other.close()])
})
beforeEach(async () => {
  ada = await createAccount(harness, 'ada')
  harness.tables.inboxes.set(ada.id, [shared])
  for (const server of [remote, other]) server.inbox.clear()
})

/** Delays the next call after it has read the content that it will publish. */
const holdNext = (what: 'accounts' | 'inboxes') => {
  const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  harness.tables.before = async (asked) => {
    if (asked !== what) return
    harness.tables.before = null
    hold()
    await over
  }
  return {
    held,
    async letGo() {
      letGo()
      await harness.waitForIdle()
    },
  }
}
const types = (server = remote): string[] => server.inbox.all.map(({ activity }) => String(activity.type))
const heard = (type: string, server = remote) => expect.poll(() => types(server)).toContain(type)
/** Contents of the notes that a server received, in order. */
const texts = (server = remote): unknown[] =>
  server.inbox.all.flatMap(({ activity: { object } }) =>
    typeof object === 'object' && object !== null && 'content' in object ? [object.content] : [],
  )

test('the last activity about a status edited during publishing has the new content', async () => {
  const status = written(harness, ada, { html: '<p>old</p>' })
  const { held, letGo } = holdNext('inboxes')
  await announceCreated(harness, status)
  await held
  await announceEdited(harness, { ...status, html: '<p>new</p>' })
  await heard('Update')
  await letGo()
  expect(types()).toContain('Create')
  expect(texts().at(-1)).toBe('<p>new</p>')
})

test('of two concurrent edits the later one is sent last', async () => {
  const status = await posted(harness, ada, { html: '<p>old</p>' })
  await harness.waitForIdle()
  const { held, letGo } = holdNext('inboxes')
  await announceEdited(harness, { ...status, html: '<p>first</p>' })
  await held
  await announceEdited(harness, { ...status, html: '<p>second</p>' })
  await heard('Update')
  await letGo()
  expect(texts()).toEqual(['<p>old</p>', '<p>second</p>'])
})

test('a reblog does not contain a status deleted during publishing', async () => {
  const status = await posted(harness, ada, { visibility: 'private' })
  await harness.waitForIdle()
  harness.tables.inboxes.set(ada.id, [shared, otherShared])
  const { held, letGo } = holdNext('inboxes')
  await posted(harness, ada, {
    visibility: 'private',
    reblog_of: status.id,
    reblog_of_author: ada.id,
    reblog_of_uri: status.uri,
  })
  await held
  await announceDeleted(harness, status)
  await heard('Delete')
  await letGo()
  expect(texts(other)).toEqual([])
})

test('after the deletion of an account none of its activities is sent', async () => {
  const { held, letGo } = holdNext('inboxes')
  await posted(harness, ada, { mention_accounts: [{ id: olaf.id, silent: false }] })
  await held
  await harness.announce(accountRemoved, { id: ada.id, local: true, uri: ada.uri })
  await heard('Delete')
  await letGo()
  expect([types(), types(other)]).toEqual([['Delete'], []])
})

test('a follow that ends during its Accept ends on the other server too', async () => {
  const follow = {
    id: harness.nextId(),
    from: rita.id,
    to: ada.id,
    fromLocal: false,
    toLocal: true,
    uri: `${rita.uri}/follows/${harness.nextId()}`,
  }
  const { held, letGo } = holdNext('accounts')
  await harness.announce(followCreated, { ...follow, accepted: false })
  await held
  await harness.announce(followRemoved, { ...follow, byTarget: true })
  await heard('Reject')
  await letGo()
  expect(types().at(-1)).toBe('Reject')
})

test('a server that received a status only in a QuoteRequest receives its Delete', async () => {
  const quoted = { id: harness.nextId(), uri: `${rita.uri}/statuses/1` }
  const status = written(harness, ada, { quote: { author: rita.id, uri: quoted.uri, stamp: null } })
  await harness.announce(quoteRequested, {
    id: harness.nextId(),
    status: status.id,
    statusUri: status.uri,
    author: ada.id,
    local: true,
    quoted: quoted.id,
    quotedUri: quoted.uri,
    quotedAuthor: rita.id,
    quotedLocal: false,
  })
  await heard('QuoteRequest')
  await announceDeleted(harness, status)
  await heard('Delete')
  await harness.waitForIdle()
  expect(types()).toEqual(['QuoteRequest', 'Delete'])
})

test('S-028 a pin that is removed during publishing is removed on other servers too', async () => {
  const { id, uri } = written(harness, ada)
  const pin = { id: harness.nextId(), account: ada.id, status: id, uri, visibility: 'public' } as const
  const { held, letGo } = holdNext('inboxes')
  await harness.announce(statusPinned, pin)
  await held
  await harness.announce(statusUnpinned, pin)
  await heard('Remove')
  await letGo()
  expect(types()).toEqual(['Remove'])
})

test('activities attempted before a block are undone after the block ends', async () => {
  remote.behave({ kind: 'status', status: 503 })
  const status = await posted(harness, ada)
  const first = () =>
    harness.db('federation').row(sql`select state = 0 as waits from deliveries
    where actor_id = ${ada.id} and attempts > 0`)
  await expect.poll(first).toEqual({ waits: true })
  await harness.block('127.0.0.1')
  harness.moveTo(3_600_000)
  await expect.poll(first).toEqual({ waits: false })
  await harness.block()
  await expect.poll(() => harness.ours.policy.domainRule('127.0.0.1')).toBe(null)
  remote.repair()
  remote.inbox.clear()
  await announceDeleted(harness, status)
  await heard('Delete')
  harness.moveTo(0)
})
