/** Received activities about accounts: follows, Accept and Reject, blocks, Undo, profiles, moves, reports and deletions. */
import {
  applyRemote,
  createBlock,
  createFollow,
  listRelationships,
  moderateAccount,
  removeFollow,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { flagReceived } from '@murmuration/contracts/federation'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import {
  type Document,
  makeActivity,
  makeRsaKeys,
  PUBLIC,
  type RemoteActor,
} from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let evil: RemoteServer
let eve: RemoteActor
let eve2: RemoteActor
let counter = 0
let bob: Awaited<ReturnType<Harness['createAccount']>>
let rita: RemoteActor
let ritaId: string

beforeAll(async () => {
  harness = await startHarness()
  remote = await harness.server()
  evil = await harness.server()
  eve = await evil.addActor('eve')
  eve2 = await evil.addActor('eve2')
})
afterAll(() => harness.stop())
/** New accounts for every test. */
beforeEach(async () => {
  counter++
  bob = await harness.createAccount(`bob${counter}`)
  rita = await remote.addActor(`rita${counter}`)
  ritaId = (await met(rita)).id
})
afterEach(async () => {
  await harness.waitForIdle()
  expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

/** The account of a remote actor, which a Like of an unknown object stored. */
const met = async (actor: RemoteActor, server = remote) => {
  await harness.outcome(server, makeActivity(actor, 'Like', `${harness.origin}/ap/users/1/statuses/1`), { as: actor })
  const account = await harness.account(actor.id)
  if (!account) throw new Error(`${actor.name} was not met`)
  return account
}
const relation = async (id = ritaId) => {
  const [found] = await harness.call(listRelationships, { id: [id] }, bob)
  return found
}
const fromRita = (type: string, object: Parameters<typeof makeActivity>[2], extra = {}) =>
  harness.outcome(remote, makeActivity(rita, type, object, extra), { as: rita })

describe('follows of local accounts', () => {
  test.each(['cavage', 'rfc9421'] as const)('m18 a follow, signed with %s', async (scheme) => {
    expect(await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita, scheme })).toBe('done')
    expect(await relation()).toMatchObject({ followed_by: true, following: false })
  })

  test('a locked account must approve first', async () => {
    await harness.call(updateCredentials, { locked: true }, bob)
    expect(await fromRita('Follow', bob.uri)).toBe('done pending')
    expect(await relation()).toMatchObject({ followed_by: false, requested_by: true })
  })

  test('a blocked account is refused', async () => {
    await harness.call(createBlock, { id: ritaId }, bob)
    expect(await fromRita('Follow', bob.uri)).toBe('refused target-refuses')
    expect(await relation()).toMatchObject({ followed_by: false })
  })

  test('actors 8 a Follow of the instance actor is rejected, once', async () => {
    const actor = `${harness.origin}/actor`
    const follow = makeActivity(rita, 'Follow', actor)
    for (let n = 0; n < 2; n++)
      expect(await harness.outcome(remote, follow, { as: rita })).toBe('refused target-refuses')
    const answers = () =>
      remote.inbox.all.map((it) => it.activity).filter((it) => it.type === 'Reject' && it.actor === actor)
    await expect.poll(() => answers().length).toBe(1)
    await harness.waitForIdle()
    expect(answers()).toMatchObject([{ object: { id: follow.id, actor: rita.id, object: actor } }])
  })

  test('p05 m18 a repeated Follow with another id is the same follow', async () => {
    await fromRita('Follow', bob.uri, { state: 'pending' })
    expect(await fromRita('Follow', bob.uri)).toMatch(/^done/)
    expect(await relation()).toMatchObject({ followed_by: true })
  })

  test('of an absent account or of a status has no effect', async () => {
    expect(await fromRita('Follow', `${harness.origin}/ap/users/1`)).toBe('refused unknown-object')
    expect(await fromRita('Follow', eve.id)).toBe('ignored not-about-us')
  })

  test('m19 is undone, also if the inner id differs, and by its own actor only (h06, hostile 57)', async () => {
    const follow = makeActivity(rita, 'Follow', bob.uri)
    await harness.outcome(remote, follow, { as: rita })
    await met(eve, evil)
    expect(await harness.outcome(evil, makeActivity(eve, 'Undo', { ...follow }), { as: eve })).toBe('403 not-yours')
    expect(await relation()).toMatchObject({ followed_by: true })
    expect(await fromRita('Undo', { ...follow, id: `${rita.id}/another` })).toBe('done')
    expect(await relation()).toMatchObject({ followed_by: false })
  })

  test('an Undo received before it prevents it', async () => {
    const follow = makeActivity(rita, 'Follow', bob.uri)
    expect(await fromRita('Undo', follow)).toBe('done unchanged')
    expect(await harness.outcome(remote, follow, { as: rita })).toBe('ignored undone-before')
    expect(await relation()).toMatchObject({ followed_by: false })
  })
})

describe('I6 is undone by its id only', () => {
  const tell = (activity: ReturnType<typeof makeActivity>) => harness.outcome(remote, activity, { as: rita })

  test('a follow, and a follow request', async () => {
    const follow = makeActivity(rita, 'Follow', bob.uri)
    await tell(follow)
    expect(await fromRita('Undo', `${rita.id}/another`)).toBe('done unchanged')
    expect(await relation()).toMatchObject({ followed_by: true })
    expect(await fromRita('Undo', follow.id)).toBe('done')
    expect(await relation()).toMatchObject({ followed_by: false })
    await harness.call(updateCredentials, { locked: true }, bob)
    const asked = makeActivity(rita, 'Follow', bob.uri)
    await tell(asked)
    expect(await fromRita('Undo', asked.id)).toBe('done')
    expect(await relation()).toMatchObject({ requested_by: false })
  })

  test('a block', async () => {
    const block = makeActivity(rita, 'Block', bob.uri)
    await tell(block)
    expect(await relation()).toMatchObject({ blocked_by: true })
    expect(await fromRita('Undo', block.id)).toBe('done')
    expect(await relation()).toMatchObject({ blocked_by: false })
  })

  test('a follow received after the Undo; and no actor undoes activities of another', async () => {
    const late = makeActivity(rita, 'Follow', bob.uri)
    await fromRita('Undo', late.id)
    expect(await tell(late)).toBe('ignored undone-before')
    const follow = makeActivity(rita, 'Follow', bob.uri)
    await tell(follow)
    const vera = await remote.addActor(`vera${counter}`)
    expect(await harness.outcome(remote, makeActivity(vera, 'Undo', follow.id), { as: vera })).toBe('done unchanged')
    expect(await relation()).toMatchObject({ followed_by: true })
  })
})

describe('Accept and Reject of local follows', () => {
  const sendRequest = async () => {
    await harness.call(createFollow, { id: ritaId }, bob)
    await harness.waitForIdle()
    const row = await harness
      .db('accounts')
      .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${bob.id}`)
    return { id: row?.uri ?? '', type: 'Follow', actor: bob.uri, object: rita.id }
  }

  test('m20 an Accept with the embedded Follow counts', async () => {
    const follow = await sendRequest()
    expect(await relation()).toMatchObject({ requested: true, following: false })
    expect(await fromRita('Accept', follow)).toBe('done')
    expect(await relation()).toMatchObject({ requested: false, following: true })
  })

  test('m21 an Accept with the id of the Follow counts', async () => {
    expect(await fromRita('Accept', (await sendRequest()).id)).toBe('done')
    expect(await relation()).toMatchObject({ following: true })
  })

  test('m22 a Reject counts before and after the Accept', async () => {
    const follow = await sendRequest()
    expect(await fromRita('Reject', follow)).toBe('done')
    expect(await relation()).toMatchObject({ requested: false, following: false })
    const again = await sendRequest()
    await fromRita('Accept', again)
    expect(await fromRita('Reject', again)).toBe('done')
    expect(await relation()).toMatchObject({ following: false })
  })

  test('an Accept or Reject of an earlier request has no effect on a newer one', async () => {
    const first = await sendRequest()
    await harness.call(removeFollow, { id: ritaId }, bob)
    const second = await sendRequest()
    for (const object of [first, first.id])
      for (const type of ['Reject', 'Accept']) expect(await fromRita(type, object)).toBe('done unchanged')
    expect(await relation()).toMatchObject({ requested: true, following: false })
    expect(await fromRita('Accept', second)).toBe('done')
    expect(await fromRita('Reject', first)).toBe('done unchanged')
    expect(await fromRita('Undo', makeActivity(rita, 'Accept', first))).toBe('done unchanged')
    expect(await relation()).toMatchObject({ following: true })
    // Some servers use another id in the embedded Follow.
    expect(await fromRita('Reject', { ...second, id: `${rita.id}#follows/1` })).toBe('done')
    expect(await relation()).toMatchObject({ following: false })
  })

  test('activities 2 the Undo of an Accept ends the follow, with the embedded Follow or its id; by its own actor only', async () => {
    const first = await sendRequest()
    await fromRita('Accept', first)
    const accept = makeActivity(rita, 'Accept', first)
    const forged = makeActivity(eve, 'Undo', { ...accept, id: `${eve.id}/1`, actor: eve.id })
    expect(await harness.outcome(evil, forged, { as: eve })).toBe('refused not-the-one-asked')
    expect(await relation()).toMatchObject({ following: true })
    expect(await fromRita('Undo', accept)).toBe('done')
    expect(await relation()).toMatchObject({ following: false })
    const again = await sendRequest()
    await fromRita('Accept', again)
    expect(await fromRita('Undo', makeActivity(rita, 'Accept', again.id))).toBe('done')
    expect(await relation()).toMatchObject({ following: false })
  })

  test('signatures 6 an actor that signs with an unknown new key is fetched again', async () => {
    const first = await sendRequest()
    await fromRita('Accept', first)
    Object.assign(rita, await makeRsaKeys())
    Object.assign(rita.document.publicKey as object, { publicKeyPem: rita.publicKey })
    await fromRita('Like', `${harness.origin}/x`)
    const { activity } = await remote.inbox.next(
      (it) => it.activity.type === 'Follow' && it.activity.object === rita.id && it.activity.id !== first.id,
    )
    expect(activity.actor).toBe(bob.uri)
    expect(await relation()).toMatchObject({ following: true })
    expect(await fromRita('Accept', String(activity.id))).toBe('done unchanged')
    expect(await relation()).toMatchObject({ following: true })
    // Some servers use the id of the first request.
    expect(await fromRita('Reject', first)).toBe('done')
    expect(await relation()).toMatchObject({ following: false })
  })

  test('actors 3 an actor with the same handle at another address is accepted after the old one is gone', async () => {
    await fromRita('Accept', await sendRequest())
    const id = rita.id.replace('/users/', '/users/again-')
    const text = JSON.stringify(rita.document).replaceAll(rita.id, id)
    remote.publish(new URL(rita.id).pathname, undefined)
    const fresh = {
      ...rita,
      ...(await makeRsaKeys()),
      id,
      keyId: `${id}#main-key`,
      document: JSON.parse(text) as Document,
    }
    Object.assign(fresh.document.publicKey as object, { publicKeyPem: fresh.publicKey })
    remote.publish(new URL(id).pathname, fresh.document)
    remote.behave(
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/jrd+json' },
        body: JSON.stringify({
          subject: `acct:${rita.name}@${new URL(remote.origin).host}`,
          links: [{ rel: 'self', type: 'application/activity+json', href: id }],
        }),
      },
      { path: '/.well-known/webfinger' },
    )
    expect(
      await harness.outcome(remote, makeActivity(fresh, 'Like', `${harness.origin}/x`), { as: fresh }),
    ).not.toMatch(/^4/)
    remote.repair()
    const { activity, path } = await remote.inbox.next(
      (it) => it.activity.type === 'Follow' && it.activity.object === id,
    )
    expect(activity.actor).toBe(bob.uri)
    expect(path).toBe(new URL(fresh.document.inbox as string).pathname)
    expect(await harness.outcome(remote, makeActivity(fresh, 'Accept', activity as Document), { as: fresh })).toBe(
      'done',
    )
    expect(await relation((await harness.account(id))?.id)).toMatchObject({ following: true })
    expect(await relation()).toMatchObject({ following: false })
  })

  test('A022 hostile 58 59 of another actor, of no request, and of another account’s follow are refused', async () => {
    const follow = await sendRequest()
    await met(eve, evil)
    expect(await harness.outcome(evil, makeActivity(eve, 'Accept', follow), { as: eve })).toBe(
      'refused not-the-one-asked',
    )
    expect(await harness.outcome(evil, makeActivity(eve, 'Accept', follow.id), { as: eve })).toBe('done unchanged')
    expect(await fromRita('Accept', { ...follow, actor: eve.id })).toBe('refused never-asked')
    expect(await fromRita('Accept', `${harness.origin}/payloads/1`)).toBe('refused never-asked')
    expect(await relation()).toMatchObject({ requested: true, following: false })
  })

  test('g02 interop 6.5 an Accept of another object than a follow has no effect', async () => {
    expect(await fromRita('Accept', { id: `${bob.uri}/statuses/1`, type: 'Note', attributedTo: bob.uri })).toBe(
      'ignored not-an-answer-to-a-follow',
    )
  })
})

describe('blocks', () => {
  test('m23 interop 4.9 both follows end, and the block can be undone', async () => {
    await fromRita('Follow', bob.uri)
    const block = makeActivity(rita, 'Block', bob.uri)
    const start = Math.floor(Date.now() / 1_000) * 1_000
    const tell = (n: number, activity = block) =>
      harness.outcome(remote, activity, { as: rita, now: new Date(start + n * 1_000) })
    expect(await tell(0)).toBe('done')
    expect(await relation()).toMatchObject({ followed_by: false, blocked_by: true })
    // The same activity again changes nothing. Another one with the same content also finds the relation.
    expect(await tell(0)).toBe('done')
    expect(await tell(1)).toBe('done unchanged')
    expect(await relation()).toMatchObject({ followed_by: false, blocked_by: true })
    expect(await tell(2, makeActivity(rita, 'Undo', block))).toBe('done')
    expect(await relation()).toMatchObject({ blocked_by: false })
  })

  test('l07 A027 hostile 70 interop 7.12 a ban from a group is not a block', async () => {
    await fromRita('Follow', bob.uri)
    expect(await fromRita('Block', bob.uri, { target: `${remote.origin}/c/cats` })).toBe('ignored community-ban')
    expect(await relation()).toMatchObject({ followed_by: true, blocked_by: false })
  })
})

describe('about activities that arrive late', () => {
  const start = Math.floor(Date.now() / 1_000) * 1_000
  const at = (n: number) => ({ as: rita, now: new Date(start + n * 1_000) })
  const follow = () => makeActivity(rita, 'Follow', bob.uri)
  /** As an activity received at this time would. */
  const followAs = (uri: string) =>
    harness.call(applyRemote, { what: 'follow', actor: ritaId, target: bob.id, uri, exact: false })
  const pairHeld = () => {
    const [low, high] = BigInt(bob.id) < BigInt(ritaId) ? [bob.id, ritaId] : [ritaId, bob.id]
    return holding(harness.db('accounts'), sql`select pg_advisory_xact_lock(hashtextextended(${`${low} ${high}`}, 0))`)
  }

  test('a block does not end a follow that was signed after it, and any other', async () => {
    const block = () => makeActivity(rita, 'Block', bob.uri)
    expect(await harness.outcome(remote, follow(), at(5))).toBe('done')
    expect(await harness.outcome(remote, block(), at(3))).toBe('done unchanged')
    expect(await relation()).toMatchObject({ followed_by: true, blocked_by: false })
    expect(await harness.outcome(remote, block(), at(5))).toBe('done')
    expect(await relation()).toMatchObject({ followed_by: false, blocked_by: true })
  })

  test('an Undo does not end a newer follow that replaced an older one during its processing', async () => {
    const [older, newer] = [follow(), follow()]
    await harness.outcome(remote, older, at(1))
    await harness.outcome(remote, newer, at(9))
    await followAs(older.id)
    const held = await pairHeld()
    const unknown = { ...follow(), id: `${rita.id}/follows/unknown` }
    await harness.deliver(remote, makeActivity(rita, 'Undo', unknown), at(5))
    await held.queued(1)
    const followActivity = followAs(newer.id)
    await held.queued(2)
    await held.letGo()
    await followActivity
    await harness.waitForIdle()
    expect(await relation()).toMatchObject({ followed_by: true })
  })

  test('an Undo by id does not end a follow sent under another id meanwhile', async () => {
    const [first, second] = [follow(), follow()]
    await harness.outcome(remote, first, at(1))
    const held = await pairHeld()
    const followActivity = followAs(second.id)
    await held.queued(1)
    await harness.deliver(remote, makeActivity(rita, 'Undo', first.id), at(3))
    await held.queued(2)
    await held.letGo()
    await followActivity
    await harness.waitForIdle()
    expect(await relation()).toMatchObject({ followed_by: true })
  })
})

describe('profiles', () => {
  test('m32 a changed profile is fetched from its own address, and the copy is ignored', async () => {
    Object.assign(rita.document, { name: 'Rita the second', summary: '<p>new<script>x</script></p>' })
    expect(await fromRita('Update', { ...rita.document, name: 'a lie' })).toBe('done')
    expect(await harness.account(rita.id)).toMatchObject({ display_name: 'Rita the second' })
  })

  test('h04 hostile 53 A016 an Update of another actor’s profile is refused', async () => {
    expect(
      await harness.outcome(evil, makeActivity(eve, 'Update', { ...rita.document, name: 'taken over' }), { as: eve }),
    ).toBe('403 not-yours')
    expect(
      await harness.outcome(evil, makeActivity(eve2, 'Update', { ...eve.document, name: 'taken over' }), { as: eve2 }),
    ).toBe('403 not-yours')
    expect(await harness.account(rita.id)).toMatchObject({ display_name: rita.name })
  })

  test('m14 a Delete of an actor removes the account; once', async () => {
    await fromRita('Follow', bob.uri)
    const deletion = makeActivity(rita, 'Delete', rita.id)
    expect(await harness.outcome(remote, deletion, { as: rita })).toBe('done')
    expect(await harness.account(rita.id)).toBe(null)
    expect((await harness.deliver(remote, deletion, { as: rita })).status).toBe(202)
  })

  test('hostile 55 56 A017 a Delete of another actor is refused, even from the same server', async () => {
    await met(eve, evil)
    expect(await harness.outcome(evil, makeActivity(eve, 'Delete', rita.id), { as: eve })).toBe('refused not-yours')
    expect(await harness.outcome(evil, makeActivity(eve2, 'Delete', eve.id), { as: eve2 })).toBe('refused not-yours')
    expect(await harness.account(rita.id)).not.toBe(null)
    expect(await harness.account(eve.id)).not.toBe(null)
  })
})

describe('moves', () => {
  const follow = async (id: string) => {
    await harness.call(createFollow, { id }, bob)
    await harness.waitForIdle()
    const row = await harness
      .db('accounts')
      .row<{ uri: string }>(sql`select uri from follow_requests where account_id = ${bob.id}`)
    await fromRita('Accept', row?.uri ?? '')
  }

  test('m24 hostile 60 61 interop 4.10 6.13 h08 h09 count only if the new account lists the old one; local followers are moved once', async () => {
    await follow(ritaId)
    const home = await evil.addActor(`home${counter}`)
    const move = (extra = {}) => fromRita('Move', rita.id, { target: home.id, ...extra })
    expect(await move()).toBe('refused no-alias')
    expect(await fromRita('Move', eve.id, { target: home.id })).toBe('403 not-yours')
    expect(await move({ target: rita.id })).toBe('refused no-target')
    expect(await move({ target: bob.uri })).toBe('refused no-alias')
    Object.assign(home.document, { alsoKnownAs: [rita.id] })
    Object.assign(rita.document, { movedTo: home.id })
    expect(await move()).toBe('done')
    await harness.waitForIdle()
    expect(await relation()).toMatchObject({ following: false, requested: false })
    const target = await harness.account(home.id)
    expect(await relation(target?.id)).toMatchObject({ requested: true })
    expect((await harness.account(rita.id))?.moved_to_id).toBe(target?.id)
    expect(await move()).toBe('refused moved-recently')
  })

  test('a remote account moves here, when the local account lists it as an alias', async () => {
    await follow(ritaId)
    const ada = await harness.createAccount(`ada${counter}`)
    await harness
      .db('accounts')
      .run(sql`update accounts set also_known_as = array[${rita.id}::text] where id = ${ada.id}`)
    expect(await fromRita('Move', rita.id, { target: ada.uri })).toBe('done')
    await harness.waitForIdle()
    expect(await relation()).toMatchObject({ following: false })
    expect(await relation(ada.id)).toMatchObject({ following: true })
  })
})

describe('reports', () => {
  const announced = async () => {
    const rows = await harness
      .db('federation')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${flagReceived.subject} order by id`)
    return rows.map((it) => JSON.parse(it.data) as Record<string, unknown>)
  }

  test('m25 k06 interop 3.5 a report of a local account announces federation.flag.received, once', async () => {
    const before = (await announced()).length
    const flag = makeActivity(rita, 'Flag', bob.uri, {
      object: [bob.uri, `${bob.uri}/statuses/1`],
      content: 'x'.repeat(6_000),
    })
    expect(await harness.outcome(remote, flag, { as: rita })).toBe('done')
    await harness.deliver(remote, flag, { as: rita })
    await harness.waitForIdle()
    const events = await announced()
    expect(events.length).toBe(before + 1)
    expect(events.at(-1)).toMatchObject({
      uri: flag.id,
      actor: ritaId,
      target: bob.id,
      statusUris: [],
      domain: new URL(remote.origin).host,
    })
    expect(String(events.at(-1)?.comment).length).toBe(5_000)
  })

  test('hostile 65 sixty reports an hour from one server are accepted', async () => {
    const server = await harness.server()
    const actor = await server.addActor('flooder')
    const before = (await announced()).length
    const report = () => harness.outcome(server, makeActivity(actor, 'Flag', bob.uri), { as: actor })
    expect(await report()).toBe('done')
    let last = ''
    // The count begins anew every hour, which may be in the middle of this.
    for (let round = 0; round < 7 && !last.startsWith('refused'); round++) {
      const flags = Array.from({ length: 20 }, () => makeActivity(actor, 'Flag', bob.uri))
      await Promise.all(flags.map((flag) => harness.deliver(server, flag, { as: actor })))
      last = await report()
    }
    expect(last).toBe('refused too-many-reports')
    expect((await announced()).length - before).toBeLessThanOrEqual(120)
    // Reports of other servers are accepted as before.
    expect(await fromRita('Flag', bob.uri)).toBe('done')
  })

  test('hostile 65 about unknown accounts, and from a server whose reports are rejected', async () => {
    const before = (await announced()).length
    expect(await fromRita('Flag', eve.id)).toBe('ignored not-about-us')
    await harness.policy({
      blocks: [{ domain: '127.0.0.1', severity: 'noop', reject_media: false, reject_reports: true }],
    })
    expect(await fromRita('Flag', bob.uri)).toBe('ignored reports-rejected')
    await harness.policy({})
    expect((await announced()).length).toBe(before)
  })
})

describe('other activities', () => {
  test('m30 a pin counts only in the list that its owner’s profile names', async () => {
    expect(await fromRita('Add', `${rita.id}/statuses/1`, { target: `${rita.id}/featured` })).toBe(
      'refused foreign-target',
    )
    expect(await fromRita('Remove', `${rita.id}/statuses/1`, { target: `${rita.id}/featured` })).toBe(
      'refused foreign-target',
    )
  })

  test('hostile 73 a suspended account can only undo and delete', async () => {
    await fromRita('Follow', bob.uri)
    await harness.call(moderateAccount, { id: ritaId, action: 'suspend', stamp: 'x' })
    expect(await fromRita('Follow', bob.uri)).toBe('refused actor-is-suspended')
    expect(await fromRita('Like', `${bob.uri}/statuses/1`)).toBe('refused actor-is-suspended')
    expect(await fromRita('Undo', makeActivity(rita, 'Follow', bob.uri))).toMatch(/^done/)
  })

  test('hostile 73 a suspended account can undo favourites and reblogs', async () => {
    const { id } = await harness.call(createStatus, { status: 'hello' } as never, bob)
    const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
    const [like, boost] = [makeActivity(rita, 'Like', uri), makeActivity(rita, 'Announce', uri, { to: [PUBLIC] })]
    for (const activity of [like, boost]) expect(await harness.outcome(remote, activity, { as: rita })).toBe('done')
    await harness.call(moderateAccount, { id: ritaId, action: 'suspend', stamp: 'x' })
    expect(await fromRita('Undo', like)).toBe('done')
    expect(await fromRita('Undo', boost.id as string)).toBe('done')
    await harness.call(moderateAccount, { id: ritaId, action: 'unsuspend', stamp: 'x' })
    await harness.waitForIdle()
    expect(await harness.call(showStatus, { id }, bob)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  })

  test('an activity without an id is processed each time, with one effect', async () => {
    const follow = { ...makeActivity(rita, 'Follow', bob.uri), id: undefined }
    expect(await harness.outcome(remote, follow as never, { as: rita })).toBe('done')
    expect(await harness.outcome(remote, follow as never, { as: rita })).toMatch(/^done/)
    expect(await relation()).toMatchObject({ followed_by: true })
  })
})
