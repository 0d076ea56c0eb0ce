/** Deeds said again under an id that was used before: they count, and what is only repeated or captured does not. */
import { accountRecords, followerRemove } from '@murmuration/contracts/accounts'
import { createStatus, showStatus, statusRecords } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, makeRsaKeys, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

type Person = Awaited<ReturnType<World['person']>>
const followers = async (person: Person) => {
  const answer = await fetch(`${person.uri}/followers`, { headers: { accept: 'application/activity+json' } })
  return ((await answer.json()) as Document).totalItems
}
/** As if what came so far had come so many seconds earlier. */
const passes = (seconds: number) =>
  world.db('federation').run(sql`update inbox_activities set closed_at = closed_at - make_interval(secs => ${seconds}),
    received_at = received_at - make_interval(secs => ${seconds}), signed_at = signed_at - make_interval(secs => ${seconds})`)

test('a Follow after its Undo, and after the follower was removed', async () => {
  const remote = await world.server()
  const rita = await remote.addActor('rita')
  const ann = await world.person('ann')
  const follow = { ...makeActivity(rita, 'Follow', ann.uri), id: `${remote.origin}/follows/a/b` }
  const accepts = () => remote.inbox.all.filter((one) => one.activity.type === 'Accept').length
  const tell = (activity: Document & { id: string }, now = new Date()) =>
    world.outcome(remote, activity, { as: rita, now })
  const signed = new Date()
  await tell(follow, signed)
  expect([await followers(ann), accepts()]).toEqual([1, 1])
  await tell(makeActivity(rita, 'Undo', follow))
  expect(await followers(ann)).toBe(0)
  // The same bytes at once are the repetition of what was lost on the way.
  await tell(follow, new Date(Date.now() + 2_000))
  expect(await followers(ann)).toBe(0)
  await world.db('federation').run(sql`update inbox_activities set closed_at = closed_at - interval '6 minutes'`)
  // Whoever captured the request repeats it as it was signed.
  await tell(follow, signed)
  expect(await followers(ann)).toBe(0)
  await tell(follow, new Date(Date.now() + 2_000))
  expect([await followers(ann), accepts()]).toEqual([1, 2])
  const { records } = await world.call(accountRecords, { uris: [rita.id] })
  await world.call(followerRemove, { id: records[0]?.id as string }, ann)
  await world.settle()
  expect(await followers(ann)).toBe(0)
  await passes(400)
  await tell(follow)
  expect([await followers(ann), accepts()]).toEqual([1, 3])
})

test('a Like after its Undo, and an Undo of another Follow under the id of the first', async () => {
  const remote = await world.server()
  const rita = await remote.addActor('rita2')
  const bob = await world.person('bob')
  const tell = (activity: Document & { id: string }) => world.outcome(remote, activity, { as: rita })
  const follow = (n: number) => ({ ...makeActivity(rita, 'Follow', bob.uri), id: `${rita.id}#follow/${n}` })
  const undo = (n: number) => ({ ...makeActivity(rita, 'Undo', follow(n)), id: `${rita.id}#undo/1` })
  for (const n of [1, 2]) {
    await tell(follow(n))
    expect(await followers(bob)).toBe(1)
    await tell(undo(n))
    expect(await followers(bob)).toBe(0)
  }
  const ours = await world.call(createStatus, { status: 'look' }, bob)
  const id = 'id' in ours ? ours.id : ''
  const uri = (await world.call(statusRecords, { ids: [id] })).records[0]?.uri as string
  const like = { ...makeActivity(rita, 'Like', uri), id: `${rita.id}#likes/1` }
  const count = async () => (await world.call(showStatus, { id }, bob)).favourites_count
  await tell(like)
  expect(await count()).toBe(1)
  await tell(makeActivity(rita, 'Undo', like))
  expect(await count()).toBe(0)
  await passes(400)
  expect(await tell(like)).toBe('done')
  expect(await count()).toBe(1)
})

test('an Undo that came before its Follow counts for six hours', async () => {
  const remote = await world.server()
  const rita = await remote.addActor('rita3')
  const eve = await world.person('eve')
  const follow = makeActivity(rita, 'Follow', eve.uri)
  await world.outcome(remote, makeActivity(rita, 'Undo', follow), { as: rita })
  expect(await world.outcome(remote, follow, { as: rita })).toBe('ignored undone-before')
  expect(await world.outcome(remote, follow, { as: rita })).toBe('ignored undone-before')
  await world.db('federation').run(sql`update undone_activities set at = at - interval '7 hours'`)
  expect(await world.outcome(remote, follow, { as: rita })).toBe('done')
  expect(await followers(eve)).toBe(1)
})

test('a server that began again uses its ids again', async () => {
  const remote = await world.server()
  const rita = await remote.addActor('rita4')
  const kim = await world.person('kim')
  const follow = makeActivity(rita, 'Follow', kim.uri)
  await world.outcome(remote, follow, { as: rita })
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
  const known = async () => (await world.call(statusRecords, { uris: [note.id] })).records.map((it) => it.deleted)
  expect(await world.outcome(remote, create('old'), { as: rita })).toBe('done')
  await world.outcome(remote, makeActivity(rita, 'Delete', note.id), { as: rita })
  expect(await known()).not.toEqual([false])
  const keys = await makeRsaKeys()
  Object.assign(rita.document, { publicKey: { id: rita.keyId, owner: rita.id, publicKeyPem: keys.publicKey } })
  const as = { ...rita, privateKey: keys.privateKey }
  await world.outcome(remote, makeActivity(rita, 'Like', `${world.origin}/x`), { as })
  await world.settle()
  expect((await world.inboxRows()).filter((row) => row.activity_id === follow.id)).toEqual([])
  expect(await world.outcome(remote, create('new'), { as })).toBe('done')
  expect(await known()).toEqual([false])
})
