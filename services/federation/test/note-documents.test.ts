/** Documents of statuses over HTTP: public ones for every client, others only for actors that may see them. */
import { createBlock, updateCredentials } from '@murmuration/contracts/accounts'
import { createEmoji } from '@murmuration/contracts/media'
import {
  addPin,
  addReblog,
  createStatus,
  deleteStatus,
  editStatus,
  showStatus,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, PUBLIC, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const ACTIVITY = 'application/activity+json'
const BROWSER = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
type Json = Record<string, unknown>

/** One transparent pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

let harness: Harness
let bob: Awaited<ReturnType<Harness['createAccount']>>
let remote: RemoteServer
/** Follows bob. */
let rita: RemoteActor
/** Does not. */
let vera: RemoteActor
const posts: Record<string, { id: string; uri: string }> = {}

const get = (url: string, headers: Record<string, string> = { accept: ACTIVITY }) =>
  fetch(url, { headers, redirect: 'manual' })
const read = async (url: string): Promise<Json> => (await get(url)).json() as Promise<Json>
const write = async (status: string, more: object = {}) => {
  const { id } = await harness.call(createStatus, { status, ...more }, bob)
  const { records } = await harness.call(statusRecords, { ids: [id] })
  return { id, uri: records[0]?.uri ?? '' }
}

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  rita = await remote.addActor('rita')
  vera = await remote.addActor('vera')
  for (const actor of [rita, vera])
    await harness.outcome(remote, makeActivity(actor, 'Like', `${harness.origin}/x`), { as: actor })
  await harness.outcome(remote, makeActivity(rita, 'Follow', bob.uri), { as: rita })
  for (const visibility of ['public', 'unlisted', 'private'] as const)
    posts[visibility] = await write(`a ${visibility} one #tag`, { visibility })
  const direct = await write('for one alone', { visibility: 'direct' })
  posts.direct = direct
  // Handles on loopback have ports, which nobody can type.
  const account = await harness.account(vera.id)
  await harness
    .db('statuses')
    .run(sql`insert into mentions (status_id, account_id, silent) values (${direct.id}, ${account?.id}, false)`)
})
afterAll(() => harness.stop())

test('a public status is served by id and by user name, the same to every client', async () => {
  const post = posts.public as { id: string; uri: string }
  const answer = await get(post.uri)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('max-age=180, public')
  const document = (await answer.json()) as Json
  expect(document).toMatchObject({
    id: post.uri,
    type: 'Note',
    attributedTo: bob.uri,
    content: expect.stringContaining('a public one'),
    url: `${harness.origin}/@bob/${post.id}`,
    to: [PUBLIC],
    cc: [`${bob.uri}/followers`],
    tag: [{ type: 'Hashtag', name: '#tag' }],
    likes: { totalItems: 0 },
  })
  expect(await read(`${harness.origin}/users/bob/statuses/${post.id}`)).toEqual(document)
})

test('the Create of a status is served', async () => {
  const { uri } = posts.unlisted as { uri: string }
  expect(await read(`${uri}/activity`)).toMatchObject({
    id: `${uri}/activity`,
    type: 'Create',
    actor: bob.uri,
    to: [`${bob.uri}/followers`],
    cc: [PUBLIC],
    object: { id: uri },
  })
})

test('browsers are sent to the page', async () => {
  const { id, uri } = posts.public as { id: string; uri: string }
  const answer = await get(uri, { accept: BROWSER })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${harness.origin}/@bob/${id}`])
  expect((await get(posts.private?.uri ?? '', { accept: BROWSER })).status).toBe(404)
})

describe('hostile 115 interop 4.18 A041 A072 visibility of documents', () => {
  const seen = { public: [200, 200, 200], unlisted: [200, 200, 200], private: [404, 404, 200], direct: [404, 200, 404] }
  test.each(Object.entries(seen))('%s: anybody, vera, rita', async (visibility, expected) => {
    const { uri } = posts[visibility] as { uri: string }
    for (const tail of ['', '/activity', '/likes', '/shares', '/replies']) {
      const url = `${uri}${tail}`
      const answers = [
        (await get(url)).status,
        (await remote.fetch(url, { as: vera })).status,
        (await remote.fetch(url, { as: rita, scheme: 'rfc9421' })).status,
      ]
      expect([tail, ...answers]).toEqual([tail, ...expected])
    }
  })

  test('hidden and absent statuses get the same response', async () => {
    const body = async (url: string) => {
      const answer = await get(url)
      const { request_id: _id, ...rest } = (await answer.json()) as Json
      return [answer.status, rest, answer.headers.get('cache-control')]
    }
    const absent = `${bob.uri}/statuses/1`
    expect(await body(posts.private?.uri ?? '')).toEqual(await body(absent))
  })

  test('hostile 117 A050 responses with non-public statuses are not cacheable', async () => {
    const answer = await remote.fetch(posts.private?.uri ?? '', { as: rita })
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers.vary).toContain('Signature')
  })

  test('a signature by another key under the id of a follower’s key proves nothing', async () => {
    expect(
      (await remote.fetch(posts.private?.uri ?? '', { as: { ...rita, privateKey: vera.privateKey } })).status,
    ).toBe(404)
  })

  test('a status of another account returns 404 below bob', async () => {
    const carl = await harness.createAccount('carl')
    expect((await get(`${carl.uri}/statuses/${posts.public?.id}`)).status).toBe(404)
    expect((await get(`${bob.uri}/statuses/nonsense`)).status).toBe(404)
  })
})

test('hostile 116 A045 the outbox has public statuses and reblogs, newest first', async () => {
  const boost = await harness.call(addReblog, { id: posts.public?.id ?? '' }, bob)
  const root = await read(`${bob.uri}/outbox`)
  expect(root).toMatchObject({ type: 'OrderedCollection', first: `${bob.uri}/outbox?page=true` })
  const page = await read(`${bob.uri}/outbox?page=true`)
  const items = page.orderedItems as Json[]
  expect(items.map((it) => it.type)).toEqual(['Announce', 'Create', 'Create'])
  expect(items[0]).toMatchObject({ actor: bob.uri, object: posts.public?.uri })
  expect(items.map((it) => (it.object as Json).id ?? it.object)).toEqual([
    posts.public?.uri,
    posts.unlisted?.uri,
    posts.public?.uri,
  ])
  expect(JSON.stringify(page)).not.toMatch(/a private one|alone/)
  const record = (await harness.call(statusRecords, { ids: [boost.id] })).records[0]
  expect(await read(record?.uri ?? '')).toMatchObject({ id: record?.uri, type: 'Announce', object: posts.public?.uri })
  expect((await get(`${bob.uri}/statuses/${boost.id}`)).status).toBe(404)
})

test('hostile 119 pages out of range are empty', async () => {
  for (const query of [
    'page=true&max_id=1',
    'page=true&max_id=nonsense',
    'page=x',
    'page=true&min_id=99999999999999999999',
  ])
    expect((await get(`${bob.uri}/outbox?${query}`)).status).toBe(200)
  expect(await read(`${bob.uri}/outbox?page=true&max_id=1`)).toMatchObject({ orderedItems: [] })
})

test('public pins are in the featured collection, followers-only ones are not', async () => {
  await harness.call(addPin, { id: posts.public?.id ?? '' }, bob)
  await harness.call(addPin, { id: posts.private?.id ?? '' }, bob)
  expect(await read(`${bob.uri}/collections/featured`)).toMatchObject({
    type: 'OrderedCollection',
    totalItems: 1,
    orderedItems: [{ id: posts.public?.uri, type: 'Note' }],
  })
})

test('A046 the replies collection has public replies', async () => {
  const open = await write('an answer', { in_reply_to_id: posts.public?.id })
  await write('a whisper', { in_reply_to_id: posts.public?.id, visibility: 'private' })
  expect(await read(`${posts.public?.uri}/replies`)).toMatchObject({
    type: 'Collection',
    first: { type: 'CollectionPage', items: [open.uri] },
  })
  expect(await read(`${posts.public?.uri}/replies?page=true`)).toMatchObject({
    type: 'CollectionPage',
    items: [{ id: open.uri, type: 'Note' }],
    next: `${posts.public?.uri}/replies?only_other_accounts=true&page=true`,
  })
  const ann = await harness.createAccount('annika')
  const { id } = await harness.call(createStatus, { status: 'from ann', in_reply_to_id: posts.public?.id ?? '' }, ann)
  const far = remote.addNote(rita, '<p>from afar</p>', { inReplyTo: posts.public?.uri, cc: [bob.uri] })
  expect(await harness.outcome(remote, makeActivity(rita, 'Create', far), { as: rita })).toBe('done')
  const others = await read(`${posts.public?.uri}/replies?only_other_accounts=true&page=true`)
  expect(others.items).toEqual([expect.objectContaining({ id: expect.stringContaining(id), type: 'Note' }), far.id])
  expect(others).not.toHaveProperty('next')
  expect(await read(`${posts.public?.uri}/replies?only_other_accounts=true&page=true&min_id=${id}`)).toMatchObject({
    items: [far.id],
  })
  for (let i = 0; i < 5; i++) await write(`more ${i}`, { in_reply_to_id: posts.public?.id })
  const root = await read(`${posts.public?.uri}/replies`)
  const first = root.first as { items: string[]; next: string }
  expect(first.items).toHaveLength(5)
  expect((await read(first.next)).items).toHaveLength(1)
  const inside = (await read(posts.public?.uri ?? '')).replies as Json
  expect(inside).toMatchObject({ first: { items: first.items, next: `${posts.public?.uri}/replies?page=true` } })
})

describe('a reply whose parent was deleted', () => {
  const parents = {
    'of this server': async () => {
      const parent = await write('a parent')
      return { ...parent, end: () => harness.call(deleteStatus, { id: parent.id }, bob) }
    },
    'of another server': async () => {
      const note = remote.addNote(rita, '<p>a parent</p>', { cc: [bob.uri] })
      expect(await harness.outcome(remote, makeActivity(rita, 'Create', note), { as: rita })).toBe('done')
      const [record] = (await harness.call(statusRecords, { uris: [note.id] })).records
      const end = () => harness.outcome(remote, makeActivity(rita, 'Delete', note.id), { as: rita })
      return { id: record?.id ?? '', uri: note.id, end }
    },
  }
  test.each(Object.keys(parents) as (keyof typeof parents)[])('%s does not name it in documents', async (where) => {
    const { id, uri, end } = await parents[where]()
    const reply = await write(`to a parent ${where}`, { in_reply_to_id: id })
    const named = async () => {
      const outbox = (await read(`${bob.uri}/outbox?page=true`)).orderedItems as { object: Json }[]
      const documents = [
        await read(reply.uri),
        (await read(`${reply.uri}/activity`)).object as Json,
        outbox.map((it) => it.object).find((it) => it.id === reply.uri) as Json,
      ]
      return documents.map((it) => it.inReplyTo)
    }
    const before = await harness.call(showStatus, { id: reply.id }, bob)
    expect(before).toMatchObject({ in_reply_to_id: id })
    expect(await named()).toEqual([uri, uri, uri])
    await end()
    await harness.waitForIdle()
    expect(await named()).toEqual([null, null, null])
    const { in_reply_to_account_id } = before
    expect(await harness.call(showStatus, { id: reply.id }, bob)).toMatchObject({
      in_reply_to_id: null,
      in_reply_to_account_id,
    })
    remote.inbox.clear()
    await harness.call(editStatus, { id: reply.id, status: 'edited' }, bob)
    await harness.waitForIdle()
    const sent = remote.inbox.all.map((it) => it.activity).filter((it) => it.type === 'Update')
    expect(sent.map((it) => (it.object as Json).inReplyTo)).toEqual([null])
  })
})

test('interop 5.7 a conversation that began here is a collection of its public statuses, which name it', async () => {
  const root = await write('the beginning')
  const context = `${harness.origin}/ap/contexts/${root.id}`
  const answer = await write('an answer', { in_reply_to_id: root.id })
  await write('a whisper', { in_reply_to_id: root.id, visibility: 'private' })
  const far = remote.addNote(rita, '<p>from afar</p>', { inReplyTo: answer.uri, context, cc: [bob.uri] })
  expect(await harness.outcome(remote, makeActivity(rita, 'Create', far), { as: rita })).toBe('done')
  for (const uri of [root.uri, answer.uri]) expect(await read(uri)).toMatchObject({ context, conversation: context })
  const items = [root.uri, answer.uri, far.id]
  expect(await read(context)).toMatchObject({
    id: context,
    type: 'Collection',
    attributedTo: bob.uri,
    first: { type: 'CollectionPage', partOf: context, items },
  })
  expect(await read(`${context}/items?min_id=${root.id}`)).toMatchObject({ items: items.slice(1) })
  // An answer whose parent is not known yet is in the conversation that it names.
  const lost = remote.addNote(rita, '<p>lost</p>', { inReplyTo: `${rita.id}/statuses/unknown`, context, cc: [bob.uri] })
  expect(await harness.outcome(remote, makeActivity(rita, 'Create', lost), { as: rita })).toBe('done')
  const { records } = await harness.call(statusRecords, { uris: [lost.id, root.uri] })
  expect(new Set(records.map((it) => it.conversation)).size).toBe(1)
  for (const path of [posts.private?.id, answer.id, '1', 'x'])
    expect((await get(`${harness.origin}/ap/contexts/${path}`)).status).toBe(404)
})

test('likes and shares have only counts', async () => {
  const post = await write('liked')
  await harness.outcome(remote, makeActivity(vera, 'Like', post.uri), { as: vera })
  const likes = await read(`${post.uri}/likes`)
  expect(likes).toMatchObject({ type: 'Collection', totalItems: 1 })
  expect(JSON.stringify(likes)).not.toContain(vera.id)
  expect(await read(`${post.uri}/shares`)).toMatchObject({ totalItems: 0 })
})

test('a deleted status: 404', async () => {
  const post = await write('soon gone')
  await harness.call(deleteStatus, { id: post.id }, bob)
  expect((await get(post.uri)).status).toBe(404)
})

test('an actor that the author blocks gets 404', async () => {
  const account = await harness.account(vera.id)
  const carl = await harness.createAccount('carla')
  const { id } = await harness.call(createStatus, { status: 'public' }, carl)
  const uri = (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? ''
  expect((await remote.fetch(uri, { as: vera })).status).toBe(200)
  await harness.call(createBlock, { id: account?.id ?? '' }, carl)
  expect((await remote.fetch(uri, { as: vera })).status).toBe(404)
  expect((await remote.fetch(uri, { as: rita })).status).toBe(200)
  expect((await get(uri)).status).toBe(200)
})

test('local emoji in statuses and profiles are tags with an image, and documents at their ids', async () => {
  const { url } = await harness.call(createEmoji, { shortcode: 'flock', image: DOT })
  const id = `${harness.origin}/emojis/flock`
  const tag = { id, type: 'Emoji', name: ':flock:', icon: { type: 'Image', mediaType: 'image/png', url } }
  const post = await write('Fly :flock: with :ghost:')
  expect((await read(post.uri)).tag).toEqual([expect.objectContaining(tag)])
  await harness.call(updateCredentials, { display_name: 'Bob :flock:' }, bob)
  expect((await read(bob.uri)).tag).toEqual([expect.objectContaining(tag)])
  const answer = await get(id)
  expect(answer.headers.get('content-type')).toContain('application/activity+json')
  expect(await answer.json()).toMatchObject({ ...tag, '@context': expect.anything() })
  for (const none of ['ghost', 'x', 'a.b', '%2e%2e'])
    expect((await get(`${harness.origin}/emojis/${none}`)).status).toBe(404)
})

describe('replies to a status, page by page', () => {
  const answers = async (url: string, as = rita) =>
    (await remote.fetch(url, { as })).json() as { items: (string | Json)[]; next?: string }
  const idsIn = (page: { items: (string | Json)[] }) => page.items.map((it) => (typeof it === 'string' ? it : it.id))
  const answer = async (to: string, as: typeof bob) => {
    const { id } = await harness.call(createStatus, { status: 'an answer', in_reply_to_id: to }, as)
    return { id, uri: (await harness.call(statusRecords, { ids: [id] })).records[0]?.uri ?? '' }
  }
  /** Answers of which nothing is left, older than all others. */
  const addGone = (to: string, count: number) =>
    harness
      .db('statuses')
      .run(
        sql`insert into replies (parent_id, child_id) select ${to}::bigint, n from generate_series(1, ${count}::int) n`,
      )

  test('A050 leave out replies whose author blocks the server of the client, as does the conversation', async () => {
    const server = await harness.server({ name: 'localhost' })
    const lena = await server.addActor('lena')
    await harness.outcome(server, makeActivity(lena, 'Like', `${harness.origin}/x`), { as: lena })
    const root = await write('to be answered')
    const dora = await harness.createAccount('dora')
    const theirs = await answer(root.id, dora)
    const page = `${root.uri}/replies?only_other_accounts=true&page=true`
    const context = `${harness.origin}/ap/contexts/${root.id}/items`
    const seen = async (url: string) => idsIn((await server.fetch(url, { as: lena })).json() as { items: string[] })
    expect([await seen(page), await seen(context)]).toEqual([[theirs.uri], [root.uri, theirs.uri]])
    const { domain } = (await harness.account(lena.id)) ?? {}
    await harness.db('accounts').run(sql`insert into domain_blocks (id, account_id, domain, created_at)
      values (1, ${dora.id}, ${domain ?? ''}, now())`)
    expect([await seen(page), await seen(context)]).toEqual([[], [root.uri]])
    expect(idsIn(await answers(page))).toEqual([theirs.uri])
  })

  test('fill a page although some in between are hidden', async () => {
    const root = await write('much answered')
    const away = await harness.createAccount('away')
    const account = await harness.account(rita.id)
    await harness.call(createBlock, { id: account?.id ?? '' }, away)
    for (let n = 0; n < 61; n++) await answer(root.id, away)
    const shown = await answer(root.id, await harness.createAccount('here'))
    const page = await answers(`${root.uri}/replies?only_other_accounts=true&page=true`)
    expect(idsIn(page)).toEqual([shown.uri])
    expect(page).not.toHaveProperty('next')
  })

  test('have a next page if not all were read', async () => {
    const root = await write('endlessly answered')
    const [own, theirs] = [await answer(root.id, bob), await answer(root.id, await harness.createAccount('late'))]
    await addGone(root.id, 16_000)
    const first = await answers(`${root.uri}/replies?only_other_accounts=true&page=true`)
    expect(first).toMatchObject({
      items: [],
      next: `${root.uri}/replies?min_id=15000&only_other_accounts=true&page=true`,
    })
    const last = await answers(first.next ?? '')
    expect([idsIn(last), last.next]).toEqual([[theirs.uri], undefined])
    // Inside the status, too, nobody is told that there are none of its author.
    const inside = (await read(root.uri)).replies as Json
    expect(inside).toMatchObject({ first: { items: [], next: `${root.uri}/replies?page=true` } })
    const begin = await answers(`${root.uri}/replies?page=true`)
    expect(idsIn(await answers(begin.next ?? ''))).toEqual([own.uri])
  })
})
