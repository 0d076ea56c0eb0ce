/** Activities of local accounts are delivered to their recipients, once each, signed, and to no other server. */
import {
  type AccountRecord,
  accountChanged,
  accountMoved,
  accountRemoved,
  blockCreated,
  blockRemoved,
  followCreated,
  followRemoved,
  followRequested,
  followRequestRemoved,
} from '@murmuration/contracts/accounts'
import { reportFiled } from '@murmuration/contracts/admin'
import {
  deliveryOfStatus,
  deliveryState,
  dropDeliveriesOfHost,
  explainDelivery,
} from '@murmuration/contracts/federation'
import type { Viewer } from '@murmuration/contracts/kit'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { favouriteCreated, favouriteRemoved, pollEnded, pollVoted } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { type Delivery, type RemoteServer, startRemoteServer } from '@murmuration/testkit/outside/remote-server'
import { verifySigned } from '@murmuration/testkit/outside/signing'
import { serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { markAlive } from '../src/delivery/host-queue.store.js'
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
/** Two servers with one person each. */
let remote: RemoteServer
let other: RemoteServer
let rita: AccountRecord
let olaf: AccountRecord
let ada: AccountRecord
let shared: string
let otherShared: string

beforeAll(async () => {
  harness = await startSiblingServices()
  remote = await startRemoteServer()
  other = await startRemoteServer()
  shared = `${remote.origin}/inbox`
  otherShared = `${other.origin}/inbox`
  rita = remoteAccount(harness, await remote.addActor('rita'), shared)
  olaf = remoteAccount(harness, await other.addActor('olaf'), otherShared)
})
afterAll(async () => {
  await harness.stop()
  await Promise.all([remote.close(), other.close()])
})
beforeEach(async () => {
  for (const server of [remote, other]) {
    server.repair()
    server.inbox.clear()
    server.requests.clear()
  }
  ada = await createAccount(harness, 'ada')
})

/** Activities that arrived once everything is done, as `path type`. */
const arrived = async (server = remote): Promise<string[]> => {
  await harness.waitForIdle()
  return server.inbox.all.map((one: Delivery) => `${one.path} ${one.activity.type}`)
}
const follow = (...inboxes: string[]) => harness.tables.inboxes.set(ada.id, inboxes)
const named = (...accounts: AccountRecord[]) => ({
  mention_accounts: accounts.map(({ id }) => ({ id, silent: false })),
})

describe('statuses', () => {
  test('a public status is sent to followers and mentioned accounts, once per server, signed by its author', async () => {
    follow(shared, otherShared)
    const status = await posted(harness, ada, named(rita))
    expect([await arrived(), await arrived(other)]).toEqual([['/inbox Create'], ['/inbox Create']])
    const [delivery] = remote.inbox.all as Delivery[]
    expect(delivery?.activity).toMatchObject({
      id: `${status.uri}/activity`,
      actor: ada.uri,
      object: { id: status.uri, type: 'Note' },
    })
    const key = harness.tables.keys.get(ada.id)
    const result = verifySigned(delivery as Delivery, key?.publicPem ?? '', remote.origin)
    expect(result).toMatchObject({ scheme: 'cavage', keyId: `${ada.uri}#main-key` })
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/activity+json',
      'user-agent': `Murmuration/4.6.0 (+${harness.ours.site.origin}/)`,
    })
  })

  test('I6 a private status is sent to followers and mentioned accounts, a direct one to mentioned accounts only', async () => {
    follow(shared)
    const answered = { in_reply_to: '1', in_reply_to_author: olaf.id }
    await posted(harness, ada, { visibility: 'private', ...answered })
    expect([await arrived(), await arrived(other)]).toEqual([['/inbox Create'], []])
    await posted(harness, ada, { visibility: 'direct', ...answered, ...named(olaf) })
    expect([await arrived(), await arrived(other)]).toEqual([['/inbox Create'], ['/inbox Create']])
    await posted(harness, ada, { visibility: 'public', ...answered })
    expect(await arrived(other)).toEqual(['/inbox Create', '/inbox Create'])
  })

  test('a reply to a local account is also sent to its remote followers', async () => {
    const bob = await createAccount(harness, 'bob')
    harness.tables.inboxes.set(bob.id, [otherShared])
    await posted(harness, ada, { in_reply_to: '1', in_reply_to_author: bob.id })
    expect(await arrived(other)).toEqual(['/inbox Create'])
  })

  test('an activity without remote recipients is not stored; a quote of a remote status has one', async () => {
    const [zoe, bob] = [await createAccount(harness, 'zoe'), await createAccount(harness, 'bob')]
    const alone = await posted(harness, zoe, { in_reply_to: '1', in_reply_to_author: bob.id, ...named(bob) })
    const quote = { uri: 'https://x', author: olaf.id, stamp: null, pending: false }
    const quoting = await posted(harness, zoe, { quote })
    expect([await arrived(), await arrived(other)]).toEqual([[], ['/inbox Create']])
    const written = await Promise.all(
      [alone, quoting].map(async (it) => (await harness.call(explainDelivery, { activity: it.uri })).activities.length),
    )
    expect(written).toEqual([0, 1])
  })

  test('a remote status, one of a suspended account, and a deleted one are not sent', async () => {
    follow(shared)
    const remoteOne = written(harness, ada, { local: false })
    await announceCreated(harness, { ...remoteOne, deleted: true, visibility: 'public' })
    harness.tables.sources.set(remoteOne.id, { ...remoteOne, deleted: true })
    harness.tables.accounts.set(ada.id, { ...ada, suspended: true })
    await posted(harness, ada)
    expect(await arrived()).toEqual([])
  })

  test('local inboxes and blocked servers are left out', async () => {
    follow(`${harness.ours.site.origin}/inbox`, shared, 'https://a.blocked.example/inbox')
    await harness.block('blocked.example')
    const status = await posted(harness, ada)
    await arrived()
    const { activities } = await harness.call(explainDelivery, { activity: status.uri })
    expect(activities[0]?.deliveries.map((one) => one.inbox)).toEqual([shared])
    await harness.block()
  })

  test('a reblog and its Undo are sent to followers and to the original author', async () => {
    follow(shared)
    const boost = await posted(harness, ada, {
      reblog_of: '1',
      reblog_of_author: olaf.id,
      reblog_of_uri: `${other.origin}/notes/1`,
    })
    expect([await arrived(), await arrived(other)]).toEqual([['/inbox Announce'], ['/inbox Announce']])
    follow()
    await announceDeleted(harness, boost)
    expect([await arrived(), await arrived(other)]).toEqual([
      ['/inbox Announce', '/inbox Undo'],
      ['/inbox Announce', '/inbox Undo'],
    ])
    expect(remote.inbox.all[1]?.activity).toMatchObject({
      object: remote.inbox.all[0]?.activity.id && { type: 'Announce' },
    })
  })

  test('Update and Delete are sent to former recipients, also after they unfollowed', async () => {
    follow(shared)
    const status = await posted(harness, ada)
    await arrived()
    follow(otherShared)
    await announceEdited(harness, status)
    expect([await arrived(), await arrived(other)]).toEqual([['/inbox Create', '/inbox Update'], ['/inbox Update']])
    await announceDeleted(harness, status)
    expect([await arrived(), await arrived(other)]).toEqual([
      ['/inbox Create', '/inbox Update', '/inbox Delete'],
      ['/inbox Update', '/inbox Delete'],
    ])
  })

  test('F024 a status whose deletion event arrives first is never sent', async () => {
    follow(shared)
    const status = written(harness, ada, { visibility: 'direct' })
    await announceDeleted(harness, status)
    await harness.waitForIdle()
    harness.tables.sources.set(status.id, status)
    await announceCreated(harness, { ...status, visibility: 'public' })
    expect(await arrived()).toEqual([])
  })

  test('F023 a repeated event has no second effect', async () => {
    follow(shared)
    await posted(harness, ada)
    await arrived()
    await harness
      .db('statuses')
      .run(sql`update outbox set sent_at = null, replays = replays + 1, created_at = created_at - interval '1 minute'`)
    expect(await arrived()).toEqual(['/inbox Create'])
  })

  test('two thousand inboxes are stored in pages and processed in parts', async () => {
    const before = await harness.db('federation').row<{ n: number }>(sql`select count(*)::int as n from lanes`)
    follow(...Array.from({ length: 2_100 }, (_, i) => `http://127.1.${i >> 8}.${i & 255}:1/inbox`))
    const status = await posted(harness, ada)
    const count = async () =>
      (await harness.call(explainDelivery, { activity: status.uri, limit: 1 })).activities[0]?.counts.pending
    // On a busy machine, it takes longer than the usual wait.
    await expect.poll(count).toBe(2_100)
    const after = await harness.db('federation').row<{ n: number }>(sql`select count(*)::int as n from lanes`)
    expect((after?.n ?? 0) - (before?.n ?? 0)).toBe(2_100)
    const jobs = await harness.db('federation').row<{
      n: number
    }>(sql`select count(*)::int as n from outbox where subject = 'job.federation.deliver' and data::jsonb ? 'parts'
        and data::jsonb ->> 'activity' = (select id::text from activities where object_uri = ${status.uri})`)
    expect(jobs?.n).toBe(5)
    // The delivery workers lock some of these rows too.
    await harness.db('federation').tx((tx) => tx.run(sql`update deliveries set state = 3 where state = 0`))
  })
})

describe('activities about relations', () => {
  const interaction = (more = {}) => ({
    id: harness.nextId(),
    status: '1',
    statusUri: `${remote.origin}/notes/1`,
    author: rita.id,
    authorLocal: false,
    by: ada.id,
    byLocal: true,
    uri: null,
    ...more,
  })
  const pair = (more = {}) => ({
    id: harness.nextId(),
    from: ada.id,
    to: rita.id,
    fromLocal: true,
    toLocal: false,
    uri: null,
    ...more,
  })
  /** A follow whose follower is remote. */
  const theirs = (more = {}) =>
    pair({
      from: rita.id,
      to: ada.id,
      fromLocal: false,
      toLocal: true,
      uri: `${rita.uri}/follows/${harness.nextId()}`,
      ...more,
    })

  test('a favourite and its Undo are sent to the personal inbox of the author only', async () => {
    const one = interaction()
    await harness.announce(favouriteCreated, one)
    expect(await arrived()).toEqual(['/users/rita/inbox Like'])
    await harness.announce(favouriteRemoved, one)
    expect(await arrived()).toEqual(['/users/rita/inbox Like', '/users/rita/inbox Undo'])
    const [like, undo] = remote.inbox.all as Delivery[]
    expect(like?.activity).toMatchObject({ id: `${ada.uri}#likes/${one.id}`, object: one.statusUri })
    expect(undo?.activity).toMatchObject({ object: { id: like?.activity.id, type: 'Like', object: one.statusUri } })
  })

  test('F024 an Undo that arrives before its favourite prevents it', async () => {
    const one = interaction()
    await harness.announce(favouriteRemoved, one)
    await harness.waitForIdle()
    await harness.announce(favouriteCreated, one)
    expect(await arrived()).toEqual(['/users/rita/inbox Undo'])
  })

  test('favourites by remote accounts, and of local statuses, are not sent', async () => {
    await harness.announce(favouriteCreated, interaction({ byLocal: false }))
    await harness.announce(favouriteCreated, interaction({ authorLocal: true }))
    expect(await arrived()).toEqual([])
  })

  test('a follow request is sent, and undone', async () => {
    const wish = pair()
    await harness.announce(followRequested, wish)
    await harness.waitForIdle()
    await harness.announce(followRequestRemoved, { ...wish, why: 'withdrawn' })
    expect(await arrived()).toEqual(['/users/rita/inbox Follow', '/users/rita/inbox Undo'])
    expect(remote.inbox.all[0]?.activity).toMatchObject({ actor: ada.uri, object: rita.uri })
  })

  test('a remote follow is accepted with its own id, and ended by a Reject', async () => {
    const relation = theirs()
    await harness.announce(followCreated, { ...relation, accepted: false })
    await harness.waitForIdle()
    await harness.announce(followRemoved, { ...relation, byTarget: true })
    expect(await arrived()).toEqual(['/users/rita/inbox Accept', '/users/rita/inbox Reject'])
    expect(remote.inbox.all.map((one) => one.activity.object)).toEqual(
      [1, 2].map(() => ({ id: relation.uri, type: 'Follow', actor: rita.uri, object: ada.uri })),
    )
  })

  test('S-028 a remote follow request is rejected', async () => {
    await harness.announce(followRequestRemoved, { ...theirs(), why: 'rejected' })
    expect(await arrived()).toEqual(['/users/rita/inbox Reject'])
  })

  test('relations that the other side ended, and those between local accounts, are not sent', async () => {
    await harness.announce(followRemoved, { ...theirs(), byTarget: false })
    await harness.announce(followRemoved, { ...pair(), byTarget: true })
    await harness.announce(followCreated, { ...pair(), accepted: true })
    await harness.announce(followRequestRemoved, { ...theirs(), why: 'accepted' })
    await harness.announce(followRequested, pair({ toLocal: true, to: ada.id }))
    expect(await arrived()).toEqual([])
  })

  test('an unfollow undoes the Follow with its id', async () => {
    await harness.announce(followRemoved, { ...pair({ uri: `${ada.uri}#follows/7` }), byTarget: false })
    expect(await arrived()).toEqual(['/users/rita/inbox Undo'])
    expect(remote.inbox.all[0]?.activity).toMatchObject({ object: { id: `${ada.uri}#follows/7`, type: 'Follow' } })
  })

  test('a block and its Undo are sent', async () => {
    const block = pair()
    await harness.announce(blockCreated, block)
    await harness.waitForIdle()
    await harness.announce(blockRemoved, block)
    expect(await arrived()).toEqual(['/users/rita/inbox Block', '/users/rita/inbox Undo'])
  })

  test('a follow that ends with a block of the whole domain still reaches it', async () => {
    await harness.block('127.0.0.1')
    await posted(harness, ada, named(rita))
    await harness.announce(followRemoved, { ...theirs(), byTarget: true })
    await harness.announce(followRequested, pair())
    expect(await arrived()).toEqual(['/users/rita/inbox Reject'])
    await harness.block()
  })

  test('S-028 S-025 a report is sent by the instance actor, to servers of the reported and the replied-to accounts', async () => {
    const { publicPem, privatePem } = harness.tables.keys.get(ada.id) as { publicPem: string; privatePem: string }
    const actor = `${harness.ours.site.origin}/actor`
    harness.tables.keys.set('-99', { keyId: `${actor}#main-key`, publicPem, privatePem })
    const bad = written(harness, rita, { uri: `${remote.origin}/notes/9`, local: false, in_reply_to_author: olaf.id })
    const list = { id: harness.nextId(), uri: `${rita.uri}/collections/1`, owner: rita.id }
    const others = { id: harness.nextId(), uri: `${olaf.uri}/collections/1`, owner: olaf.id }
    harness.tables.collections.push(list, others)
    const report = {
      id: harness.nextId(),
      reporter: ada.id,
      target: rita.id,
      statusIds: [bad.id],
      collectionIds: [list.id, others.id],
      comment: 'spam',
      category: 'spam',
      forward: [rita.domain ?? '', olaf.domain ?? ''],
      first: true,
    }
    await harness.announce(reportFiled, report)
    await harness.announce(reportFiled, { ...report, id: harness.nextId(), forward: [] })
    expect([await arrived(), await arrived(other)]).toEqual([['/users/rita/inbox Flag'], ['/users/olaf/inbox Flag']])
    const [flag] = remote.inbox.all as Delivery[]
    expect(flag?.activity).toMatchObject({ actor, object: [rita.uri, list.uri, bad.uri], content: 'spam' })
    expect(flag?.headers.signature).toContain(`${actor}#main-key`)
    expect(JSON.stringify(flag?.activity)).not.toContain(ada.uri)
  })
})

describe('polls', () => {
  const voted = (more = {}) => ({
    id: harness.nextId(),
    status: '1',
    statusUri: `${remote.origin}/polls/1`,
    author: rita.id,
    authorLocal: false,
    by: ada.id,
    byLocal: true,
    options: ['tea', 'coffee'],
    ...more,
  })

  test('votes are sent to the author of the poll only, one Note per choice', async () => {
    await harness.announce(pollVoted, voted())
    await harness.announce(pollVoted, voted({ byLocal: false }))
    expect(await arrived()).toEqual(['/users/rita/inbox Create', '/users/rita/inbox Create'])
    const notes = remote.inbox.all.map((one) => one.activity.object as Record<string, unknown>)
    expect(notes.map((it) => [it.name, it.inReplyTo, it.to]).sort()).toEqual([
      ['coffee', `${remote.origin}/polls/1`, [rita.uri]],
      ['tea', `${remote.origin}/polls/1`, [rita.uri]],
    ])
  })

  test('results of a local poll are sent three minutes after a vote, also to the voter, and at its end', async () => {
    follow(shared)
    const poll = {
      multiple: false,
      options: [{ title: 'tea', votes: 1 }],
      expires_at: null,
      closed: false,
      hidden: false,
      voters: 1,
    }
    const status = await posted(harness, ada, { poll })
    await harness.waitForIdle()
    const ours = { status: status.id, statusUri: status.uri, author: ada.id, authorLocal: true }
    await harness.announce(pollVoted, voted({ ...ours, by: olaf.id, byLocal: false }))
    await harness.announce(pollVoted, voted(ours))
    expect(await arrived()).toEqual(['/inbox Create'])
    harness.moveTo(190_000)
    await Promise.all([remote.inbox.reached(2), other.inbox.reached(1)])
    harness.moveTo(0)
    await harness.announce(pollEnded, { id: '1', status: status.id, author: ada.id, local: true })
    await remote.inbox.reached(3)
    expect(await arrived()).toEqual(['/inbox Create', '/inbox Update', '/inbox Update'])
    expect(remote.inbox.all[1]?.activity.object).toMatchObject({ id: status.uri, type: 'Question', votersCount: 1 })
  })

  test('results that are hidden until the end of the poll are sent only then', async () => {
    follow(shared)
    const poll = { multiple: false, options: [{ title: 'tea', votes: 0 }], expires_at: null, closed: false, voters: 1 }
    const status = await posted(harness, ada, { poll: { ...poll, hidden: true } })
    await harness.waitForIdle()
    expect(remote.inbox.all[0]?.activity.object).toMatchObject({
      oneOf: [{ name: 'tea', replies: { type: 'Collection' } }],
    })
    const sent = JSON.stringify(remote.inbox.all[0]?.activity.object)
    expect(sent.slice(sent.indexOf('"oneOf"'))).not.toContain('totalItems')
    await harness.announce(
      pollVoted,
      voted({
        status: status.id,
        statusUri: status.uri,
        author: ada.id,
        authorLocal: true,
        by: olaf.id,
        byLocal: false,
      }),
    )
    // Recorded before the delay is over.
    await harness.waitForIdle()
    harness.moveTo(190_000)
    const db = harness.db('federation')
    // The job runs and records the change for another day.
    const isDue = sql`select 1 from poll_changes where due_at < ${new Date(harness.ours.clock.now() + 3_600_000)}`
    while ((await db.rows(isDue)).length) await new Promise((go) => setTimeout(go, 20))
    await harness.waitForIdle()
    harness.moveTo(0)
    expect(await arrived()).toEqual(['/inbox Create'])
    harness.tables.sources.set(status.id, {
      ...status,
      poll: { ...poll, options: [{ title: 'tea', votes: 1 }], hidden: false, closed: true },
    })
    await harness.announce(pollEnded, { id: '1', status: status.id, author: ada.id, local: true })
    await remote.inbox.reached(2)
    expect(remote.inbox.all[1]?.activity.object).toMatchObject({
      oneOf: [{ replies: { type: 'Collection', totalItems: 1 } }],
    })
    // The voter's server receives it too.
    await other.inbox.reached(1)
  })
})

describe('accounts', () => {
  const flags = {
    local: true,
    silenced: false,
    suspended: false,
    sensitized: false,
    discoverable: true,
    indexable: true,
    domain: null,
  }

  test('several profile changes are sent once, to followers and to recently addressed accounts', async () => {
    follow(shared)
    await harness.announce(favouriteCreated, {
      id: harness.nextId(),
      status: '1',
      statusUri: `${other.origin}/notes/1`,
      author: olaf.id,
      authorLocal: false,
      by: ada.id,
      byLocal: true,
      uri: null,
    })
    await harness.waitForIdle()
    for (let n = 0; n < 3; n++) await harness.announce(accountChanged, { id: ada.id, flags, profile: true })
    await harness.announce(accountChanged, { id: ada.id, flags, profile: false })
    expect(await arrived()).toEqual([])
    harness.moveTo(6_000)
    await remote.inbox.reached(1)
    await other.inbox.reached(2)
    harness.moveTo(0)
    expect(await arrived()).toEqual(['/inbox Update'])
    expect(await arrived(other)).toEqual(['/users/olaf/inbox Like', '/inbox Update'])
    expect(remote.inbox.all[0]?.activity).toMatchObject({ actor: ada.uri, object: { id: ada.uri, type: 'Person' } })
  })

  test('S-028 activities 4 m24 a Move is sent once to followers and blockers, and not after a cancelled move', async () => {
    follow(shared)
    harness.tables.blockers.set(ada.id, [otherShared])
    const targetUri = `${other.origin}/users/olaf`
    const moved = { id: ada.id, local: true, uri: ada.uri, target: olaf.id, targetUri }
    await harness.announce(accountMoved, moved)
    expect(await arrived()).toEqual([])
    harness.tables.accounts.set(ada.id, { ...ada, moved_to_id: olaf.id })
    await harness.announce(accountMoved, moved)
    await harness.announce(accountMoved, { ...moved, id: rita.id, local: false })
    expect(await arrived()).toEqual(['/inbox Move'])
    expect(await arrived(other)).toEqual(['/inbox Move'])
    expect(remote.inbox.all[0]?.activity).toMatchObject({
      actor: ada.uri,
      object: ada.uri,
      target: targetUri,
      to: [`${ada.uri}/followers`],
    })
    harness.tables.accounts.set(ada.id, ada)
  })

  test('F054 a deleted account is announced with one Delete to all its delivery recipients', async () => {
    follow(shared)
    const statuses = await Promise.all(Array.from({ length: 20 }, () => posted(harness, ada)))
    await posted(harness, ada, { visibility: 'direct', ...named(olaf) })
    await harness.waitForIdle()
    follow()
    harness.tables.accounts.delete(ada.id)
    await harness.announce(accountRemoved, { id: ada.id, local: true, uri: ada.uri })
    await Promise.all(statuses.map((one) => announceDeleted(harness, one)))
    const ends = async (server: RemoteServer) => (await arrived(server)).filter((one) => one.endsWith('Delete'))
    expect([await ends(remote), await ends(other)]).toEqual([['/inbox Delete'], ['/inbox Delete']])
    expect(
      await harness.db('federation').rows(sql`select 1 from gone_actors where account_id = ${ada.id}`),
    ).toHaveLength(1)
  })
})

test('operators see pending deliveries and those of an activity, and authors the number of servers', async () => {
  remote.behave({ kind: 'status', status: 503 })
  follow(shared, otherShared)
  const status = await posted(harness, ada)
  await arrived()
  const host = new URL(remote.origin).host
  const { hosts, held } = await harness.call(deliveryState, { host })
  expect(held).toBe(1)
  expect(hosts).toMatchObject([{ host, waiting: 1, failures: 1, trouble: 'status 503', unavailable_since: null }])
  expect((await harness.call(deliveryState, {})).hosts.map((one) => one.host)).toEqual([host])
  const { activities } = await harness.call(explainDelivery, { activity: `${status.uri}/activity` })
  expect(activities).toMatchObject([{ kind: 'Create', counts: { pending: 1, delivered: 1 } }])
  const page = new URL(`/@ada/${status.id}`, harness.ours.site.origin).href
  expect(await harness.call(explainDelivery, { activity: page })).toEqual({ activities })
  expect(activities[0]?.deliveries).toMatchObject([
    { inbox: shared, state: 'pending', attempts: 1, status: 503 },
    { inbox: otherShared, state: 'delivered', attempts: 1, status: 202 },
  ])
  const less = await harness.call(explainDelivery, { activity: page, limit: 1 })
  expect(less.activities.map((it) => [it.deliveries.map((one) => one.inbox), it.more])).toEqual([[[shared], 1]])
  expect((await harness.call(explainDelivery, { activity: 'https://nothing.example' })).activities).toEqual([])

  // The author sees the counts, staff also the servers, and other accounts get 404.
  const sendRequest = (as: Viewer, id = status.id) => harness.call(deliveryOfStatus, { id }, as)
  expect(await sendRequest(viewer(ada.id))).toEqual({ servers: 2, delivered: 1, pending: 1, failed: 0, hosts: null })
  const outsider = await createAccount(harness, 'outsider')
  await expect(sendRequest(viewer(outsider.id))).rejects.toMatchObject({ code: 'not_found' })
  const sent = await sendRequest(viewer(outsider.id, { permissions: PERMISSIONS.manage_federation }))
  expect(sent.hosts?.toSorted((a, b) => (a.state < b.state ? -1 : 1))).toEqual([
    { host: new URL(other.origin).host, state: 'delivered', status: 202 },
    { host, state: 'pending', status: 503 },
  ])
  const remoteOne = written(harness, rita, { local: false })
  await expect(sendRequest(viewer(rita.id), remoteOne.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('deliveries in memory for a host that is blocked meanwhile are refused, except those in flight', async () => {
  let asked = 0
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const slow = await serve(async ({ path }) => {
    asked++
    if (path !== '/inbox') await gate
    return { status: 202 }
  })
  const counts = async (it: { uri: string }) =>
    (await harness.call(explainDelivery, { activity: `${it.uri}/activity` })).activities[0]?.counts
  // For a server that never accepted a delivery, one delivery is read at a time.
  follow(`${slow.origin}/inbox`)
  const first = await posted(harness, ada)
  await expect.poll(() => counts(first)).toMatchObject({ delivered: 1 })
  follow(...Array.from({ length: 6 }, (_, n) => `${slow.origin}/inbox/${n}`))
  const status = await posted(harness, ada)
  await expect.poll(() => asked).toBe(3)
  await harness.block('127.0.0.1')
  open()
  await expect.poll(() => counts(status)).toMatchObject({ pending: 0, delivered: 2, refused: 4 })
  expect(asked).toBe(3)
  await harness.block()
  await expect.poll(() => harness.ours.policy.domainRule('127.0.0.1')).toBeNull()
  await slow.close()
})

describe('a server without a response', () => {
  let away: RemoteServer
  beforeEach(async () => {
    away = await startRemoteServer()
    follow(`${away.origin}/inbox`, otherShared)
  })
  afterEach(() => away.close())
  const host = () => new URL(away.origin).host

  test('its pending deliveries can be given up, and later activities are sent again', async () => {
    const repair = away.behave({ kind: 'status', status: 503 })
    const status = await posted(harness, ada)
    await arrived()
    expect(await harness.call(dropDeliveriesOfHost, { host: host() })).toEqual({
      host: host(),
      given_up: 1,
      more: false,
    })
    expect(await harness.call(dropDeliveriesOfHost, { host: host() })).toEqual({
      host: host(),
      given_up: 0,
      more: false,
    })
    const { activities } = await harness.call(explainDelivery, { activity: `${status.uri}/activity` })
    expect(activities).toMatchObject([{ counts: { pending: 0, delivered: 1, 'gave-up': 1 } }])
    expect((await harness.call(deliveryState, { host: host() })).hosts).toMatchObject([{ waiting: 0 }])
    await expect(harness.call(dropDeliveriesOfHost, { host: 'nobody.example' })).rejects.toMatchObject({
      code: 'not_found',
    })

    repair()
    await markAlive(harness.db('federation'), host(), harness.ours.clock.date())
    const later = await posted(harness, ada)
    await away.inbox.reached(1)
    expect(away.inbox.all.map((one: Delivery) => one.activity.id)).toEqual([`${later.uri}/activity`])
  })

  test('its inbox is shown as gone after 410', async () => {
    away.behave({ kind: 'status', status: 410 })
    const goneInboxes = async () => (await harness.call(deliveryState, { host: host() })).hosts[0]?.gone_inboxes
    await posted(harness, ada)
    await arrived()
    expect(await goneInboxes()).toBe(1)
    await markAlive(harness.db('federation'), host(), harness.ours.clock.date())
    expect(await goneInboxes()).toBe(0)
  })

  test('it is listed as unavailable, also without pending deliveries', async () => {
    await posted(harness, ada)
    await arrived()
    const unavailable = async () => (await harness.call(deliveryState, { unavailable: true })).hosts
    expect(await unavailable()).toEqual([])
    await harness.db('federation').run(sql`update lanes set unavailable_since = now() where host = ${host()}`)
    expect(await unavailable()).toMatchObject([{ host: host(), waiting: 0, unavailable_since: expect.any(String) }])
  })
})
