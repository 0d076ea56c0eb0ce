/** Relays of both styles: enabling and disabling, statuses sent to them, and statuses received from them. */
import { setTimeout } from 'node:timers/promises'
import {
  addRelay,
  disableRelay,
  enableRelay,
  listRelays,
  removeRelay,
  restoreRelay,
} from '@murmuration/contracts/federation'
import { createStatus, deleteStatus, statusRecords } from '@murmuration/contracts/statuses'
import { openDatabase, sql, type Tx } from '@murmuration/db'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteRelay, insertRelay } from '../src/core/relay/store.js'
import { type Harness, startHarness } from './harness.js'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

let harness: Harness
let relay: RemoteServer
let speaker: RemoteActor
let home: RemoteServer
let alice: RemoteActor
let ada: Awaited<ReturnType<Harness['createAccount']>>
let instance: string
let inbox: string

beforeAll(async () => {
  harness = await startHarness()
  relay = await harness.server()
  speaker = await relay.addActor('relay', { type: 'Application' })
  home = await harness.server()
  alice = await home.addActor('alice')
  ada = await harness.createAccount('ada')
  instance = `${harness.origin}/actor`
  inbox = `${relay.origin}/inbox`
})
afterAll(() => harness.stop())

const states = async () => (await harness.call(listRelays, {})).relays.map((one) => `${one.style} ${one.state}`)
const arrival = (type: string) => relay.inbox.next((it) => it.activity.type === type)
const says = (type: string, object: Parameters<typeof makeActivity>[2], as = speaker, server = relay) =>
  harness.outcome(server, makeActivity(as, type, object), { as })
const stored = async (uri: string) => {
  await harness.waitForIdle()
  return (await harness.call(statusRecords, { uris: [uri] })).records[0]
}
const publish = async (visibility: 'public' | 'unlisted') => {
  const status = await harness.call(createStatus, { status: `a ${visibility} one`, visibility }, ada)
  if (!('uri' in status)) throw new Error('it was put off')
  await harness.waitForIdle()
  return status
}
/** Activities that arrived at the relay after a mark, as `type by actor`. */
const since = (mark: number) => relay.inbox.all.slice(mark).map((it) => `${it.activity.type} by ${it.activity.actor}`)

test('y01 a relay added by its inbox gets a Follow of the public collection, and only it can accept', async () => {
  const added = await harness.call(addRelay, { url: inbox })
  expect(added).toMatchObject({ url: inbox, style: 'inbox', state: 'pending' })
  const follow = await arrival('Follow')
  expect(follow.activity).toMatchObject({ actor: instance, object: PUBLIC, to: [PUBLIC] })
  expect(follow.headers.signature).toContain(`${instance}#main-key`)
  expect(await says('Accept', follow.activity, alice, home)).toBe('refused never-asked')
  expect(await states()).toEqual(['inbox pending'])
  // Nor another actor on its server.
  const lodger = await relay.addActor('lodger')
  expect(await says('Accept', follow.activity, lodger)).toBe('refused never-asked')
  expect(await states()).toEqual(['inbox pending'])
  expect(await says('Accept', { ...follow.activity, id: `${follow.activity.id}1` })).toBe('ignored never-asked')
  expect(await says('Accept', follow.activity)).toBe('done')
  expect(await states()).toEqual(['inbox accepted'])
  await expect(harness.call(addRelay, { url: inbox })).rejects.toMatchObject({ code: 'conflict' })
})

test('public statuses and their Delete are sent to the relay unchanged, and nothing else', async () => {
  const mark = relay.inbox.all.length
  const status = await publish('public')
  await publish('unlisted')
  expect(since(mark)).toEqual([`Create by ${ada.uri}`])
  await harness.call(deleteStatus, { id: status.id }, ada)
  await harness.waitForIdle()
  expect(since(mark)).toEqual([`Create by ${ada.uri}`, `Delete by ${ada.uri}`])
})

test('y02 statuses that it forwards are fetched from their own servers, and its copies are ignored', async () => {
  const note = home.addNote(alice, '<p>the true words</p>')
  const forged = makeActivity(alice, 'Create', { ...note, content: '<p>other words</p>' })
  expect(await harness.deliver(relay, forged, { as: speaker })).toMatchObject({ status: 202 })
  expect(await stored(note.id)).toMatchObject({ uri: note.id, visibility: 'public', local: false })
  const rows = await harness.db('statuses').rows<{ html: string }>(sql`select html from statuses
    where uri = ${note.id}`)
  expect(rows.map((row) => row.html)).toEqual(['<p>the true words</p>'])
  // An actor that is not a relay cannot cause fetches of statuses.
  const eve = await home.addActor('eve')
  const unasked = home.addNote(alice, '<p>unasked</p>')
  await harness.deliver(home, makeActivity(alice, 'Create', unasked), { as: eve })
  expect(await stored(unasked.id)).toBeUndefined()
})

test('y03 statuses that it announces are fetched, not reblogged, and only public ones are stored', async () => {
  const note = home.addNote(alice, '<p>named</p>')
  expect(await says('Announce', note.id)).toBe('done relayed')
  expect(await stored(note.id)).toMatchObject({ visibility: 'public', local: false })
  expect(await harness.db('statuses').rows(sql`select 1 from statuses where reblog_of_id is not null`)).toEqual([])
  const quiet = home.addNote(alice, '<p>quiet</p>', { to: [alice.followers], cc: [PUBLIC] })
  expect(await says('Announce', quiet.id)).toBe('done relayed')
  expect(await stored(quiet.id)).toBeUndefined()
})

test('disabling sends an Undo and ends sending and receiving; it can be enabled again', async () => {
  expect(await harness.call(disableRelay, { url: inbox })).toMatchObject({ state: 'idle' })
  const undo = await arrival('Undo')
  expect(undo.activity.object).toMatchObject({ type: 'Follow', actor: instance })
  const mark = relay.inbox.all.length
  await publish('public')
  expect(since(mark)).toEqual([])
  const note = home.addNote(alice, '<p>too late</p>')
  expect(await says('Announce', note.id)).toMatch(/^refused/)
  expect(await harness.call(enableRelay, { url: inbox })).toMatchObject({ state: 'pending' })
  const follow = await relay.inbox.next((it) => it.activity.type === 'Follow')
  expect(await says('Reject', follow.activity)).toBe('done')
  expect(await states()).toEqual(['inbox rejected'])
  await harness.call(removeRelay, { url: inbox })
  expect(await states()).toEqual([])
  await expect(harness.call(enableRelay, { url: inbox })).rejects.toMatchObject({ code: 'not_found' })
})

test('y04 a relay added by its actor is followed, follows back, and receives reblogs', async () => {
  expect(await says('Follow', instance)).toMatch(/^refused/)
  expect(await harness.call(addRelay, { url: speaker.id })).toMatchObject({ style: 'actor', state: 'pending' })
  const follow = await arrival('Follow')
  expect(follow).toMatchObject({ path: '/users/relay/inbox', activity: { actor: instance, object: speaker.id } })
  expect(await says('Accept', follow.activity)).toBe('done')
  expect(await says('Follow', instance)).toBe('done')
  expect((await arrival('Accept')).activity).toMatchObject({ actor: instance })
  expect(await states()).toEqual(['actor accepted'])
  const mark = relay.inbox.all.length
  const status = await publish('public')
  await publish('unlisted')
  expect(since(mark)).toEqual([`Announce by ${instance}`])
  expect(relay.inbox.all.at(-1)?.activity).toMatchObject({ object: status.uri })
  const note = home.addNote(alice, '<p>named once more</p>')
  expect(await says('Announce', note.id)).toBe('done relayed')
  expect(await stored(note.id)).toMatchObject({ uri: note.id })
})

test('a relay that is added by a second address is refused, or accepted with the same actor', async () => {
  await expect(harness.call(addRelay, { url: `${speaker.id}/inbox` })).rejects.toMatchObject({ code: 'conflict' })
  await harness.call(addRelay, { url: inbox })
  const follow = await arrival('Follow')
  expect(await says('Accept', follow.activity)).toBe('done')
  expect(await states()).toEqual(['actor accepted', 'inbox accepted'])
  await harness.call(disableRelay, { url: speaker.id })
  const note = home.addNote(alice, '<p>still accepted</p>')
  expect(await says('Announce', note.id)).toBe('done relayed')
  expect(await stored(note.id)).toMatchObject({ uri: note.id })
  await harness.call(removeRelay, { url: inbox })
})

test('a relay that is added at the same moment by two addresses of one inbox is stored once', async () => {
  const db = harness.db('federation')
  const given = { style: 'inbox' as const, inbox_url: `${relay.origin}/one-inbox`, actor_uri: null, at: new Date() }
  const insert = (tx: Tx, id: string) => insertRelay(tx, { ...given, id, url: `${relay.origin}/address/${id}` })
  const second = await db.tx(async (tx) => {
    expect(await insert(tx, '1')).toBe(true)
    const result = db.tx((other) => insert(other, '2'))
    // The second addition waits for the first one.
    expect(await Promise.race([result, setTimeout(300, 'waits')])).toBe('waits')
    return { result }
  })
  expect(await second.result).toBe(false)
  await db.tx((tx) => deleteRelay(tx, '1'))
})

test('a dry undo of a removal is refused like the undo itself if another relay has the inbox or the actor', async () => {
  const address = `${relay.origin}/replaced/inbox`
  const enabled = { url: address, style: 'inbox', inbox_url: address, actor_uri: speaker.id, enabled: true }
  const before = { ...enabled, created_at: new Date().toISOString() }
  const undo = async (change: Partial<typeof before>) => {
    const input = {
      by: null,
      action: 'destroy_relay' as const,
      targetId: '77',
      before: { ...before, ...change },
      after: null,
    }
    const dry = await harness.call(restoreRelay, { ...input, dry: true })
    const { outcome } = await harness.call(restoreRelay, { ...input, dry: false })
    expect(dry.outcome).toBe(outcome)
    return outcome
  }
  await harness.call(addRelay, { url: address })
  expect(await undo({ url: `${relay.origin}/2/inbox` })).toBe('is_taken')
  await harness.call(removeRelay, { url: address })
  expect(await states()).toEqual(['actor idle'])
  expect(await undo({ url: `${relay.origin}/2/inbox`, inbox_url: `${relay.origin}/2/inbox` })).toBe('is_taken')
  await harness.call(removeRelay, { url: speaker.id })
  expect(await undo({})).toBe('restored')
  await harness.call(removeRelay, { url: address })
})

test('an address that is not a relay is refused with a reason', async () => {
  const refusal = (url: string) => harness.call(addRelay, { url }).catch((error: Error) => error.message)
  expect(await refusal('ftp://relay.example/inbox')).toMatch(/is not valid/)
  expect(await refusal(`${harness.origin}/inbox`)).toMatch(/is not valid/)
  expect(await refusal(`${home.origin}/nothing`)).toMatch(/neither an inbox nor an actor/)
})

test('the event federation.relay.managed has each change and its author', async () => {
  const db = harness.db('federation')
  const acts = async () =>
    (
      await db.rows<{ data: string }>(
        sql`select data from outbox where subject = 'evt.federation.relay.managed' order by id`,
      )
    ).map((row) => JSON.parse(row.data) as { by: string | null; action: string; target: string })
  const before = (await acts()).length
  const { url } = await harness.call(addRelay, { url: 'https://another-relay.example/inbox' }, ada)
  await harness.call(disableRelay, { url }, ada)
  await harness.call(enableRelay, { url }, ada)
  await harness.call(removeRelay, { url }, ada)
  expect((await acts()).slice(before).map((one) => [one.by, one.action, one.target])).toEqual(
    ['create', 'disable', 'enable', 'destroy'].map((verb) => [ada.id, `${verb}_relay`, url]),
  )
})

test('a change of a relay is stored only together with its entry in the audit log', async () => {
  const url = `${(await harness.server()).origin}/inbox`
  const db = harness.db('federation')
  const rows = () => db.rows(sql`select url, state from relays where url = ${url}`)
  const refuse = async (work: () => Promise<unknown>) => {
    const owner = openDatabase({ url: harness.env.DATABASE_URL ?? '', schema: 'federation' })
    await owner.run(sql`create function federation.refuse_entry() returns trigger language plpgsql as
      'begin if new.subject = ''evt.federation.relay.managed'' then raise ''refused''; end if; return new; end'`)
    await owner.run(sql`create trigger refuse_entry before insert on federation.outbox
      for each row execute function federation.refuse_entry()`)
    try {
      await expect(work()).rejects.toThrow()
    } finally {
      await owner.run(sql`drop function federation.refuse_entry() cascade`)
      await owner.close()
    }
  }
  const states = async (work: () => Promise<unknown>) => {
    const before = await rows()
    await refuse(work)
    expect(await rows()).toEqual(before)
    await work()
    return rows()
  }
  expect(await states(() => harness.call(addRelay, { url }))).toEqual([{ url, state: 'pending' }])
  expect(await states(() => harness.call(disableRelay, { url }))).toEqual([{ url, state: 'idle' }])
  expect(await states(() => harness.call(enableRelay, { url }))).toEqual([{ url, state: 'pending' }])
  expect(await states(() => harness.call(removeRelay, { url }))).toEqual([])
})
