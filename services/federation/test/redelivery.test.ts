/** Activities that are sent again under the same id have an effect; repetitions and replays have none. */
import { accountRecords, listRelationships, removeFollower } from '@murmuration/contracts/accounts'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, makeRsaKeys, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

type LocalAccount = Awaited<ReturnType<Harness['createAccount']>>
const followers = async (createAccount: LocalAccount) => {
  const answer = await fetch(`${createAccount.uri}/followers`, { headers: { accept: 'application/activity+json' } })
  return ((await answer.json()) as Document).totalItems
}
/** Moves the times of all stored activities back by the given number of seconds. */
const passes = async (seconds: number) => {
  const ago = sql`make_interval(secs => ${seconds})`
  await harness.db('federation').run(sql`update inbox_activities set closed_at = closed_at - ${ago},
    received_at = received_at - ${ago}, signed_at = signed_at - ${ago}`)
  await harness.db('federation').run(sql`update undone_activities set at = at - ${ago}, signed_at = signed_at - ${ago}`)
  await harness.db('statuses').run(sql`update tombstones set at = at - ${ago}`)
}
/** Signatures have whole seconds, so each gets a second of its own. */
const start = Math.floor(Date.now() / 1_000) * 1_000
const second = (n: number) => new Date(start + n * 1_000)
const write = async (createAccount: LocalAccount) => {
  const ours = await harness.call(createStatus, { status: 'look' }, createAccount)
  const id = 'id' in ours ? ours.id : ''
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri as string
  return { id, uri }
}

test('a Follow after its Undo, and after the follower was removed', async () => {
  const remote = await harness.server()
  const rita = await remote.addActor('rita')
  const ann = await harness.createAccount('ann')
  const follow = { ...makeActivity(rita, 'Follow', ann.uri), id: `${remote.origin}/follows/a/b` }
  const accepts = () => remote.inbox.all.filter((one) => one.activity.type === 'Accept').length
  const tell = (activity: Document & { id: string }, n: number) =>
    harness.outcome(remote, activity, { as: rita, now: second(n) })
  await tell(follow, 0)
  expect([await followers(ann), accepts()]).toEqual([1, 1])
  await tell(makeActivity(rita, 'Undo', follow), 5)
  expect(await followers(ann)).toBe(0)
  // A captured request repeats the old signature. Only its actor can sign the Follow again after the Undo.
  for (const n of [0, 3, 4]) await tell(follow, n)
  expect([await followers(ann), accepts()]).toEqual([0, 1])
  for (let time = 0; time < 2; time++) {
    await tell(follow, 8)
    expect([await followers(ann), accepts()]).toEqual([1, 2])
  }
  const { records } = await harness.call(accountRecords, { uris: [rita.id] })
  await harness.call(removeFollower, { id: records[0]?.id as string }, ann)
  await harness.waitForIdle()
  expect(await followers(ann)).toBe(0)
  for (const n of [0, 5, 8]) await tell(follow, n)
  expect([await followers(ann), accepts()]).toEqual([0, 2])
  await tell(follow, 9)
  expect([await followers(ann), accepts()]).toEqual([1, 3])
})

test('Follow, Undo and the same Follow again, one after the other and all before processing', async () => {
  const remote = await harness.server()
  const [rita, pia] = [await remote.addActor('rita8'), await harness.createAccount('pia')]
  const follow = { ...makeActivity(rita, 'Follow', pia.uri), id: `${remote.origin}/follows/e/f` }
  const undo = makeActivity(rita, 'Undo', follow)
  const send = (activity: Document, n: number) => harness.deliver(remote, activity, { as: rita, now: second(n) })
  for (let round = 0; round < 4; round++) {
    for (const [n, activity] of [follow, undo, follow].entries()) {
      expect((await send(activity, 10 * round + n)).status).toBe(202)
      if (round % 2 === 0) await harness.waitForIdle()
    }
    await harness.waitForIdle()
    expect(await followers(pia)).toBe(1)
    expect((await send(undo, 10 * round + 5)).status).toBe(202)
    await harness.waitForIdle()
    expect(await followers(pia)).toBe(0)
  }
})

test('a Follow with other bytes counts at once after its Undo, also if both are waiting', async () => {
  const remote = await harness.server()
  const [rita, joe] = [await remote.addActor('rita5'), await harness.createAccount('joe')]
  const follow = (n: number) => ({
    ...makeActivity(rita, 'Follow', joe.uri),
    id: `${remote.origin}/follows/c/d`,
    published: second(n).toISOString(),
  })
  const send = (activity: Document, n: number) => harness.deliver(remote, activity, { as: rita, now: second(n) })
  await harness.outcome(remote, follow(0), { as: rita, now: second(0) })
  for (let round = 1; round <= 5; round++) {
    const n = 10 * round
    expect((await send(makeActivity(rita, 'Undo', follow(n - 10)), n)).status).toBe(202)
    expect((await send(follow(n), n)).status).toBe(202)
    await harness.waitForIdle()
    expect(await followers(joe)).toBe(1)
  }
  await harness.outcome(remote, makeActivity(rita, 'Undo', follow(50)), { as: rita, now: second(99) })
  expect(await followers(joe)).toBe(0)
})

test('an Announce after its Undo: a newer one counts, a captured one does not', async () => {
  const remote = await harness.server()
  const [rita, dora] = [await remote.addActor('rita6'), await harness.createAccount('dora')]
  const { id, uri } = await write(dora)
  const plain = { ...makeActivity(rita, 'Announce', uri, { to: [PUBLIC] }), id: `${rita.id}/announces/1` }
  const announce = (n: number) => ({ ...plain, published: second(n).toISOString() })
  const count = async () => (await harness.call(showStatus, { id }, dora)).reblogs_count
  const alive = async () =>
    (await harness.call(statusRecords, { uris: [plain.id] })).records.filter((it) => !it.deleted).length
  const tell = (activity: Document & { id: string }, n: number) =>
    harness.outcome(remote, activity, { as: rita, now: second(n) })
  for (const round of [0, 10, 20]) {
    expect(await tell(announce(round), round)).toBe('done')
    expect([await count(), await alive()]).toEqual([1, 1])
    expect(await tell(makeActivity(rita, 'Undo', announce(round)), round + 5)).toBe('done')
    for (const n of [0, 3, 4]) await tell(announce(n === 0 ? round : 99), round + n)
    expect([await count(), await alive()]).toEqual([0, 0])
  }
  // A second Undo under another id, after everything was undone.
  await tell(makeActivity(rita, 'Undo', plain), 30)
  await passes(400)
  await tell(announce(20), -380)
  expect([await count(), await alive()]).toEqual([0, 0])
  expect(await tell(announce(20), 31)).toBe('done')
  expect([await count(), await alive()]).toEqual([1, 1])
  await tell(makeActivity(rita, 'Undo', plain.id), 40)
  expect(await count()).toBe(0)
})

test.each(['Like', 'EmojiReact'])('a %s after two Undos of it', async (type) => {
  const remote = await harness.server()
  const [rita, pam] = [await remote.addActor(`rita${type}`), await harness.createAccount(`pam${type}`)]
  const { id, uri } = await write(pam)
  const like = { ...makeActivity(rita, type, uri), content: '🐦', id: `${rita.id}#likes/1` }
  const count = async () => (await harness.call(showStatus, { id }, pam)).favourites_count
  const tell = (activity: Document & { id: string }, n: number) =>
    harness.outcome(remote, activity, { as: rita, now: second(n) })
  expect(await tell(like, 0)).toBe('done')
  for (const n of [5, 6]) await tell(makeActivity(rita, 'Undo', like), n)
  expect(await count()).toBe(0)
  await passes(400)
  expect(await tell(like, 10)).toBe('done')
  expect(await count()).toBe(1)
})

test.each(['Follow', 'Like', 'EmojiReact', 'Announce', 'Block'])(
  'a retried Undo does not end the %s received after it under another id',
  async (type) => {
    const { rita, original, count, tell } = await unseen(type, `una${type}`)
    const other = (n: number) => ({ ...original, id: `${original.id}/${n}` })
    const undo = makeActivity(rita, 'Undo', original)
    await tell(original, second(0))
    await tell(undo, second(2))
    await tell(other(1), second(4))
    expect(await count()).toBe(1)
    expect(await tell(undo, second(6))).toBe('done unchanged')
    expect(await count()).toBe(1)
    expect(await tell(makeActivity(rita, 'Undo', other(1)), second(8))).toBe('done')
    expect(await count()).toBe(0)
    // Some servers use another id in the Undo than the undone activity had.
    await tell(other(2), second(10))
    expect(await tell(makeActivity(rita, 'Undo', other(3)), second(12))).toBe('done')
    expect(await count()).toBe(0)
  },
)

test.each(['Follow', 'Like', 'EmojiReact', 'Announce', 'Block'])(
  'an Undo without the id of its %s ends an earlier one, and no newer one',
  async (type) => {
    const { rita, original, count, tell } = await unseen(type, `anon${type}`)
    const undo = () => makeActivity(rita, 'Undo', { ...original, id: undefined })
    await tell(original, second(4))
    expect(await tell(undo(), second(2))).toBe('done unchanged')
    expect(await count()).toBe(1)
    expect(await tell(undo(), second(6))).toBe('done')
    expect(await count()).toBe(0)
  },
)

test('an activity whose row was deleted may be sent again after its Undo', async () => {
  const remote = await harness.server()
  const [rita, lea] = [await remote.addActor('rita7'), await harness.createAccount('lea')]
  const { id, uri } = await write(lea)
  const originals = [
    { ...makeActivity(rita, 'Follow', lea.uri), id: `${rita.id}#follow/lea` },
    { ...makeActivity(rita, 'Like', uri), id: `${rita.id}#likes/2` },
    makeActivity(rita, 'Announce', uri, { to: [PUBLIC] }),
  ]
  const counts = async () => {
    const { favourites_count, reblogs_count } = await harness.call(showStatus, { id }, lea)
    return [await followers(lea), favourites_count, reblogs_count]
  }
  const tell = (activity: Document & { id: string }, n: number) =>
    harness.outcome(remote, activity, { as: rita, now: second(n) })
  for (const whole of [true, false]) {
    for (const original of originals) expect(await tell(original, whole ? 0 : 10)).toBe('done')
    expect(await counts()).toEqual([1, 1, 1])
    await harness.db('federation').run(sql`delete from inbox_activities`)
    await harness.db('federation').run(sql`delete from undone_activities`)
    for (const original of originals)
      expect(await tell(makeActivity(rita, 'Undo', whole ? original : original.id), 5)).toBe('done')
    expect(await counts()).toEqual([0, 0, 0])
  }
  for (const original of originals) expect(await tell(original, 20)).toBe('done')
  expect(await counts()).toEqual([1, 1, 1])
})

test('a Like after its Undo, and an Undo of another Follow under the id of the first', async () => {
  const remote = await harness.server()
  const rita = await remote.addActor('rita2')
  const bob = await harness.createAccount('bob')
  const tell = (activity: Document & { id: string }) => harness.outcome(remote, activity, { as: rita })
  const follow = (n: number) => ({ ...makeActivity(rita, 'Follow', bob.uri), id: `${rita.id}#follow/${n}` })
  const undo = (n: number) => ({ ...makeActivity(rita, 'Undo', follow(n)), id: `${rita.id}#undo/1` })
  for (const n of [1, 2]) {
    await tell(follow(n))
    expect(await followers(bob)).toBe(1)
    await tell(undo(n))
    expect(await followers(bob)).toBe(0)
  }
  const { id, uri } = await write(bob)
  const like = { ...makeActivity(rita, 'Like', uri), id: `${rita.id}#likes/1` }
  const count = async () => (await harness.call(showStatus, { id }, bob)).favourites_count
  await tell(like)
  expect(await count()).toBe(1)
  await tell(makeActivity(rita, 'Undo', like))
  expect(await count()).toBe(0)
  await passes(400)
  expect(await tell(like)).toBe('done')
  expect(await count()).toBe(1)
})

/** An activity whose target is not stored, its Undo, and the number of its effects. */
const unseen = async (type: string, name: string) => {
  const remote = await harness.server()
  const [rita, eve] = [await remote.addActor('rita3'), await harness.createAccount(name)]
  const { id, uri } = await write(eve)
  const original = makeActivity(rita, type, type === 'Follow' || type === 'Block' ? eve.uri : uri, { to: [PUBLIC] })
  const count = async () => {
    const { favourites_count, reblogs_count } = await harness.call(showStatus, { id }, eve)
    const known = await harness.account(rita.id)
    const [relation] = known ? await harness.call(listRelationships, { id: [known.id] }, eve) : []
    const blocks = relation?.blocked_by ? 1 : 0
    return ((await followers(eve)) as number) + favourites_count + reblogs_count + blocks
  }
  const tell = (activity: Document & { id: string }, now = new Date()) =>
    harness.outcome(remote, activity, { as: rita, now })
  return { rita, original, undo: makeActivity(rita, 'Undo', original), count, tell }
}

test.each(['Follow', 'Like', 'EmojiReact', 'Announce'])(
  'a %s whose Undo arrived first, sent again: with other bytes it counts at once, with the same after six hours',
  async (type) => {
    const { original, undo, count, tell } = await unseen(type, `eve${type}`)
    await tell(undo)
    expect(await tell(original)).toBe('ignored undone-before')
    expect(await tell(original)).toBe('ignored undone-before')
    expect(await count()).toBe(0)
    await passes(7 * 3_600)
    expect(await tell(original)).toBe('done')
    expect(await count()).toBe(1)
    const anew = await unseen(type, `ada${type}`)
    await anew.tell(anew.undo)
    expect(await anew.tell(anew.original)).toBe('ignored undone-before')
    const now = new Date()
    for (let time = 0; time < 2; time++)
      expect(await anew.tell({ ...anew.original, published: '2026-01-01T00:00:00Z' }, now)).toBe('done')
    expect(await anew.count()).toBe(1)
  },
)

test('an Undo received before its Follow counts for six hours', async () => {
  const { original, undo, count, tell } = await unseen('Follow', 'eva')
  await tell(undo)
  await passes(7 * 3_600)
  expect(await tell(original)).toBe('done')
  expect(await count()).toBe(1)
})

test.each(['Like', 'EmojiReact', 'Announce'])('an Undo received before its %s counts for a month', async (type) => {
  for (const hours of [7, 6 * 24, 29 * 24]) {
    const { original, undo, count, tell } = await unseen(type, `late${type}${hours}`)
    await tell(undo)
    await passes(hours * 3_600)
    // After a week only the statuses remember.
    if (hours > 7 * 24) {
      await harness.db('federation').run(sql`delete from inbox_activities`)
      await harness.db('federation').run(sql`delete from undone_activities`)
    }
    await tell(original)
    expect(await count()).toBe(0)
  }
})

test('a rebuilt server may use its ids again', async () => {
  const remote = await harness.server()
  const rita = await remote.addActor('rita4')
  const kim = await harness.createAccount('kim')
  const follow = makeActivity(rita, 'Follow', kim.uri)
  await harness.outcome(remote, follow, { as: rita })
  const note = {
    id: `${rita.id}/statuses/1`,
    type: 'Note',
    attributedTo: rita.id,
    published: new Date().toISOString(),
    to: [PUBLIC],
    cc: [kim.uri],
    tag: [{ type: 'Mention', href: kim.uri, name: '@kim' }],
  }
  const create = (content: string) =>
    makeActivity(rita, 'Create', { ...note, content }, { id: `${note.id}/activity`, to: [PUBLIC], cc: [kim.uri] })
  const known = async () => (await harness.call(statusRecords, { uris: [note.id] })).records.map((it) => it.deleted)
  expect(await harness.outcome(remote, create('old'), { as: rita })).toBe('done')
  await harness.outcome(remote, makeActivity(rita, 'Delete', note.id), { as: rita })
  expect(await known()).not.toEqual([false])
  const keys = await makeRsaKeys()
  Object.assign(rita.document, { publicKey: { id: rita.keyId, owner: rita.id, publicKeyPem: keys.publicKey } })
  const as = { ...rita, privateKey: keys.privateKey }
  await harness.outcome(remote, makeActivity(rita, 'Like', `${harness.origin}/x`), { as })
  await harness.waitForIdle()
  expect((await harness.inboxRows()).filter((row) => row.activity_id === follow.id)).toEqual([])
  expect(await harness.outcome(remote, create('new'), { as })).toBe('done')
  expect(await known()).toEqual([false])
})
