/** Forwarding: activities of third servers with and without a proof, and activities that this server forwards. */
import { createPrivateKey } from 'node:crypto'
import { createGraphs } from '@murmuration/activitypub/signatures/graph'
import { keyFromPem } from '@murmuration/activitypub/signatures/keys'
import { addLinkedDataSignature, verifyLinkedData } from '@murmuration/activitypub/signatures/linked-data'
import { readingContext } from '@murmuration/activitypub/vocabulary/context'
import { createFollow, moderateAccount } from '@murmuration/contracts/accounts'
import { fetchKey, inboxRefusals } from '@murmuration/contracts/federation'
import { fail } from '@murmuration/contracts/kit'
import { addReblog, createStatus, resolveStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { addProof, makeEd25519Keys } from '@murmuration/testkit/outside/proof'
import {
  type Document,
  makeActivity,
  makeRsaKeys,
  PUBLIC,
  type RemoteActor,
} from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../src/context.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let home: RemoteServer
let rita: RemoteActor
let other: RemoteServer
let fred: RemoteActor
const graphs = createGraphs(readingContext)

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  home = await harness.server()
  rita = await home.addActor('rita')
  other = await harness.server()
  fred = await other.addActor('fred')
  await harness.outcome(other, makeActivity(fred, 'Follow', bob.uri), { as: fred })
  await harness.outcome(home, makeActivity(rita, 'Follow', bob.uri), { as: rita })
})
afterAll(async () => {
  await graphs.close()
  await harness.stop()
})
beforeEach(async () => {
  await harness.waitForIdle()
  for (const server of [home, other]) server.inbox.clear()
})
afterEach(async () => {
  await harness.waitForIdle()
  expect(await harness.db('federation').rows(sql`select reason from dead_letters`)).toEqual([])
})

const context = ['https://www.w3.org/ns/activitystreams', { sensitive: 'as:sensitive' }]
const DAY_MS = 86_400_000
/** The same, signed by its author `days` ago, without expiry. */
const signed = async (activity: Document, by = rita, days = 0): Promise<Document & { id: string }> => {
  const signed = await addLinkedDataSignature({ ...activity, '@context': context } as never, {
    keyId: by.keyId,
    privateKey: createPrivateKey(by.privateKey),
    created: new Date(Date.now() - days * DAY_MS).toISOString(),
    expires: new Date(Date.now() + 365 * DAY_MS).toISOString(),
    graphs,
  })
  if (signed === null) throw new Error('not signed')
  return signed as Document & { id: string }
}
const write = async (input: Record<string, unknown> = {}) => {
  const { id } = await harness.call(createStatus, { status: 'ours', ...input } as never, bob)
  return (await harness.call(statusRecords, { ids: [id] })).records[0]!
}
let notes = 0
const note = (extra: Document = {}): Document & { id: string } => ({
  id: `${rita.id}/statuses/f${++notes}`,
  type: 'Note',
  attributedTo: rita.id,
  content: `<p>note ${notes}</p>`,
  published: new Date().toISOString(),
  to: [PUBLIC],
  cc: [rita.followers, bob.uri],
  tag: [{ type: 'Mention', href: bob.uri, name: '@bob' }],
  ...extra,
})
const options = (votes: number): Document[] =>
  ['yes', 'no'].map((name) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems: votes } }))
const ends = new Date(Date.now() + 86_400_000).toISOString()
const create = (object: Document) => makeActivity(rita, 'Create', object)
const tell = (activity: Document & { id: string }, as = rita, from = home) => harness.outcome(from, activity, { as })
const found = async (uri: string) => (await harness.call(statusRecords, { uris: [uri] })).records[0] ?? null
const words = async (uri: string) => {
  const row = await harness.db('statuses').row<{ html: string }>(sql`select html from statuses where uri = ${uri}`)
  return row?.html ?? null
}
/** Texts that the inbox of the other server received about objects of rita. */
const passedOn = async () => {
  await harness.waitForIdle()
  return other.inbox.all.filter((one) => one.activity.actor === rita.id).map((one) => one.body.toString('utf8'))
}

describe('replies to local accounts are forwarded to their remote followers', () => {
  test('m02 unchanged, signed by the author of the parent, and not to the server of the sender', async () => {
    const { uri } = await write()
    const activity = await signed(create(note({ inReplyTo: uri })))
    const text = JSON.stringify(activity, null, 1)
    expect((await harness.deliver(home, text, { as: rita })).status).toBe(202)
    expect(await passedOn()).toEqual([text])
    expect(home.inbox.all.filter((one) => one.activity.actor === rita.id)).toEqual([])
    const [delivery] = other.inbox.all.filter((one) => one.activity.actor === rita.id)
    expect((await other.verify(delivery!, {})).keyId).toContain(bob.uri)
    // A repeated activity is not forwarded again.
    await harness.deliver(home, text, { as: rita })
    expect(await passedOn()).toEqual([text])
  })

  test('also if a Link names the parent', async () => {
    const { uri } = await write()
    const activity = await signed(create(note({ inReplyTo: { type: 'Link', href: uri } })))
    expect(await tell(activity)).toBe('done')
    expect((await passedOn()).at(-1)).toContain(activity.id)
  })

  test('hostile 68 an activity without addressing is for recipients of its author, not of a forwarding server', async () => {
    const make = () => signed({ ...create({ ...note(), to: [], cc: [], tag: [] }), to: [], cc: [] })
    const [sent, passed] = [await make(), await make()]
    const to = new URL(`${bob.uri}/inbox`).pathname
    await harness.outcome(home, sent, { as: rita, to })
    await harness.outcome(other, passed, { as: fred, to })
    const here = ({ object }: Document) => found((object as Document & { id: string }).id)
    expect([await here(sent), await here(passed)]).toEqual([expect.anything(), null])
  })

  test('an activity without a valid signature, or with a limited audience, is not', async () => {
    const { uri } = await write()
    const plain = create(note({ inReplyTo: uri }))
    const spoiled = { ...(await signed(create(note({ inReplyTo: uri })))), summary: 'changed' }
    const few = await signed(create(note({ inReplyTo: uri, to: [rita.followers], cc: [bob.uri] })))
    for (const activity of [plain, spoiled, few]) expect(await tell(activity)).toBe('done')
    expect(await passedOn()).toEqual([])
  })

  test('a status that does not reply to a local account is not', async () => {
    expect(await tell(await signed(create(note())))).toBe('done')
    expect(await passedOn()).toEqual([])
  })

  test('edits and the deletion of a reply are', async () => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri })
    const first = await signed(create(object))
    const edit = await signed(
      makeActivity(rita, 'Update', {
        ...object,
        content: '<p>new</p>',
        updated: new Date(Date.now() + 1_000).toISOString(),
      }),
    )
    const end = await signed(makeActivity(rita, 'Delete', { id: object.id, type: 'Tombstone' }, { to: [PUBLIC] }))
    for (const activity of [first, edit, end]) {
      expect((await tell(activity)).split(' ')[0]).toBe('done')
      await harness.waitForIdle()
    }
    expect(await passedOn()).toEqual([first, edit, end].map((one) => JSON.stringify(one)))
    expect((await found(object.id))?.deleted).toBe(true)
  })

  test('a Delete whose key cannot be fetched now is not, and deletes the status at once', async () => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri })
    await tell(create(object))
    const ctx = harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
    const original = ctx.call
    const unanswered = async (contract: unknown, ...rest: unknown[]) => {
      if (contract === fetchKey) throw fail('unavailable', 'no process fetches keys')
      return (original as (...all: unknown[]) => unknown).call(ctx, contract, ...rest)
    }
    const call = vi.spyOn(ctx, 'call').mockImplementation(unanswered as never)
    onTestFinished(() => call.mockRestore())
    const activity = makeActivity(rita, 'Delete', object.id, { to: [PUBLIC] })
    expect(await tell(await signed(activity, { ...rita, keyId: `${rita.id}#later-key` }))).toBe('done')
    expect(call.mock.calls.some(([contract]) => (contract as unknown) === fetchKey)).toBe(true)
    expect((await found(object.id))?.deleted).toBe(true)
    expect(await passedOn()).toEqual([])
  })

  test('an activity without effect is not, whatever its type', async () => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri, type: 'Question', oneOf: options(0), endTime: ends })
    const again = () => signed(create(object))
    const changed = (extra: Document) => signed(makeActivity(rita, 'Update', { ...object, ...extra }))
    const edit = { content: '<p>new</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    const updates = [await again(), await changed(edit), await changed({ ...edit, oneOf: options(3) })]
    const counted = { ...edit, oneOf: options(3) }
    const repeated = [await again(), await changed(counted), await changed(counted)]
    expect(await tell(updates[0]!)).toBe('done')
    expect(await tell(repeated[0]!)).toBe('done unchanged')
    expect(await tell(updates[1]!)).toBe('done edited')
    expect(await tell(updates[2]!)).toBe('done refreshed')
    for (const activity of repeated.slice(1)) await tell(activity)
    expect(await passedOn()).toEqual(updates.map((one) => JSON.stringify(one)))
  })

  test('the deletion of a status reblogged by a local account is, only by its author', async () => {
    const object = note()
    await tell(create(object))
    const id = (await found(object.id))?.id ?? ''
    await harness.call(addReblog, { id }, bob)
    await harness.waitForIdle()
    const eve = await other.addActor('eve')
    const forged = await signed(makeActivity(eve, 'Delete', object.id, { to: [PUBLIC] }), eve)
    expect(await tell(forged, eve, other)).toBe('refused not-yours')
    const end = await signed(makeActivity(rita, 'Delete', object.id, { to: [PUBLIC] }))
    expect(await tell(end)).toBe('done')
    expect(await passedOn()).toEqual([JSON.stringify(end)])
  })

  test('m29 the revocation of an approval of a local quote is', async () => {
    const quoted = home.addNote(rita, 'words', {
      interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
    })
    const { id: known } = await harness.call(resolveStatus, { uri: quoted.id, viewer: null })
    const ours = await write({ status: 'look', quoted_status_id: known })
    await harness.waitForIdle()
    const asked = home.inbox.all.map((one) => one.activity).find((one) => one.type === 'QuoteRequest') as Document
    const stamp = `${rita.id}/stamps/1`
    home.publish(new URL(stamp).pathname, {
      '@context': context,
      id: stamp,
      type: 'QuoteAuthorization',
      attributedTo: rita.id,
      interactingObject: ours.uri,
      interactionTarget: quoted.id,
    })
    expect(await tell(makeActivity(rita, 'Accept', asked, { result: stamp }))).toBe('done')
    await harness.waitForIdle()
    const end = await signed(makeActivity(rita, 'Delete', { id: stamp, type: 'QuoteAuthorization' }, { to: [PUBLIC] }))
    expect(await tell(end)).toBe('done')
    expect(await passedOn()).toEqual([JSON.stringify(end)])
  })

  test('many replies by one author are stored, and forwarded within a rate limit', async () => {
    const eve = await home.addActor('eve')
    const { uri } = await write()
    const flood = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        signed(
          makeActivity(eve, 'Create', note({ id: `${eve.id}/statuses/${n}`, attributedTo: eve.id, inReplyTo: uri })),
          eve,
        ),
      ),
    )
    for (const one of flood) expect(await tell(one, eve)).toBe('done')
    await harness.waitForIdle()
    const passed = other.inbox.all.filter((one) => one.activity.actor === eve.id)
    // Ten minutes may end meanwhile.
    expect(passed.length).toBeGreaterThanOrEqual(30)
    expect(passed.length).toBeLessThan(40)
  })
})

describe('activities that others forward to this server', () => {
  test('f01 y02 is accepted with an inner signature of its actor, as far as it is signed', async () => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri, sensitive: true, votersCount: 7 })
    const activity = await signed(create(object))
    expect(await tell(activity, fred, other)).toBe('done')
    expect(await found(object.id)).toMatchObject({ in_reply_to_author: bob.id })
    expect(await words(object.id)).toContain(object.content)
  })

  test.each<[string, (activity: Document) => Document, (activity: Document) => Document]>([
    ['the signature', (it) => it, (it) => ({ ...it, signature: [it.signature] })],
    ['the actor', (it) => ({ ...it, actor: [it.actor] }), (it) => it],
  ])('is accepted with an inner signature if %s is in a list', async (_, before, after) => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri })
    const activity = await signed(before(create(object)))
    expect(await tell(after(activity) as typeof activity, fred, other)).toBe('done')
    expect(await found(object.id)).not.toBeNull()
  })

  test('hostile 22 unsigned additions are ignored', async () => {
    const { uri } = await write()
    const object = note({ inReplyTo: uri })
    const activity = await signed(create(object))
    const inside = {
      ...(activity.object as Document),
      attachment: { id: 'x y', type: 'Document', url: `${home.origin}/evil.png`, mediaType: 'image/png' },
    }
    expect(await tell({ ...activity, object: inside }, fred, other)).toBe('done')
    const row = await harness
      .db('statuses')
      .row<{ media_ids: string[] }>(sql`select media_ids from statuses where uri = ${object.id}`)
    expect(row?.media_ids).toEqual([])
  })

  test('its key may be newer than the stored one', async () => {
    const { uri } = await write()
    const actor = await home.addActor('renewed')
    await harness.outcome(home, makeActivity(actor, 'Follow', bob.uri), { as: actor })
    Object.assign(actor, await makeRsaKeys())
    Object.assign(actor.document.publicKey as Document, { publicKeyPem: actor.publicKey })
    const object = { ...note({ inReplyTo: uri }), id: `${actor.id}/1`, attributedTo: actor.id, cc: [bob.uri] }
    expect(await tell(await signed(makeActivity(actor, 'Create', object), actor), fred, other)).toBe('done')
    expect(await found(object.id)).not.toBeNull()
  })

  test('an integrity proof by a key of the actor is accepted', async () => {
    const { uri } = await write()
    const made = await makeEd25519Keys()
    const actor = await home.addActor('proved')
    const method = `${actor.id}#ed25519-key`
    Object.assign(actor.document, {
      '@context': [...context, 'https://w3id.org/security/multikey/v1'],
      assertionMethod: [
        { id: method, type: 'Multikey', controller: actor.id, publicKeyMultibase: made.publicKeyMultibase },
      ],
    })
    const object = { ...note({ inReplyTo: uri }), id: `${actor.id}/1`, attributedTo: actor.id, cc: [bob.uri] }
    const proved = addProof(
      { ...makeActivity(actor, 'Create', object), '@context': context },
      {
        verificationMethod: method,
        privateKey: made.privateKey,
        created: new Date().toISOString(),
      },
    ) as Document & { id: string }
    expect(await tell(proved, fred, other)).toBe('done')
    expect(await found(object.id)).not.toBeNull()
    const spoiled = { ...proved, id: `${actor.id}/2`, object: { ...object, id: `${actor.id}/2` } }
    expect((await tell(spoiled, fred, other)).slice(0, 3)).not.toBe('don')
  })

  test('hostile 22 additions to the context after the proof are ignored', async () => {
    const { uri } = await write()
    const made = await makeEd25519Keys()
    const actor = await home.addActor('quiet')
    const method = `${actor.id}#ed25519-key`
    Object.assign(actor.document, {
      '@context': [...context, 'https://w3id.org/security/multikey/v1'],
      assertionMethod: [
        { id: method, type: 'Multikey', controller: actor.id, publicKeyMultibase: made.publicKeyMultibase },
      ],
    })
    const object = { ...note({ inReplyTo: uri }), id: `${actor.id}/1`, attributedTo: actor.id, cc: [bob.uri] }
    const proved = addProof(
      { ...makeActivity(actor, 'Create', object), '@context': context },
      {
        verificationMethod: method,
        privateKey: made.privateKey,
        created: new Date().toISOString(),
      },
    ) as Document & { id: string }
    expect(await tell({ ...proved, '@context': [...context, { '@language': 'de' }] }, fred, other)).toBe('done')
    const { id } = (await found(object.id))!
    expect((await harness.call(showStatus, { id }, bob)).language).toBeNull()
  })

  test('without a proof, a reply to a local account is fetched from its server', async () => {
    const { uri } = await write()
    const real = home.addNote(rita, '<p>what I wrote</p>', { inReplyTo: uri })
    const forged = makeActivity(rita, 'Create', { ...real, content: '<p>what I never wrote</p>' })
    expect((await harness.deliver(other, forged, { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await words(real.id)).toContain('what I wrote')
    const nowhere = note({ inReplyTo: uri })
    expect((await harness.deliver(other, create(nowhere), { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await found(nowhere.id)).toBeNull()
  })

  test.each(['@bob', 'users/bob/statuses'])('without a proof, a reply to the page /%s/ID is fetched', async (path) => {
    const { id } = await write()
    const real = home.addNote(rita, '<p>what I wrote</p>', { inReplyTo: `${harness.origin}/${path}/${id}` })
    expect((await harness.deliver(other, makeActivity(rita, 'Create', real), { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await words(real.id)).toContain('what I wrote')
  })

  test('without a proof, a fetched status that is refused is counted and logged', async () => {
    const ctx = harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
    const { refusals: written } = ctx
    const counted = async () => {
      await written.flush()
      const { refusals } = await harness.call(inboxRefusals, { days: 1, host: new URL(home.origin).host })
      const count = (reason: string) => refusals.find((one) => one.reason === reason)?.count ?? 0
      return [count('statuses-refuses'), count('not-yours')]
    }
    const log = vi.spyOn(written, 'log')
    onTestFinished(() => log.mockRestore())
    const [refusedBefore = 0, foreignBefore = 0] = await counted()
    const { uri } = await write()
    const eve = await home.addActor('suspended')
    await harness.outcome(home, makeActivity(eve, 'Follow', bob.uri), { as: eve })
    const { id } = (await harness.account(eve.id))!
    await harness.call(moderateAccount, { id, action: 'suspend', stamp: '1' })
    await harness.waitForIdle()
    const reply = home.addNote(eve, 'a reply', { inReplyTo: uri })
    expect((await harness.deliver(other, makeActivity(eve, 'Create', reply), { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await found(reply.id)).toBeNull()
    expect(await counted()).toEqual([refusedBefore + 1, foreignBefore])
    expect(log.mock.calls.map(([one]) => one.reason)).toContain('statuses-refuses')
    // The edit names another author.
    const real = home.addNote(rita, '<p>first</p>', { cc: [bob.uri] })
    await tell(create(real))
    const edited = { ...real, attributedTo: eve.id, content: '<p>second</p>' }
    home.publish(new URL(real.id).pathname, { ...edited, updated: new Date(Date.now() + 1_000).toISOString() })
    expect((await harness.deliver(other, makeActivity(rita, 'Update', real), { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await words(real.id)).toContain('first')
    expect(await counted()).toEqual([refusedBefore + 1, foreignBefore + 1])
    expect(log.mock.calls.map(([one]) => one.reason)).toContain('not-yours')
  })

  test('hostile 23 A025 an undone activity has no effect when forwarded later', async () => {
    const ours = await write()
    const boosts = async () =>
      (await harness.db('statuses').rows(sql`select 1 from reblogs where status_id = ${ours.id}`)).length
    const [young, old] = [3, 40].map((days) => ({
      days,
      boost: makeActivity(rita, 'Announce', ours.uri, { to: [PUBLIC] }),
    }))
    for (const { days, boost } of [young!, old!]) {
      const activity = await signed(boost, rita, days)
      expect(await tell(activity)).toBe('done')
      expect(await boosts()).toBe(1)
      expect(await tell(makeActivity(rita, 'Undo', boost))).toBe('done')
      expect(await boosts()).toBe(0)
      if (days < 30) {
        expect(await tell(activity, fred, other)).toBe('done')
        expect(await boosts()).toBe(0)
      }
    }
    // The activity was deleted from the processed-message log.
    await harness.db('federation').run(sql`delete from inbox_activities`)
    await harness.db('federation').run(sql`delete from undone_activities`)
    await harness.db('statuses').run(sql`delete from tombstones`)
    await harness.db('statuses').run(sql`delete from post_uris where uri = ${old!.boost.id}`)
    await tell(await signed(old!.boost, rita, old!.days), fred, other)
    expect(await boosts()).toBe(0)
  })

  test('an old forwarded Announce or Undo does not change the reblog that its actor sent', async () => {
    const ours = await write()
    const boost = () => makeActivity(rita, 'Announce', ours.uri, { to: [PUBLIC] })
    const [old, current] = [boost(), boost()]
    expect(await tell(current)).toBe('done')
    for (const activity of [makeActivity(rita, 'Undo', boost()), old])
      expect(await tell(await signed(activity, rita, 2), fred, other)).toBe('done unchanged')
    const boosts = sql`select s.uri from reblogs r join statuses s on s.id = r.reblog_id where r.status_id = ${ours.id}`
    expect(await harness.db('statuses').rows(boosts)).toEqual([{ uri: current.id }])
  })

  test('a Delete signed long ago causes a fetch of its object', async () => {
    const real = home.addNote(rita, '<p>still there</p>', { cc: [bob.uri] })
    await tell(create(real))
    const end = await signed(makeActivity(rita, 'Delete', real.id, { to: [PUBLIC] }), rita, 10)
    expect(await tell(end, fred, other)).toBe('dropped')
    expect((await found(real.id))?.deleted).toBe(false)
  })

  test('hostile 20 h03 without a proof, an activity that concerns no local account is refused without a fetch', async () => {
    const real = home.addNote(rita, 'none of your business')
    home.requests.clear()
    expect((await harness.deliver(other, makeActivity(rita, 'Create', real), { as: fred })).status).toBe(401)
    await harness.waitForIdle()
    expect(home.requests.all).toEqual([])
    expect(await found(real.id)).toBeNull()
  })

  test('without a proof, an activity about a known status causes a fetch from its server', async () => {
    const real = home.addNote(rita, '<p>first</p>', { cc: [bob.uri] })
    await tell(create(real))
    const path = new URL(real.id).pathname
    // A false Delete.
    const end = makeActivity(rita, 'Delete', real.id)
    expect((await harness.deliver(other, end, { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect((await found(real.id))?.deleted).toBe(false)
    // New content, which differs from the forwarded copy.
    const edited = { ...real, content: '<p>second</p>', updated: new Date(Date.now() + 1_000).toISOString() }
    home.publish(path, edited)
    const lie = makeActivity(rita, 'Update', { ...edited, content: '<p>a lie</p>' })
    expect((await harness.deliver(other, lie, { as: fred })).status).toBe(202)
    await harness.waitForIdle()
    expect(await words(real.id)).toContain('second')
    // A 404 does not delete at once, however many fetches are caused.
    home.publish(path, undefined)
    for (let n = 0; n < 3; n++) {
      expect((await harness.deliver(other, makeActivity(rita, 'Delete', real.id), { as: fred })).status).toBe(202)
      await harness.waitForIdle()
      expect((await found(real.id))?.deleted).toBe(false)
    }
  })

  test.each(['410', 'a tombstone'])(
    'without a proof, a Delete counts if the server of the status responds %s',
    async (how) => {
      const real = home.addNote(rita, '<p>going</p>', { cc: [bob.uri] })
      await tell(create(real))
      const path = new URL(real.id).pathname
      if (how === '410') home.behave({ kind: 'gone' }, { path })
      else home.publish(path, { '@context': context, id: real.id, type: 'Tombstone' })
      expect((await harness.deliver(other, makeActivity(rita, 'Delete', real.id), { as: fred })).status).toBe(202)
      await harness.waitForIdle()
      expect((await found(real.id))?.deleted).toBe(true)
    },
  )

  test('many forwarded activities about one object cause a few fetches', async () => {
    const real = home.addNote(rita, '<p>asked for</p>', { cc: [bob.uri] })
    await tell(create(real))
    home.requests.clear()
    for (let n = 0; n < 12; n++) await harness.deliver(other, makeActivity(rita, 'Delete', real.id), { as: fred })
    await harness.waitForIdle()
    expect(home.requests.all.filter((one) => one.path === new URL(real.id).pathname).length).toBeLessThanOrEqual(5)
  })
})

describe('local activities can be forwarded', () => {
  test('a public activity has an inner signature, a non-public one has none, a Delete always has one', async () => {
    const account = await harness.account(rita.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, bob)
    await harness.waitForIdle()
    const follows = home.inbox.all.find((one) => one.activity.type === 'Follow')
    expect(follows?.activity).not.toHaveProperty('signature')
    const open = await write({ visibility: 'public' })
    const closed = await write({ visibility: 'private' })
    await harness.waitForIdle()
    const about = (uri: string, type: string) =>
      other.inbox.all.find((one) => one.activity.type === type && JSON.stringify(one.activity).includes(uri))?.activity
    expect(about(closed.uri, 'Create')).not.toHaveProperty('signature')
    const created = about(open.uri, 'Create') as Document
    const pem = (await (await fetch(bob.uri, { headers: { accept: 'application/activity+json' } })).json()) as {
      publicKey: { id: string; publicKeyPem: string }
    }
    const verified = await verifyLinkedData(created, {
      now: Date.now(),
      graphs,
      getKey: async (id) =>
        id === pem.publicKey.id ? { ...keyFromPem(pem.publicKey.publicKeyPem)!, owner: bob.uri } : null,
    })
    expect(verified).toMatchObject({ ok: true, actor: bob.uri })
    expect(JSON.parse(verified.ok ? verified.document : '{}').object).toMatchObject({ id: open.uri, type: 'Note' })
  })
})
