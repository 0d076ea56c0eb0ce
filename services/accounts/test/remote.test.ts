/** Tests of remote accounts: stored, refreshed, resolved, related to local accounts, and moderated. */
import {
  accountCards,
  accountRebuilt,
  accountRecords,
  accountsAtInbox,
  addListMembers,
  applyRemote,
  collectionRecords,
  createBlock,
  createFollow,
  createList,
  followRemoved,
  followRequested,
  inboxHosts,
  listFollowRequests,
  listMembersOfList,
  listRelationships,
  localActors,
  lookupAccount,
  moderateAccount,
  moderateDomainJob,
  putRemote,
  putRemoteCollection,
  relationPage,
  remoteInboxes,
  remoteKeys,
  removeFollow,
  removeRemote,
  renewFollowsJob,
  resolveAccount,
  showAccount,
  showCollection,
  signingKey,
  transferFollowersJob,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { moderateDomain } from '../src/moderation/jobs.js'
import { refreshRemote } from '../src/remote-account/jobs.js'
import { purgeKind } from '../src/remote-account/purge.js'
import { storeRemote } from '../src/remote-account/put.js'
import { purgeKeys } from '../src/signing-key/ticks.js'
import { asked, type Harness, outside, remoteActor, slow, startAccounts } from './harness.js'

let harness: Harness
let alice: Viewer
let repeated = 0
beforeAll(async () => {
  harness = await startAccounts()
  alice = await harness.createAccount('alice')
})
afterAll(() => harness.stop())
beforeEach(() => {
  asked.length = 0
})

const accountsContext = () => {
  const found = harness.host.running.find((one) => one.service === 'accounts')
  if (!found) throw new Error('accounts does not run')
  return found.ctx
}
const apply = (
  what: 'follow' | 'undo-follow' | 'accept-follow' | 'reject-follow' | 'block' | 'undo-block',
  actor: string,
) => harness.call(applyRemote, { what, actor, target: alice.id, uri: `https://remote.example/activities/${what}` })
const relation = async (id: string) => (await harness.call(listRelationships, { id: [id] }, alice))[0]
const resolve = (question: object) => harness.call(resolveAccount, question)

test('an unknown account is fetched once and stored', async () => {
  const rita = remoteActor('rita')
  outside.set('Rita@remote.example', rita)
  const { record } = await resolve({ handle: ' @Rita@REMOTE.example' })
  expect(record).toMatchObject({ acct: 'rita@remote.example', uri: rita.uri, inbox_url: rita.inbox_url, usable: true })
  expect(await resolve({ uri: rita.uri })).toEqual({ record })
  expect(await resolve({ handle: 'rita@remote.example' })).toEqual({ record })
  expect(asked).toEqual(['Rita@remote.example'])
  expect(await harness.call(remoteKeys, { keyId: `${rita.uri}#main-key` })).toEqual({
    key: { id: `${rita.uri}#main-key`, pem: 'pem of rita', owner: rita.uri, accountId: record?.id },
  })
})

test('an address with http names the account that is stored with https, and is fetched with https', async () => {
  const old = (address: string | null) => address?.replace('https:', 'http:')
  const wim = remoteActor('wim', { url: 'https://remote.example/@wim' })
  outside.set(wim.uri, wim)
  const { record } = await resolve({ uri: old(wim.uri) })
  expect(record).toMatchObject({ acct: 'wim@remote.example', uri: wim.uri })
  expect(asked).toEqual([wim.uri])
  for (const address of [wim.uri, wim.url]) {
    expect(await resolve({ uri: old(address) })).toEqual({ record })
    expect((await harness.call(lookupAccount, { acct: old(address) ?? '' })).id).toBe(record?.id)
  }
  expect(asked).toEqual([wim.uri])
  await resolve({ uri: old(wim.uri), refresh: true })
  expect(asked).toEqual([wim.uri, wim.uri])
  outside.set(wim.uri, 'gone')
  expect(await resolve({ uri: old(wim.uri), refresh: true })).toEqual({ record: null })
  expect((await harness.call(accountRecords, { ids: [record?.id ?? ''] })).records).toEqual([])
})

test('an account is stored only after the instance policy is loaded, because it would keep missing the limit of its server', async () => {
  const ctx = accountsContext() as unknown as Context
  const rule = { domain: 'limited.example', severity: 'silence' as const, reject_media: false, reject_reports: false }
  const nora = remoteActor('nora', { domain: 'limited.example' })
  const before = { ...ctx, policy: { ...ctx.policy, loaded: () => false } }
  const after = { ...ctx, policy: { ...ctx.policy, domainRule: () => rule } }
  await expect(storeRemote(before, nora)).rejects.toMatchObject({ code: 'unavailable', extras: { retryAfter: 1 } })
  expect((await harness.call(accountRecords, { uris: [nora.uri] })).records).toEqual([])
  await storeRemote(after, nora)
  expect((await harness.call(accountRecords, { uris: [nora.uri] })).records).toMatchObject([{ silenced: true }])
})

test('an unknown account is not requested from its server until the instance policy is loaded', async () => {
  const olga = remoteActor('olga')
  outside.set(olga.uri, olga)
  const loaded = vi.spyOn(accountsContext().policy, 'loaded').mockReturnValue(false)
  await expect(resolve({ uri: olga.uri })).rejects.toMatchObject({ status: 503 })
  expect(asked).toEqual([])
  loaded.mockRestore()
  expect((await resolve({ uri: olga.uri })).record?.uri).toBe(olga.uri)
})

test('local accounts are never fetched, and an account that does not exist is not found', async () => {
  expect((await resolve({ handle: 'alice' })).record?.id).toBe(alice.id)
  expect((await resolve({ handle: 'ALICE@localhost' })).record?.id).toBe(alice.id)
  expect(await resolve({ uri: `${harness.origin}/ap/users/1` })).toEqual({ record: null })
  expect(asked).toEqual([])
  outside.set('later@remote.example', 'later')
  for (const handle of ['nobody@remote.example', 'no handle'])
    expect(await resolve({ handle })).toEqual({ record: null })
  expect(await resolve({ handle: 'later@remote.example' })).toEqual({ record: null, later: true })
})

test('a stale account is returned at once and fetched in the background', async () => {
  const vera = remoteActor('vera')
  outside.set(vera.uri, { ...vera, display_name: 'Vera the Second' })
  const { record } = await harness.call(putRemote, { actor: vera })
  await harness
    .db('accounts')
    .run(sql`update accounts set fetched_at = now() - interval '25 hours' where id = ${record.id}`)
  expect((await resolve({ uri: vera.uri })).record?.display_name).toBe('vera')
  await harness.waitForIdle()
  expect((await resolve({ uri: vera.uri })).record?.display_name).toBe('Vera the Second')
  expect(asked).toEqual([vera.uri])
  outside.set(vera.uri, 'later')
  expect((await resolve({ uri: vera.uri, refresh: true })).record?.display_name).toBe('Vera the Second')
})

const ages = (id: string, days: number) =>
  harness
    .db('accounts')
    .run(sql`update accounts set fetched_at = now() - make_interval(days => ${days}::int) where id = ${id}`)

test('a remote account that was not fetched for a week is refreshed when it sends an activity', async () => {
  const may = remoteActor('may')
  outside.set(may.uri, { ...may, display_name: 'May the Second' })
  const { record } = await harness.call(putRemote, { actor: may })
  const speaks = async () => {
    expect((await harness.call(remoteKeys, { keyId: `${may.uri}#main-key` })).key).toMatchObject({
      accountId: record.id,
    })
    await harness.waitForIdle()
    return asked.length
  }
  await ages(record.id, 3)
  expect(await speaks()).toBe(0)
  await ages(record.id, 8)
  expect(await speaks()).toBe(1)
  expect((await resolve({ uri: may.uri })).record?.display_name).toBe('May the Second')
})

test('only requests with a viewer refresh a profile', async () => {
  const nora = remoteActor('nora')
  const { record } = await harness.call(putRemote, { actor: nora })
  await ages(record.id, 2)
  await harness.call(showAccount, { id: record.id })
  await harness.waitForIdle()
  expect(asked).toEqual([])
  await harness.call(showAccount, { id: record.id }, alice)
  await harness.waitForIdle()
  expect(asked).toEqual([nora.uri])
})

test('an account that its server deleted is removed; a handle alone removes nothing', async () => {
  const otto = remoteActor('otto')
  const { record } = await harness.call(putRemote, { actor: otto })
  outside.set(otto.uri, 'gone')
  outside.set('otto@remote.example', 'gone')
  expect((await harness.call(resolveAccount, { handle: 'otto@remote.example', refresh: true })).record?.id).toBe(
    record.id,
  )
  expect(await harness.call(resolveAccount, { uri: otto.uri, refresh: true })).toEqual({ record: null })
  expect((await harness.call(accountRecords, { ids: [record.id] })).records).toEqual([])
})

/** Begins a fetch of an actor in its present state. The response is delayed until the test releases it. */
const readSlowly = async (actor: ReturnType<typeof remoteActor>) => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  outside.set(actor.uri, actor)
  slow.set(actor.uri, promise)
  const reading = resolve({ uri: actor.uri, refresh: true })
  await expect.poll(() => asked).toContain(actor.uri)
  slow.delete(actor.uri)
  return async () => {
    letGo()
    return (await reading).record
  }
}

test('an account that is removed during a refresh stays removed', async () => {
  const ida = remoteActor('ida')
  await harness.call(putRemote, { actor: ida })
  const end = await readSlowly(ida)
  expect(await harness.call(removeRemote, { uri: ida.uri })).toEqual({ removed: true })
  expect(await end()).toBeNull()
  await expect(harness.call(putRemote, { actor: ida, announced: true })).rejects.toMatchObject({ code: 'unavailable' })
  expect((await harness.call(accountRecords, { uris: [ida.uri] })).records).toEqual([])
})

test('a slow fetch does not replace a newer profile', async () => {
  const una = remoteActor('una', { display_name: 'Una with her address' })
  await harness.call(putRemote, { actor: una })
  const end = await readSlowly(una)
  await harness.call(putRemote, { actor: { ...una, display_name: 'Una' }, announced: true })
  expect((await end())?.display_name).toBe('Una')
  expect((await resolve({ uri: una.uri })).record?.display_name).toBe('Una')
})

test('a refresh replaces keys and profile, and keeps decisions of moderators', async () => {
  const actor = remoteActor('owner', { followers_count: 10 })
  const { record } = await harness.call(putRemote, { actor })
  await harness.call(moderateAccount, { id: record.id, action: 'silence', stamp: 'staff' })
  const key = { id: `${actor.uri}#second`, pem: 'new pem' }
  await harness.call(putRemote, { actor: { ...actor, display_name: 'New', keys: [key], followers_count: null } })
  expect(await harness.call(showAccount, { id: record.id })).toMatchObject({
    display_name: 'New',
    limited: true,
    followers_count: 10,
  })
  expect((await harness.call(remoteKeys, { keyId: `${actor.uri}#main-key` })).key).toBeNull()
  expect((await harness.call(remoteKeys, { keyId: key.id })).key?.pem).toBe('new pem')
})

test('stored keys stay that the actor document names and that could not be fetched now', async () => {
  const actor = remoteActor('unread')
  const keyOf = async (name: string) => (await harness.call(remoteKeys, { keyId: `${actor.uri}${name}` })).key?.pem
  const key = (name: string) => ({ id: `${actor.uri}${name}`, pem: `pem of ${name}` })
  const { record } = await harness.call(putRemote, { actor: { ...actor, keys: [key('/named'), key('/revoked')] } })
  await harness.call(putRemote, { actor: { ...actor, keys: [key('#new')], unread_keys: [`${actor.uri}/named`] } })
  expect([await keyOf('#new'), await keyOf('/named'), await keyOf('/revoked')]).toEqual([
    'pem of #new',
    'pem of /named',
    undefined,
  ])
  // The server does not count as set up anew, because it still names an old key.
  const rebuilt = sql`select 1 from outbox where subject = ${accountRebuilt.subject} and data::jsonb->>'id' = ${record.id}`
  expect(await harness.db('accounts').rows(rebuilt)).toEqual([])
})

test('moderation 1 a noop rule for the domain of handles does not override a limit for the host of actor ids', async () => {
  const rule = (domain: string, severity: 'noop' | 'silence') => ({
    domain,
    severity,
    reject_media: false,
    reject_reports: false,
    stamp: '',
  })
  const rules = [rule('names.example', 'noop'), rule('web.names-elsewhere.example', 'silence')]
  const ruled = vi
    .spyOn(accountsContext().policy, 'domainRule')
    .mockImplementation((host) => rules.find((one) => one.domain === host) ?? null)
  const uri = 'https://web.names-elsewhere.example/users/split'
  const { record } = await harness.call(putRemote, { actor: remoteActor('split', { uri, domain: 'names.example' }) })
  ruled.mockRestore()
  expect(record).toMatchObject({ silenced: true })
})

test('moderation 1 a handle that changes its domain gets the limit of the new one and loses that of the former one', async () => {
  const stamp = '2026-01-02T03:04:05.678Z'
  const limited = 'limited-handles.example'
  const rule = { domain: limited, severity: 'silence' as const, reject_media: false, reject_reports: false, stamp }
  const ruled = vi
    .spyOn(accountsContext().policy, 'domainRule')
    .mockImplementation((host) => (host === limited ? rule : null))
  const put = async (domain: string) => {
    const actor = remoteActor('changing', { uri: 'https://web.changing.example/users/changing', domain })
    return (await harness.call(putRemote, { actor })).record
  }
  const { id, silenced } = await put('free-handles.example')
  expect(silenced).toBe(false)
  expect(await put(limited)).toMatchObject({ id, silenced: true })
  expect(await put('free-handles.example')).toMatchObject({ silenced: false })
  // The limit has the stamp of the block if the account was stored before the block was made.
  const byBlock = harness.db('accounts').run(sql`update accounts set domain = ${limited} where id = ${id}`)
  expect(await byBlock).toBe(1)
  await harness.call(moderateAccount, { domain: limited, action: 'silence', stamp })
  expect(await put(limited)).toMatchObject({ silenced: true })
  expect(await put('free-handles.example')).toMatchObject({ silenced: false })
  // Decisions of staff stay.
  await harness.call(moderateAccount, { id, action: 'silence', stamp: 'staff' })
  await put(limited)
  expect(await put('free-handles.example')).toMatchObject({ silenced: true })
  await harness.call(moderateAccount, { id, action: 'unsilence', stamp: '2026-02-02T03:04:05.678Z' })
  expect(await put(limited)).toMatchObject({ silenced: false })
  ruled.mockRestore()
})

test('moderation 1 a handle that leaves a blocked domain is no longer suspended, unless staff suspended the account', async () => {
  const stamp = '2026-01-03T03:04:05.678Z'
  const blocked = 'blocked-handles.example'
  const rule = { domain: blocked, severity: 'suspend' as const, reject_media: false, reject_reports: false, stamp }
  const ruled = vi
    .spyOn(accountsContext().policy, 'domainRule')
    .mockImplementation((host) => (host === blocked ? rule : null))
  const put = async (domain: string, suspended = false) => {
    const actor = remoteActor('leaving', { uri: 'https://web.leaving.example/users/leaving', domain, suspended })
    return (await harness.call(putRemote, { actor })).record
  }
  const { id } = await put('free-handles.example')
  const block = async () => {
    await harness.db('accounts').run(sql`update accounts set domain = ${blocked} where id = ${id}`)
    await harness.call(moderateAccount, { domain: blocked, action: 'suspend', stamp })
    expect((await harness.call(accountRecords, { ids: [id] })).records).toMatchObject([{ suspended: true }])
  }
  await block()
  await expect(put(blocked)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await put('free-handles.example')).toMatchObject({ id, suspended: false })
  // The suspension by its own server replaces that of the block.
  await block()
  expect(await put('free-handles.example', true)).toMatchObject({ suspended: true })
  expect(await put('free-handles.example')).toMatchObject({ suspended: false })
  // A decision of staff stays.
  await harness.call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
  await block()
  expect(await put('free-handles.example')).toMatchObject({ suspended: true })
  ruled.mockRestore()
})

test('two concurrent fetches of an actor create one account', async () => {
  const actor = remoteActor('twice')
  const answers = await Promise.all(Array.from({ length: 8 }, () => harness.call(putRemote, { actor })))
  expect(new Set(answers.map((one) => one.record.id)).size).toBe(1)
})

test('A001 a remote account cannot be stored as a local one, nor take the key of another actor', async () => {
  for (const more of [
    { uri: `${harness.origin}/ap/users/${alice.id}` },
    { domain: 'localhost', uri: 'https://x.example/a' },
  ])
    await expect(harness.call(putRemote, { actor: remoteActor('eve', more) })).rejects.toMatchObject({
      code: 'forbidden',
    })
  const victim = remoteActor('victim')
  await harness.call(putRemote, { actor: victim })
  await harness.call(putRemote, {
    actor: remoteActor('thief', { domain: 'evil.example', keys: [{ id: `${victim.uri}#main-key`, pem: 'evil' }] }),
  })
  expect((await harness.call(remoteKeys, { keyId: `${victim.uri}#main-key` })).key?.pem).toBe('pem of victim')
})

test('a handle that its server assigned to another actor moves, and the old account gets another name', async () => {
  const before = await harness.call(putRemote, { actor: remoteActor('nick') })
  const after = await harness.call(putRemote, {
    actor: remoteActor('nick', { uri: 'https://remote.example/users/nick2' }),
  })
  const { records } = await harness.call(accountRecords, { handles: ['nick@remote.example'] })
  expect(records.map((one) => one.id)).toEqual([after.record.id])
  const [old] = (await harness.call(accountRecords, { ids: [before.record.id] })).records
  expect(old?.username).toBe(`nick~${before.record.id}`)
})

/** A remote account that alice follows, and whose handle its server assigns to another actor. */
const followed = async (name: string) => {
  const id = await harness.remote(name)
  await harness.call(createFollow, { id, notify: true, reblogs: false }, alice)
  await apply('accept-follow', id)
  return id
}
const giveHandle = async (name: string): Promise<string> => {
  const id = await harness.remote(name, { uri: `https://remote.example/users/new-${name}` })
  await harness.waitForIdle()
  return id
}

test('actors 3 local followers move once to the new actor of a handle if the old actor is not found, with their options', async () => {
  const old = await followed('lost')
  const bob = await harness.createAccount('bob_of_lost')
  await harness.call(createBlock, { id: old }, bob)
  const list = await harness.call(createList, { title: 'Friends' }, alice)
  await harness.call(addListMembers, { id: list.id, account_ids: [old] }, alice)
  const successor = await giveHandle('lost')
  expect(await relation(successor)).toMatchObject({ requested: true, notifying: true, showing_reblogs: false })
  expect(await relation(old)).toMatchObject({ following: false })
  expect((await harness.call(listMembersOfList, { id: list.id }, alice)).map((one) => one.id)).toEqual([successor])
  expect((await harness.call(listRelationships, { id: [successor] }, bob))[0]).toMatchObject({ blocking: true })
  expect((await harness.call(showAccount, { id: old })).moved?.id).toBe(successor)
  const requests = () =>
    harness
      .db('accounts')
      .rows(sql`select 1 from outbox where subject = ${followRequested.subject} and data::jsonb->>'to' = ${successor}`)
  expect(await requests()).toHaveLength(1)
  // The job is repeated, before and after alice ended the follow.
  const again = async () => {
    await accountsContext().queues.push(transferFollowersJob, {
      id: `again ${++repeated}`,
      data: { from: old, to: successor },
    })
    await harness.waitForIdle()
  }
  await again()
  await harness.call(removeFollow, { id: successor }, alice)
  await again()
  expect(await requests()).toHaveLength(1)
  expect(await relation(successor)).toMatchObject({ requested: false })
  expect(await harness.db('accounts').rows(sql`select 1 from moves where account_id = ${old}`)).toHaveLength(1)
})

test('actors 3 followers do not move to the new actor of a handle if the old actor exists or was deleted', async () => {
  const renamed = await followed('renamed')
  outside.set('https://remote.example/users/renamed', {
    ...remoteActor('renamed'),
    username: 'renamed2',
  })
  const other = await giveHandle('renamed')
  expect(await relation(renamed)).toMatchObject({ following: true })
  expect(await relation(other)).toMatchObject({ requested: false })
  expect((await harness.call(showAccount, { id: renamed })).username).toBe('renamed2')

  const left = await followed('left')
  outside.set('https://remote.example/users/left', 'gone')
  expect(await relation(await giveHandle('left'))).toMatchObject({ requested: false })
  expect((await harness.call(accountRecords, { ids: [left] })).records).toEqual([])

  // The domain of the handle now names an account on a server that is not the server of the old actor id.
  const elsewhere = await harness.remote('elsewhere', { uri: 'https://old-home.example/users/elsewhere' })
  await harness.call(createFollow, { id: elsewhere }, alice)
  await apply('accept-follow', elsewhere)
  expect(await relation(await giveHandle('elsewhere'))).toMatchObject({ requested: false })
  expect(await relation(elsewhere)).toMatchObject({ following: true })
})

test.each([
  ['person', 'community'],
  ['community', 'person'],
])('actors 3 interop 7.17 a %s and a %s with one handle do not swap it repeatedly', async (...order) => {
  const name = `twin_of_${order[0]}`
  const twins = {
    person: remoteActor(name),
    community: remoteActor(name, { uri: `https://remote.example/c/${name}`, type: 'Group' }),
  }
  for (const one of Object.values(twins)) outside.set(one.uri, one)
  for (const which of order) await harness.call(putRemote, { actor: twins[which as keyof typeof twins] })
  await harness.waitForIdle()
  const { records } = await harness.call(accountRecords, { handles: [`${name}@remote.example`] })
  expect(records.map((one) => one.uri)).toEqual([twins.person.uri])
  // Each actor that lost the handle was fetched once.
  expect(asked).toEqual(order[0] === 'person' ? [twins.person.uri, twins.community.uri] : [twins.community.uri])
  expect((await resolve({ uri: twins.community.uri })).record?.uri).toBe(twins.community.uri)
  await harness.waitForIdle()
  expect(asked.length).toBeLessThan(3)
})

test('actors 3 decisions of staff apply to the new actor of a handle, and followers move again after seven days at the earliest', async () => {
  const first = await followed('again')
  await harness.call(moderateAccount, { id: first, action: 'silence', stamp: 'staff' })
  const second = await giveHandle('again')
  expect(await harness.call(showAccount, { id: second })).toMatchObject({ limited: true })
  await apply('accept-follow', second)
  const third = await harness.remote('again', { uri: 'https://remote.example/users/third' })
  await harness.waitForIdle()
  expect(await harness.call(showAccount, { id: third })).toMatchObject({ limited: true })
  expect(await relation(second)).toMatchObject({ following: true })
  expect(await relation(third)).toMatchObject({ requested: false })

  const spammer = await harness.remote('spammer')
  await harness.call(moderateAccount, { id: spammer, action: 'suspend', stamp: 'staff' })
  const again = await giveHandle('spammer')
  expect((await harness.call(accountRecords, { ids: [again] })).records[0]).toMatchObject({ suspended: true })
})

test('hostile 73 a suspension by staff stays, also if its own server lifts an earlier suspension', async () => {
  const eve = await harness.remote('doubly')
  await apply('follow', eve)
  expect(await relation(eve)).toMatchObject({ followed_by: true })
  const suspended = async () => (await harness.call(accountRecords, { ids: [eve] })).records[0]?.suspended
  const says = async (it: boolean) => {
    await harness.remote('doubly', { suspended: it })
    return suspended()
  }
  expect([await says(true), await says(false), await says(true)]).toEqual([true, false, true])
  await harness.call(moderateAccount, { id: eve, action: 'suspend', stamp: 'strike 1' })
  const [relationship] = await harness.call(listRelationships, { id: [eve], with_suspended: true }, alice)
  expect(relationship).toMatchObject({ followed_by: false })
  expect([await says(false), await says(true), await says(false)]).toEqual([true, true, true])
  await harness.call(moderateAccount, { id: eve, action: 'unsuspend', stamp: 'strike 1' })
  expect(await suspended()).toBe(false)
})

test('hostile 93 the creation time of an account is not in the future', async () => {
  const id = await harness.remote('unborn', { published: '9999-12-31T00:00:00.000Z' })
  expect(Date.parse((await harness.call(showAccount, { id })).created_at)).toBeLessThanOrEqual(Date.now())
})

test('a move is linked, whichever of both accounts is stored first', async () => {
  const old = await harness.remote('old', { moved_to: 'https://remote.example/users/fresh' })
  expect((await harness.call(showAccount, { id: old })).moved).toBeUndefined()
  const fresh = await harness.remote('fresh', { also_known_as: ['https://remote.example/users/old'] })
  expect((await harness.call(showAccount, { id: old })).moved?.id).toBe(fresh)
  await expect(harness.call(createFollow, { id: old }, alice)).rejects.toMatchObject({ code: 'forbidden' })
})

test('the address that led to the target of a move counts until the document names another one', async () => {
  const [page, uri] = ['https://pages.example/@goal', 'https://led.example/users/goal']
  const named = async (moved_to: string | null) => {
    const id = await harness.remote('named-by-page', { moved_to })
    await harness.waitForIdle()
    return (await harness.call(showAccount, { id })).moved?.uri
  }
  outside.set(page, remoteActor('goal', { domain: 'led.example' }))
  expect(await named(page)).toBe(uri)
  expect(await named(page)).toBe(uri)
  expect(await named(null)).toBeUndefined()
  expect(await named(page)).toBeUndefined()
  expect(await named(uri)).toBe(uri)
  expect(asked.filter((one) => one === page)).toHaveLength(1)
})

test('the unknown target of a move is fetched again if its server does not respond', async () => {
  const uri = 'https://quiet.example/users/goal'
  const id = await harness.remote('mover-to-quiet', { moved_to: uri })
  await harness.waitForIdle()
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx as unknown as Context
  const run = (tries: number) => refreshRemote.run(ctx, { uri }, { id: 'none', tries })
  outside.set(uri, 'later')
  await expect(run(1)).rejects.toMatchObject({ code: 'unavailable', extras: { elsewhere: true } })
  await run(3)
  outside.set(uri, remoteActor('goal', { domain: 'quiet.example' }))
  await run(2)
  expect((await harness.call(showAccount, { id })).moved?.uri).toBe(uri)
})

test.each([
  ['actor id', 'https://remote.example/users/winner'],
  ['page', 'https://remote.example/@winner2'],
])('a move is linked if its target, named by its %s, is stored at the same time', async (_, moved_to) => {
  const [name, goal] = [`racer-${moved_to.length}`, moved_to.replace(/.*[/@]/, '')]
  const uri = `https://remote.example/users/${name}`
  const held = await holding(
    harness.db('accounts'),
    sql`select pg_advisory_xact_lock(hashtextextended(${`actor ${uri}`}, 1))`,
  )
  const racer = harness.remote(name, { moved_to })
  await held.queued(1)
  // The target is stored now, or after the lock is released if the first transaction already has the lock of the target.
  const target = harness.remote(goal, { url: `https://remote.example/@${goal}` })
  await Promise.race([target, new Promise((resolve) => setTimeout(resolve, 500))])
  await held.letGo()
  const [id, to] = await Promise.all([racer, target])
  expect((await harness.call(showAccount, { id })).moved?.id).toBe(to)
  const waiting = await harness.db('accounts').rows(sql`select uri from awaited_moves where account_id = ${id}`)
  expect(waiting).toEqual([])
})

test('updates of both accounts of a move at the same time do not block each other', async () => {
  const database = harness.db('accounts')
  const id = await harness.remote('indecisive', { moved_to: 'https://remote.example/users/slow-goal' })
  const { promise: goal, resolve } = Promise.withResolvers<string>()
  // An update of the account that names no target: it locks the account, and then deletes the row of its target.
  await database.tx(async (tx) => {
    await tx.run(sql`update accounts set display_name = 'Here' where id = ${id}`)
    resolve(harness.remote('slow-goal'))
    while (
      (
        await database.rows(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' 
      and datname = current_database()`)
      ).length === 0
    )
      await new Promise((wait) => setTimeout(wait, 10))
    await tx.run(sql`set local lock_timeout = '500ms'`)
    await tx.run(sql`delete from awaited_moves where account_id = ${id}`)
  })
  await goal
  expect((await harness.call(showAccount, { id })).moved).toBeUndefined()
})

test('the target that the release before stored counts, not an earlier one', async () => {
  const id = await harness.remote('twice', { moved_to: 'https://remote.example/users/first-goal' })
  const later = 'https://remote.example/users/later-goal'
  await harness.db('accounts').run(sql`update accounts set moved_to_uri = ${later} where id = ${id}`)
  await harness.remote('first-goal')
  expect((await harness.call(showAccount, { id })).moved).toBeUndefined()
  const goal = await harness.remote('later-goal')
  expect((await harness.call(showAccount, { id })).moved?.id).toBe(goal)
})

describe('the unknown target of a moved account', () => {
  const goal = 'https://goal.example/users/goal'
  const fetches = (uri: string) => asked.filter((one) => one === uri).length

  test('is fetched, and the old account is shown as moved', async () => {
    outside.set(goal, remoteActor('goal', { domain: 'goal.example' }))
    const old = await harness.remote('leaver', { moved_to: goal })
    await expect.poll(async () => (await harness.call(showAccount, { id: old })).moved?.acct).toBe('goal@goal.example')
  })

  test('is fetched at most once a day, and its own target is not fetched', async () => {
    const [first, second] = ['https://goal.example/users/first', 'https://goal.example/users/second']
    outside.set(first, remoteActor('first', { domain: 'goal.example', moved_to: second }))
    await harness.remote('chained', { moved_to: first })
    await harness.waitForIdle()
    const dead = 'https://goal.example/users/dead'
    await harness.remote('stray', { moved_to: dead })
    await harness.remote('stray', { moved_to: dead })
    await harness.remote('stray', { moved_to: `${dead}2` })
    await harness.waitForIdle()
    expect([first, second, dead, `${dead}2`].map(fetches)).toEqual([1, 0, 1, 0])
  })

  test('is not the account itself', async () => {
    const uri = 'https://remote.example/users/selfish'
    await harness.remote('selfish', { moved_to: uri, discoverable: true })
    await harness.waitForIdle()
    expect(fetches(uri)).toBe(0)
    const row = await harness.db('accounts').row(sql`select moved_to_uri from accounts where uri = ${uri}`)
    expect(row).toEqual({ moved_to_uri: null })
  })
})

test('a remote follow counts at once, may be repeated with a new id, and undone', async () => {
  const fan = await harness.remote('fan')
  expect(await apply('follow', fan)).toEqual({ outcome: 'done' })
  expect(await apply('follow', fan)).toEqual({ outcome: 'done' })
  expect(await relation(fan)).toMatchObject({ followed_by: true })
  expect((await harness.call(showAccount, { id: alice.id })).followers_count).toBe(1)
  expect(await harness.call(remoteInboxes, { author: alice.id })).toEqual({
    inboxes: ['https://remote.example/inbox'],
    next: null,
  })
  expect(await harness.call(relationPage, { id: alice.id, which: 'followers', page: 1, size: 12 })).toEqual({
    uris: ['https://remote.example/users/fan'],
    last: null,
    total: 1,
    hidden: false,
  })
  expect(await apply('undo-follow', fan)).toEqual({ outcome: 'done' })
  expect(await apply('undo-follow', fan)).toEqual({ outcome: 'unchanged' })
})

test('a follow of a locked account or by a limited one stays pending, a blocked one is refused', async () => {
  const [asker, limited, foe] = [
    await harness.remote('asker'),
    await harness.remote('limited'),
    await harness.remote('foe'),
  ]
  await harness.call(moderateAccount, { id: limited, action: 'silence', stamp: 'staff' })
  expect(await apply('follow', limited)).toEqual({ outcome: 'pending' })
  await harness.call(updateCredentials, { locked: true }, alice)
  expect(await apply('follow', asker)).toEqual({ outcome: 'pending' })
  expect(await apply('follow', asker)).toEqual({ outcome: 'pending' })
  // Unlocking accepts all requests except those of limited accounts.
  await harness.call(updateCredentials, { locked: false }, alice)
  expect((await harness.call(listFollowRequests, {}, alice)).map((one) => one.id)).toEqual([limited])
  await harness.call(createBlock, { id: foe }, alice)
  expect(await apply('follow', foe)).toEqual({ outcome: 'refused' })
})

test('a local request becomes a follow by an Accept, and ends by a Reject', async () => {
  const host = await harness.remote('host')
  expect(await apply('accept-follow', host)).toEqual({ outcome: 'unchanged' })
  await harness.call(createFollow, { id: host, notify: true }, alice)
  expect(await apply('accept-follow', host)).toEqual({ outcome: 'done' })
  expect(await relation(host)).toMatchObject({ following: true, requested: false, notifying: true })
  expect(await apply('accept-follow', host)).toEqual({ outcome: 'unchanged' })
  expect(await apply('reject-follow', host)).toEqual({ outcome: 'done' })
  expect(await relation(host)).toMatchObject({ following: false, requested: false })
})

test('signatures 6 actors 3 an account with only new keys gets its follows again, unless the old key announced them', async () => {
  const host = await harness.remote('rebuilt')
  await harness.call(createFollow, { id: host }, alice)
  await apply('accept-follow', host)
  const undoRequests = async () => {
    await harness.waitForIdle()
    const rows = await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${followRequested.subject} order by id`)
    return rows.map((it) => JSON.parse(it.data) as { to: string; uri: string }).filter((it) => it.to === host)
  }
  const put = (pem: string, announced = false) =>
    harness.call(putRemote, {
      actor: remoteActor('rebuilt', { keys: [{ id: 'https://remote.example/users/rebuilt#main-key', pem }] }),
      announced,
    })
  expect(await undoRequests()).toHaveLength(1)
  await put('of a new server')
  const [first, again, ...more] = await undoRequests()
  expect(more).toEqual([])
  expect(again?.uri).not.toBe(first?.uri)
  expect(await relation(host)).toMatchObject({ following: true, requested: false })
  await put('of a new server')
  await put('announced', true)
  expect(await undoRequests()).toHaveLength(2)
  const rebuilt = sql`select 1 from outbox where subject = ${accountRebuilt.subject} and data::jsonb->>'id' = ${host}`
  expect(await harness.db('accounts').rows(rebuilt)).toHaveLength(1)
  // An Accept of it changes nothing, and a Reject ends the follow.
  expect(await apply('accept-follow', host)).toEqual({ outcome: 'unchanged' })
  expect(await apply('reject-follow', host)).toEqual({ outcome: 'done' })
  await put('once more')
  expect(await undoRequests()).toHaveLength(2)
})

/** Announced follow requests to an account, in order. */
const requestsTo = async (to: string) => {
  await harness.waitForIdle()
  const rows = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${followRequested.subject} order by id`)
  return rows.map((it) => JSON.parse(it.data) as { from: string; to: string; uri: string }).filter((it) => it.to === to)
}
const beginAgain = (name: string, pem: string) =>
  harness.call(putRemote, { actor: remoteActor(name, withKey(name, pem)) })
const withKey = (name: string, pem: string) => ({ keys: [{ id: `https://remote.example/users/${name}#${pem}`, pem }] })

test('signatures 6 an account with repeatedly new keys gets its follows again once in seven days', async () => {
  const host = await harness.remote('rotor')
  await harness.call(createFollow, { id: host }, alice)
  await apply('accept-follow', host)
  const { clock } = accountsContext()
  const rebuilt = sql`select 1 from outbox where subject = ${accountRebuilt.subject} and data::jsonb->>'id' = ${host}`
  try {
    for (const pem of ['k1', 'k2', 'k3']) await beginAgain('rotor', pem)
    expect(await requestsTo(host)).toHaveLength(2)
    // Its present keys are stored nevertheless.
    const { key } = await harness.call(remoteKeys, { keyId: 'https://remote.example/users/rotor#k3' })
    expect(key).toMatchObject({ pem: 'k3', accountId: host })
    clock.moveTo(6.9 * 86_400_000)
    await beginAgain('rotor', 'k4')
    expect(await requestsTo(host)).toHaveLength(2)
    expect(await harness.db('accounts').rows(rebuilt)).toHaveLength(1)
    clock.moveTo(7.1 * 86_400_000)
    await beginAgain('rotor', 'k5')
    expect(await requestsTo(host)).toHaveLength(3)
    expect(await harness.db('accounts').rows(rebuilt)).toHaveLength(2)
  } finally {
    clock.moveTo(0)
  }
})

test('an account whose document no longer has a key does not get its follows again', async () => {
  const host = await harness.remote('keyless')
  await harness.call(createFollow, { id: host }, alice)
  await apply('accept-follow', host)
  await harness.call(putRemote, { actor: remoteActor('keyless', { keys: [] }) })
  expect(await requestsTo(host)).toHaveLength(1)
  const rebuilt = sql`select 1 from outbox where subject = ${accountRebuilt.subject} and data::jsonb->>'id' = ${host}`
  expect(await harness.db('accounts').rows(rebuilt)).toEqual([])
})

test('the job that renews follows may run twice: each follow gets one new id, and each page is queued once', async () => {
  const host = await harness.remote('twice')
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select n, 'fan' || n, 'https://x/fan' || n, 'https://x/@fan' || n, now() from generate_series(7001, 7250) n`)
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select n, n, ${host}::bigint, true, now() from generate_series(7001, 7250) n`)
  const data = { account: host, which: 'follows' as const, after: '0', run: '77' }
  const { queues } = accountsContext()
  await queues.push(renewFollowsJob, { id: `again ${++repeated}`, data })
  await queues.push(renewFollowsJob, { id: `again ${++repeated}`, data })
  const undoRequests = await requestsTo(host)
  expect(undoRequests).toHaveLength(250)
  expect(new Set(undoRequests.map((it) => it.uri)).size).toBe(250)
  expect(undoRequests[0]?.uri).toBe('https://x/fan7001#follows/77')
  const pages = await db.rows<{ after: string }>(sql`select data::jsonb->>'after' as after from outbox
    where subject = ${renewFollowsJob.subject} and data::jsonb->>'account' = ${host} order by id`)
  expect(pages.map((it) => it.after)).toEqual(['7100', '7200'])
})

test('follows of and by a suspended account are not renewed', async () => {
  const [good, bad] = [await harness.remote('good'), await harness.remote('bad')]
  const sue = await harness.createAccount('sue')
  for (const id of [good, bad]) for (const viewer of [alice, sue]) await harness.call(createFollow, { id }, viewer)
  const before = [await requestsTo(good), await requestsTo(bad)]
  expect(before.map((it) => it.length)).toEqual([2, 2])
  await harness.db('accounts').run(sql`update accounts set suspended_at = now(), suspended_by = 'staff'
    where id in (${bad}, ${sue.id})`)
  await beginAgain('good', 'k1')
  await beginAgain('bad', 'k1')
  expect((await requestsTo(good)).slice(2).map((it) => it.from)).toEqual([alice.id])
  expect(await requestsTo(bad)).toHaveLength(2)
})

test('A022 an Accept that contains only the id of a follow must contain the stored id', async () => {
  const host = await harness.remote('named')
  await harness.call(createFollow, { id: host }, alice)
  const row = await harness
    .db('accounts')
    .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${alice.id} and target_id = ${host}`)
  const answer = (request: string) =>
    harness.call(applyRemote, { what: 'accept-follow', actor: host, target: alice.id, uri: null, request })
  expect(await answer('https://localhost/f/unknown')).toEqual({ outcome: 'unchanged' })
  expect(await relation(host)).toMatchObject({ following: false, requested: true })
  expect(await answer(row?.uri ?? '')).toEqual({ outcome: 'done' })
  expect(await relation(host)).toMatchObject({ following: true, requested: false })
})

test('a remote block ends follows in both directions, and can be undone', async () => {
  const foe = await harness.remote('blocker')
  await apply('follow', foe)
  expect(await apply('block', foe)).toEqual({ outcome: 'done' })
  expect(await relation(foe)).toMatchObject({ blocked_by: true, followed_by: false })
  expect(await apply('undo-block', foe)).toEqual({ outcome: 'done' })
  expect(await relation(foe)).toMatchObject({ blocked_by: false })
})

test('a remote server cannot change a local account', async () => {
  const bob = await harness.createAccount('bob')
  expect(await apply('follow', bob.id)).toEqual({ outcome: 'refused' })
  const rita = await harness.remote('rita2')
  const upside = { what: 'follow' as const, actor: rita, target: rita, uri: null }
  expect(await harness.call(applyRemote, upside)).toEqual({ outcome: 'refused' })
})

test('the relationships of a deleted remote account end', async () => {
  const gone = await harness.remote('gone')
  await apply('follow', gone)
  const followers = (await harness.call(showAccount, { id: alice.id })).followers_count
  const uri = 'https://remote.example/users/gone'
  expect(await harness.call(removeRemote, { uri })).toEqual({ removed: true })
  expect(await harness.call(removeRemote, { uri })).toEqual({ removed: false })
  expect((await harness.call(showAccount, { id: alice.id })).followers_count).toBe(followers - 1)
  expect(await harness.call(accountCards, { ids: [gone] })).toEqual(new Map())
  expect(await harness.call(removeRemote, { uri: `${harness.origin}/ap/users/${alice.id}` })).toEqual({
    removed: false,
  })
})

test('a suspended account that deletes itself is suspended when it is stored again', async () => {
  const returns = remoteActor('returning')
  const store = async () => (await harness.call(putRemote, { actor: returns })).record
  const { id } = await store()
  await harness.call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
  expect(await harness.call(removeRemote, { uri: returns.uri })).toEqual({ removed: true })
  const again = await store()
  expect([again.id === id, again.suspended]).toEqual([false, true])
  await harness.call(moderateAccount, { id: again.id, action: 'unsuspend', stamp: 'staff' })
  expect(await harness.call(removeRemote, { uri: returns.uri })).toEqual({ removed: true })
  expect((await store()).suspended).toBe(false)
})

test.each(['deletes itself', 'is removed with its domain'])(
  'a limit and a mark of an account that %s apply when it is stored again',
  async (how) => {
    const returns = remoteActor(how === 'deletes itself' ? 'limited' : 'purged')
    const store = async () => (await harness.call(putRemote, { actor: returns })).record
    const remove = async (id: string) => {
      if (how === 'deletes itself') return harness.call(removeRemote, { uri: returns.uri })
      const ctx = accountsContext() as Context
      const step = { id: '1', input: { domains: ['remote.example'], below: false, byUri: false } }
      const found = [{ id, uri: returns.uri, turned: '' }]
      await ctx.db.tx((tx) => purgeKind.apply(ctx, tx, { ...step, after: '', dryRun: false }, { found, emojis: 0 }))
    }
    const { id } = await store()
    for (const action of ['silence', 'sensitive'] as const)
      await harness.call(moderateAccount, { id, action, stamp: 'staff' })
    await remove(id)
    const again = await store()
    expect([again.id === id, again.silenced, again.sensitized]).toEqual([false, true, true])
    for (const action of ['unsilence', 'unsensitive'] as const)
      await harness.call(moderateAccount, { id: again.id, action, stamp: 'staff' })
    await remove(again.id)
    expect(await store()).toMatchObject({ silenced: false, sensitized: false })
    expect(
      await harness.db('accounts').rows(sql`select uri from actor_decisions where silenced_at is not null`),
    ).toEqual([])
  },
)

test('a decision that staff took back does not apply, although an older process left its row', async () => {
  const returns = remoteActor('leftover')
  const store = async () => (await harness.call(putRemote, { actor: returns })).record
  await store()
  await harness
    .db('accounts')
    .run(sql`insert into actor_decisions (uri, domain, silenced_at, silenced_by, sensitized_at)
    values (${returns.uri}, 'remote.example', now(), 'staff', now())`)
  expect(await harness.call(removeRemote, { uri: returns.uri })).toEqual({ removed: true })
  expect(await store()).toMatchObject({ silenced: false, sensitized: false })
})

test('an account with many followers is removed in steps, with an event per follow and right counters', async () => {
  const gone = await harness.remote('celebrity')
  const db = harness.db('accounts')
  const ids = sql`select 7600000 + n as id from generate_series(1, 2300) n`
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select id, 'c' || id, 'https://localhost/c/' || id, '', now() from (${ids}) people`)
  await db.run(sql`insert into account_stats (account_id, following_count) select id, 1 from (${ids}) people`)
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select id, id, ${gone}::bigint, true, now() from (${ids}) people`)
  expect(await harness.call(removeRemote, { uri: 'https://remote.example/users/celebrity' })).toEqual({ removed: true })
  const announced = await db.rows<{ n: number }>(sql`select count(*)::int as n from outbox
    where subject = ${followRemoved.subject} and data::jsonb->>'to' = ${gone} group by created_at order by n desc`)
  expect(announced.map((one) => one.n)).toEqual([1_000, 1_000, 300])
  expect(await db.rows(sql`select 1 from account_stats where account_id in (${ids}) and following_count <> 0`)).toEqual(
    [],
  )
})

test('a domain block that is removed during its application suspends no account in the end', async () => {
  await harness.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 7000000 + n, 'p' || n, 'large.example', 'https://large.example/users/p' || n, 'https://large.example/@p' || n, now()
    from generate_series(1, 1700) as n`)
  const suspended = async () =>
    (
      await harness
        .db('accounts')
        .row<{ n: number }>(
          sql`select count(*)::int as n from accounts where domain = 'large.example' and suspended_at is not null`,
        )
    )?.n
  const moderate = (action: 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { domain: 'large.example', action, stamp: 'large' })
  expect(await moderate('suspend')).toEqual({ changed: 500 })
  await moderate('unsuspend')
  await harness.waitForIdle()
  expect(await suspended()).toBe(0)
  await moderate('unsuspend')
  await moderate('suspend')
  await harness.waitForIdle()
  expect(await suspended()).toBe(1_700)
  await moderate('unsuspend')
  await harness.waitForIdle()
  expect(await suspended()).toBe(0)
  expect(await harness.db('accounts').rows(sql`select 1 from domain_measures where domain = 'large.example'`)).toEqual(
    [],
  )
})

test('a large domain is moderated in pages, and once more for accounts that were added meanwhile', async () => {
  const db = harness.db('accounts')
  const createAccounts = (first: number, count: number, domain: string, host = domain) =>
    db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
      select ${first}::int + n, 'v' || (${first}::int + n), ${domain}, 'https://' || ${host}::text || '/' || ${first}::int + n, '', now()
      from generate_series(1, ${count}::int) as n`)
  await createAccounts(7_100_000, 1_200, 'vast.example')
  await createAccounts(7_200_000, 600, 'a.vast.example')
  await createAccounts(7_300_000, 600, 'handles.example', 'vast.example')
  await createAccounts(7_400_000, 5, 'vastly.example')
  const left = async () =>
    (
      await db.rows<{ id: string }>(sql`select id from accounts
        where id between 7100000 and 7500000 and suspended_at is null order by id`)
    ).map((row) => row.id)
  const moderate = (action: 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { domain: 'vast.example', action, stamp: 'vast' })
  const stays = ['7400001', '7400002', '7400003', '7400004', '7400005']
  const begun = (await db.row<{ id: string }>(sql`select coalesce(max(id), 0) as id from outbox`))?.id
  expect(await moderate('suspend')).toEqual({ changed: 500 })
  await createAccounts(7_050_000, 1, 'vast.example')
  await harness.waitForIdle()
  expect(await left()).toEqual(stays)
  expect(await db.rows(sql`select suspended_by from accounts where id = 7050001`)).toEqual([{ suspended_by: 'vast' }])
  const pages = await db.rows<{ after: object | null }>(sql`select data::jsonb->'after' as after from outbox
    where subject = ${moderateDomainJob.subject} and id > ${begun} order by id`)
  const [own, below] = ['elpmaxe.tsav', 'elpmaxe.tsav.a']
  expect(pages.map((it) => it.after)).toEqual([
    { by: 'handle', turned: own, id: '7100500' },
    { by: 'handle', turned: own, id: '7101000' },
    { by: 'handle', turned: below, id: '7200300' },
    { by: 'address', turned: own, id: '7300200' },
    null,
  ])
  await moderate('unsuspend')
  await harness.waitForIdle()
  expect(await left()).toHaveLength(2_405)
})

test('a job that moderates a domain and runs again has no second next job', async () => {
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 7900000 + n, 'w' || n, 'twice.example', 'https://twice.example/' || n, '', now() from generate_series(1, 600) as n`)
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx as unknown as Context
  const data = { domain: 'twice.example', action: 'suspend', stamp: 'twice' } as const
  for (let times = 0; times < 2; times++) await moderateDomain.run(ctx, data, { id: '4501', tries: 1 })
  await harness.waitForIdle()
  const left = sql`select 1 from accounts where domain = 'twice.example' and suspended_at is null`
  expect(await db.rows(left)).toEqual([])
  const jobs = await db.rows<{ after: { id: string } | null }>(sql`select data::jsonb->'after' as after from outbox
    where subject = ${moderateDomainJob.subject} and data::jsonb->>'domain' = 'twice.example' order by id`)
  expect(jobs.map((job) => job.after?.id ?? null)).toEqual(['7900500', null])
})

test('a domain is suspended with its subdomains, and lifting the block undoes only that', async () => {
  const one = await harness.remote('one', { domain: 'bad.example' })
  const below = await harness.remote('below', { domain: 'deep.bad.example' })
  const like = await harness.remote('like', { domain: 'notbad.example' })
  const before = await harness.remote('before', { domain: 'bad.example' })
  await harness.call(moderateAccount, { id: before, action: 'suspend', stamp: 'staff' })
  await apply('follow', one)
  expect(await harness.call(moderateAccount, { domain: 'BAD.example', action: 'suspend', stamp: 'b1' })).toEqual({
    changed: 2,
  })
  const suspended = async () =>
    new Set(
      (await harness.call(accountRecords, { ids: [one, below, like, before] })).records
        .filter((record) => record.suspended)
        .map((record) => record.id),
    )
  expect(await suspended()).toEqual(new Set([one, below, before]))
  expect(await relation(one)).toBeUndefined()
  expect((await harness.call(listRelationships, { id: [one], with_suspended: 'true' }, alice))[0]).toMatchObject({
    followed_by: false,
  })
  await harness.call(moderateAccount, { domain: 'bad.example', action: 'unsuspend', stamp: 'b1' })
  expect(await suspended()).toEqual(new Set([before]))
})

test('a follow that begins during the suspension of its server ends with the others', async () => {
  const late = await harness.remote('late', { domain: 'late.example' })
  const held = await holding(harness.db('accounts'), sql`lock table follows in share row exclusive mode`)
  const following = apply('follow', late)
  await held.queued(1)
  const suspending = harness.call(moderateAccount, { domain: 'late.example', action: 'suspend', stamp: 'late' })
  await held.queued(2)
  await held.letGo()
  expect(await Promise.all([following, suspending])).toEqual([{ outcome: 'done' }, { changed: 1 }])
  await harness.waitForIdle()
  expect(await harness.db('accounts').rows(sql`select 1 from follows where account_id = ${late}`)).toEqual([])
})

test('an account is not stored if its server is blocked meanwhile', async () => {
  const near = remoteActor('near', { domain: 'near.example' })
  const held = await holding(
    harness.db('accounts'),
    sql`select pg_advisory_xact_lock(hashtextextended(${`actor ${near.uri}`}, 1))`,
  )
  const storing = harness.call(putRemote, { actor: near }).catch((error) => error)
  await held.queued(1)
  const rule = {
    domain: near.domain,
    severity: 'suspend' as const,
    reject_media: false,
    reject_reports: false,
    stamp: '',
  }
  const ruled = vi.spyOn(accountsContext().policy, 'domainRule').mockReturnValue(rule)
  await held.letGo()
  const outcome = await storing
  ruled.mockRestore()
  expect(outcome).toMatchObject({ code: 'forbidden' })
  expect((await harness.call(accountRecords, { uris: [near.uri] })).records).toEqual([])
})

test('signing keys are created on request, stay the same, and exist for local accounts only', async () => {
  const rita = await harness.remote('keyless')
  const ids = [alice.id, '-99', rita, '123']
  const [first, second] = await Promise.all([harness.call(signingKey, { ids }), harness.call(signingKey, { ids })])
  expect(first).toEqual(second)
  expect(Object.keys(first.keys).sort()).toEqual(['-99', alice.id].sort())
  expect(first.keys['-99']?.keyId).toBe(`${harness.origin}/actor#main-key`)
  expect(first.keys[alice.id]).toMatchObject({
    keyId: `${harness.origin}/ap/users/${alice.id}#main-key`,
    privatePem: expect.stringContaining('BEGIN PRIVATE KEY'),
    publicPem: expect.stringContaining('BEGIN PUBLIC KEY'),
  })
  const { actors } = await harness.call(localActors, { usernames: ['ALICE'], ids: [rita] })
  expect(actors).toMatchObject([{ id: alice.id, publicPem: first.keys[alice.id]?.publicPem, avatar: null }])
})

test('a deleted account can sign its Delete for a week, then its keys are deleted', async () => {
  const gone = await harness.createAccount('goner')
  const keyOf = async () => (await harness.call(signingKey, { ids: [gone.id] })).keys[gone.id]?.privatePem
  const key = await keyOf()
  expect(key).toContain('PRIVATE KEY')
  await harness.db('accounts').run(sql`update accounts set removed_at = now() where id = ${gone.id}`)
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const wait = async (days: number) => {
    ctx?.clock.moveTo(days * 86_400_000)
    await purgeKeys.run(ctx)
  }
  await wait(6.9)
  expect(await keyOf()).toBe(key)
  await wait(7.1)
  expect(await keyOf()).toBeUndefined()
  expect(await harness.db('accounts').rows(sql`select 1 from keys where account_id = ${gone.id}`)).toEqual([])
  ctx?.clock.moveTo(0)
})

test('delivery 4 an account is found by its own inbox, not by a shared inbox, and of many with one inbox a few', async () => {
  const own = { inbox_url: 'https://small.example/inboxes/own', shared_inbox_url: null, domain: 'small.example' }
  const at = async (inbox: string) => (await harness.call(accountsAtInbox, { inbox })).uris
  await harness.remote('has_own', own)
  await harness.remote('shares')
  const all = { ...own, inbox_url: 'https://small.example/inboxes/all' }
  await Promise.all(Array.from({ length: 8 }, (_, n) => harness.remote(`all${n}`, all)))
  expect(await at(own.inbox_url)).toEqual(['https://small.example/users/has_own'])
  expect([await at('https://remote.example/inbox'), await at('https://remote.example/users/shares/inbox')]).toEqual([
    [],
    [],
  ])
  const few = await at(all.inbox_url)
  expect(few).toHaveLength(5)
  // The account that was fetched last comes last.
  await harness.remote((few[0] ?? '').split('/').at(-1) ?? '', all)
  expect(await at(all.inbox_url)).not.toContain(few[0])
})

test('hosts of inboxes are found by the domain of handles, and by the host of actor ids', async () => {
  const hostsOf = (name: string) => harness.call(inboxHosts, { name })
  const split = { domain: 'split.example', shared_inbox_url: 'https://in.split.example:8443/inbox' }
  await harness.remote('one', { ...split, uri: 'https://web.split.example/users/one' })
  await harness.remote('two', { ...split, uri: 'https://web.split.example/users/two', shared_inbox_url: null })
  await harness.remote('three', { ...split, domain: 'third.example', uri: 'https://web.split.example/users/three' })
  const both = await hostsOf('split.example')
  expect(both.domains).toEqual([])
  expect(both.hosts.toSorted((a, b) => (a.host < b.host ? -1 : 1))).toEqual([
    { host: 'in.split.example:8443', why: 'handle' },
    { host: 'web.split.example', why: 'handle' },
  ])
  const web = await hostsOf('web.split.example')
  expect(web.hosts.map((it) => it.why)).toEqual(['actor', 'actor'])
  expect(web.domains.toSorted()).toEqual(['split.example', 'third.example'])
  expect(await hostsOf('nobody.example')).toEqual({ hosts: [], domains: [] })
})

test('a remote collection is found by its address, with its owner', async () => {
  const owner = await harness.remote('owner')
  const uri = 'https://remote.example/users/owner/collections/1'
  const known = async () => (await harness.call(collectionRecords, { uris: [uri] })).records
  expect(await known()).toEqual([])
  const collection = {
    uri,
    ownerUri: 'https://remote.example/users/owner',
    url: null,
    name: 'Birds',
    description: '',
    language: null,
    sensitive: false,
    discoverable: true,
    tag: null,
    published: null,
    updated: null,
    items: [],
    named: [],
  }
  await harness.call(putRemoteCollection, { actor: owner, collection, make: true, look: false })
  const [found] = await known()
  expect(found).toEqual({ id: expect.any(String), uri, owner })
  // No language code of the API, so clients receive null.
  const odd = { ...collection, language: 'klingon' }
  await harness.call(putRemoteCollection, { actor: owner, collection: odd, make: true, look: false })
  const shown = await harness.call(showCollection, { id: found?.id ?? '' })
  expect(shown.collection.language).toBeNull()
})
