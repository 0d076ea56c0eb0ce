/** Synchronisation of followers between servers (FEP-8fcf): headers of deliveries, and handling of received headers. */

import {
  followersDigest,
  writeCollectionSynchronization,
} from '@murmuration/activitypub/signatures/collection-synchronization'
import { createFollow, listRelationships } from '@murmuration/contracts/accounts'
import { fetchFollowers } from '@murmuration/contracts/federation'
import { createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { request } from '@murmuration/testkit/outside/http-client'
import { makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

type LocalAccount = Awaited<ReturnType<Harness['createAccount']>>

let harness: Harness
let remote: RemoteServer
let other: RemoteServer
let rita: RemoteActor
let olaf: RemoteActor
let ada: LocalAccount

beforeAll(async () => {
  harness = await startHarness()
  remote = await harness.server()
  other = await harness.server()
  rita = await remote.addActor('rita')
  olaf = await other.addActor('olaf')
  ada = await harness.createAccount('ada')
  for (const [server, actor] of [
    [remote, rita],
    [other, olaf],
  ] as const)
    expect(await harness.outcome(server, makeActivity(actor, 'Follow', ada.uri), { as: actor })).toBe('done')
})
afterAll(() => harness.stop())

const following = async (account: LocalAccount): Promise<boolean | undefined> => {
  const { id = '' } = (await harness.account(rita.id)) ?? {}
  return (await harness.call(listRelationships, { id: [id] }, account))[0]?.following
}
/** Local account that follows rita with her consent. */
const follower = async (name: string): Promise<LocalAccount> => {
  const account = await harness.createAccount(name)
  const { id = '' } = (await harness.account(rita.id)) ?? {}
  await harness.call(createFollow, { id }, account)
  const follow = await remote.inbox.next((it) => it.activity.type === 'Follow' && it.activity.actor === account.uri)
  await harness.outcome(remote, makeActivity(rita, 'Accept', follow.activity), { as: rita })
  expect(await following(account)).toBe(true)
  return account
}
const LIST = '/users/rita/followers_synchronization'
const header = (uris: string[], digest = followersDigest(uris)) =>
  writeCollectionSynchronization({ collectionId: rita.followers, url: `${remote.origin}${LIST}`, digest })
/** Followers that the server of rita lists, and the header beside a status for followers. */
const says = async (listed: string[], claimed = header(listed), tamper: Record<string, string> = {}) => {
  remote.publish(LIST, {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${remote.origin}${LIST}`,
    type: 'OrderedCollection',
    orderedItems: listed,
  })
  const note = { ...remote.addNote(rita, 'for followers'), to: [rita.followers], cc: [] }
  const answer = await harness.deliver(remote, makeActivity(rita, 'Create', note), {
    as: rita,
    headers: { 'collection-synchronization': claimed },
    tamper,
  })
  await harness.waitForIdle()
  return answer.status
}
const lists = () => remote.requests.all.filter((it) => it.path === LIST).length

test('a followers-only status has a signed digest of the followers on each server', async () => {
  for (const visibility of ['private', 'public'] as const)
    await harness.call(createStatus, { status: `a ${visibility} one`, visibility }, ada)
  const url = `${ada.uri}/followers_synchronization`
  for (const [server, actor] of [
    [remote, rita],
    [other, olaf],
  ] as const) {
    const isPublic = (to: unknown) => JSON.stringify(to).includes('#Public')
    const sent = await server.inbox.next((it) => it.activity.type === 'Create' && !isPublic(it.activity))
    expect(sent.headers['collection-synchronization']).toBe(
      `collectionId="${ada.uri}/followers", url="${url}", digest="${followersDigest([actor.id])}"`,
    )
    expect(sent.headers.signature).toContain('collection-synchronization')
    expect(await server.verify(sent, { as: actor })).toMatchObject({ keyId: `${ada.uri}#main-key` })
    const open = await server.inbox.next((it) => it.activity.type === 'Create' && isPublic(it.activity))
    expect(open.headers['collection-synchronization']).toBeUndefined()
  }
})

test('the list of followers is served to signed requests, each with the followers on that server', async () => {
  const url = `${ada.uri}/followers_synchronization`
  expect((await remote.fetch(url, { as: rita })).json()).toMatchObject({
    id: url,
    type: 'OrderedCollection',
    orderedItems: [rita.id],
  })
  expect((await other.fetch(url, { as: olaf })).json()).toMatchObject({ orderedItems: [olaf.id] })
  expect((await request(url, { headers: { accept: 'application/activity+json' } })).status).toBe(401)
  const outsider = await harness.server()
  const eve = await outsider.addActor('eve')
  expect((await outsider.fetch(url, { as: eve })).json()).toMatchObject({ orderedItems: [] })
})

test('a follow that another server no longer lists ends, once, without an activity', async () => {
  const [kept, lost] = [await follower('kept'), await follower('lost')]
  expect(await says([kept.uri, lost.uri])).toBe(202)
  expect([await following(kept), await following(lost), lists()]).toEqual([true, true, 0])
  expect(await says([kept.uri])).toBe(202)
  expect([await following(kept), await following(lost), lists()]).toEqual([true, false, 1])
  await says([kept.uri])
  expect(lists()).toBe(1)
  expect(remote.inbox.all.filter((it) => it.activity.type === 'Undo')).toEqual([])
})

test('a list that does not match the digest, or has other actors, changes nothing', async () => {
  const safe = await follower('safe')
  await says([], header([`${harness.origin}/ap/users/1`]))
  expect(await following(safe)).toBe(true)
  await says([`${other.origin}/users/olaf`])
  expect(await following(safe)).toBe(true)
})

test('a list with actors of other servers is not read further', async () => {
  const piece = (name: string, items: string[], next: string | null) => {
    const id = `${remote.origin}${LIST}${name}`
    remote.publish(`${LIST}${name}`, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id,
      type: 'OrderedCollectionPage',
      orderedItems: items,
      ...(next ? { next: `${remote.origin}${LIST}${next}` } : {}),
    })
    return id
  }
  const seen = (name: string) => remote.requests.all.filter((it) => it.path === `${LIST}${name}`).length
  const accounts = (origin: string) => Array.from({ length: 5_000 }, (_, n) => `${origin}/users/none${n}`)
  piece('/end', [], null)
  const unsaid = 'f'.repeat(64)
  const hostile = {
    others: accounts(other.origin),
    long: [...accounts(harness.origin), `${harness.origin}/${'x'.repeat(300)}`],
    ours: accounts(harness.origin),
  }
  for (const [name, items] of Object.entries(hostile)) {
    const url = piece(`/${name}`, items, '/end')
    await says([], writeCollectionSynchronization({ collectionId: rita.followers, url, digest: unsaid }))
    expect(seen(`/${name}`)).toBe(1)
    // A call reads about five thousand ids. Only a list that may match is read further.
    expect(seen('/end')).toBe(name === 'ours' ? 1 : 0)
  }
})

test('a header that is unsigned, or about another actor, is ignored', async () => {
  const calm = await follower('calm')
  const before = lists()
  const unsigned = await harness.deliver(remote, makeActivity(rita, 'Like', `${ada.uri}/statuses/1`), {
    as: rita,
    tamper: { 'collection-synchronization': header([]) },
  })
  const foreign = header([]).replace(rita.followers, olaf.followers)
  expect([unsigned.status, await says([], foreign)]).toEqual([202, 202])
  expect([await following(calm), lists()]).toEqual([true, before])
})

test('for listed accounts that do not follow, an Undo is sent once', async () => {
  const outsider = await harness.createAccount('outsider')
  const { id = '' } = (await harness.account(rita.id)) ?? {}
  const rows = await harness.db('accounts').rows<{ uri: string }>(sql`select a.uri from follows f
    join accounts a on a.id = f.account_id where f.target_id = ${id}`)
  const listed = [...rows.map((row) => row.uri), outsider.uri]
  await says(listed)
  const undo = await remote.inbox.next((it) => it.activity.type === 'Undo')
  expect(undo.activity).toMatchObject({
    actor: outsider.uri,
    object: { type: 'Follow', actor: outsider.uri, object: rita.id },
  })
})

test('a list with pages is read to its end, and an endless one is ignored', async () => {
  const page = (name: string, items: string[], next: string | null) =>
    remote.publish(`/pages/${name}`, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${remote.origin}/pages/${name}`,
      type: 'OrderedCollectionPage',
      orderedItems: items,
      ...(next ? { next: `${remote.origin}/pages/${next}` } : {}),
    })
  page('a', [`${harness.origin}/ap/users/1`], 'b')
  page('b', [`${harness.origin}/ap/users/2`], null)
  expect(await harness.call(fetchFollowers, { url: `${remote.origin}/pages/a` })).toEqual({
    outcome: 'ok',
    uris: [`${harness.origin}/ap/users/1`, `${harness.origin}/ap/users/2`],
    next: null,
  })
  page('c', [], 'd')
  page('d', [], 'c')
  expect(await harness.call(fetchFollowers, { url: `${remote.origin}/pages/c` })).toMatchObject({ outcome: 'refused' })
})

test('more followers than fit in one document are served in pages, and compared in parts', async () => {
  const many = 6_000
  await harness.db('accounts').run(sql`with made as (
      insert into accounts (id, username, domain, uri, url, created_at)
      select n, 'fan' || n, ${new URL(remote.origin).hostname}, ${`${remote.origin}/users/fan`} || n, ${remote.origin}, now()
      from generate_series(1, ${many}::int) n returning id)
    insert into follows (id, account_id, target_id, account_local, created_at)
    select id, id, ${ada.id}::bigint, false, now() from made`)
  const url = `${ada.uri}/followers_synchronization`
  const read = async (at: string) => (await remote.fetch(at, { as: rita })).json() as Record<string, unknown>
  const root = await read(url)
  expect(root).toMatchObject({ id: url, type: 'OrderedCollection', first: expect.any(String) })
  expect(root.orderedItems).toBeUndefined()
  const listed: unknown[] = []
  for (let at: unknown = root.first; typeof at === 'string'; ) {
    const page = await read(at)
    expect(page).toMatchObject({ id: at, type: 'OrderedCollectionPage', partOf: url })
    listed.push(...(page.orderedItems as unknown[]))
    at = page.next
  }
  expect(listed).toHaveLength(many + 1)
  expect(new Set(listed).size).toBe(many + 1)
})

test('a list of more than five thousand followers is reconciled', async () => {
  const [kept, lost] = [await follower('keptofmany'), await follower('lostofmany')]
  const { id = '' } = (await harness.account(rita.id)) ?? {}
  const others = Array.from({ length: 6_000 }, (_, n) => `${harness.origin}/users/here${n}`)
  await harness.db('accounts').run(sql`with made as (
      insert into accounts (id, username, uri, url, created_at)
      select 1000000 + n, 'here' || n, ${`${harness.origin}/users/here`} || n, ${harness.origin}, now()
      from generate_series(0, 5999) n returning id)
    insert into follows (id, account_id, target_id, account_local, created_at)
    select id, id, ${id}::bigint, true, now() from made`)
  const rows = await harness.db('accounts').rows<{ uri: string }>(sql`select a.uri from follows f
    join accounts a on a.id = f.account_id where f.target_id = ${id} and f.account_local`)
  const listed = rows.map((row) => row.uri).filter((uri) => uri !== lost.uri)
  expect(listed.length).toBeGreaterThan(others.length)
  await says(listed)
  expect([await following(kept), await following(lost)]).toEqual([true, false])
  const left = await harness.db('accounts').row<{ n: number }>(sql`select count(*)::int as n from follows
    where target_id = ${id} and account_local`)
  expect(left?.n).toBe(listed.length)
})
