/** Content that is fetched: collections of every form, threads, outboxes, pins and refreshed accounts. */
import { createFollow, showAccount } from '@murmuration/contracts/accounts'
import { fetchCollection, fetchReplies } from '@murmuration/contracts/federation'
import {
  accountTimeline,
  homeTimeline,
  resolveStatus,
  showAsyncRefresh,
  showStatus,
  showThread,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let remote: RemoteServer
let other: RemoteServer
let bob: Awaited<ReturnType<Harness['createAccount']>>
let rita: RemoteActor
let olga: RemoteActor
let counter = 0

beforeAll(async () => {
  harness = await startHarness()
  bob = await harness.createAccount('bob')
  remote = await harness.server()
  other = await harness.server()
})
afterAll(() => harness.stop())
beforeEach(async () => {
  remote.repair()
  other.repair()
  counter += 1
  rita = await remote.addActor(`rita${counter}`, {
    featured: `${remote.origin}/users/rita${counter}/collections/featured`,
  })
  olga = await other.addActor(`olga${counter}`)
})

const AS = 'https://www.w3.org/ns/activitystreams'
const pathOf = (url: string) => new URL(url).pathname
const gets = (url: string, server = remote) => server.requests.all.filter((it) => it.path.split('?')[0] === pathOf(url))
const collect = (url: string, max = 50, pages = 3) => harness.call(fetchCollection, { url, most: max, pages })
const page = (name: string, document: Document, server = remote): string => {
  const id = `${server.origin}/lists/${counter}/${name}`
  server.publish(pathOf(id), { '@context': AS, id, type: 'OrderedCollection', ...document })
  return id
}
const old = () => new Date(Date.now() - 3_600_000 + ++counter).toISOString()
/** Adds a replies collection to a status on its own server. */
const answered = (note: Document & { id: string }, items: unknown[], server = remote, more: Document = {}) => {
  const replies = {
    id: `${note.id}/replies`,
    type: 'Collection',
    first: { type: 'CollectionPage', partOf: `${note.id}/replies`, items, ...more },
  }
  server.publish(pathOf(note.id), { ...note, replies })
  server.publish(pathOf(replies.id), { '@context': AS, ...replies })
}

describe('collections', () => {
  test('I1 I18 are parsed in all forms that servers send', async () => {
    const notes = [remote.addNote(rita, '<p>1</p>'), remote.addNote(rita, '<p>2</p>'), remote.addNote(rita, '<p>3</p>')]
    const [one, two, three] = notes as [Document & { id: string }, Document & { id: string }, Document & { id: string }]
    const uris = async (url: string) => (await collect(url)).items.map((it) => it.uri)
    expect(await uris(page('inline', { orderedItems: [one.id, two, makeActivity(rita, 'Create', three)] }))).toEqual([
      one.id,
      two.id,
      three.id,
    ])
    expect(await uris(page('single', { type: 'Collection', items: one.id }))).toEqual([one.id])
    const last = page('last', { type: 'OrderedCollectionPage', orderedItems: [three.id], next: null })
    const middle = page('middle', { type: 'OrderedCollectionPage', orderedItems: [two.id], next: last })
    expect(await uris(page('paged', { first: middle, totalItems: 2 }))).toEqual([two.id, three.id])
    expect(
      await uris(page('nested', { first: { type: 'OrderedCollectionPage', orderedItems: [one.id], next: middle } })),
    ).toEqual([one.id, two.id, three.id])
    expect(await uris(page('stub', { first: { type: 'OrderedCollectionPage', id: middle } }))).toEqual([
      two.id,
      three.id,
    ])
    expect(await uris(page('hidden', { totalItems: 9 }))).toEqual([])
    expect((await collect(`${remote.origin}/lists/nothing`)).outcome).toBe('not-found')
  })

  test('embedded statuses on their own server are used, and others are only listed', async () => {
    const own = remote.addNote(rita, '<p>mine<script>x</script></p>')
    const hidden = { ...remote.addNote(rita, '<p>hidden</p>'), to: [rita.followers], cc: [] }
    const theirs = other.addNote(olga, '<p>theirs</p>')
    const forged = { ...own, id: `${remote.origin}/forged`, attributedTo: olga.id }
    const url = page('copies', {
      orderedItems: [own, hidden, theirs, forged, makeActivity(rita, 'Announce', theirs), `${harness.origin}/x`],
    })
    const { items } = await collect(url)
    expect(items.map((it) => [it.uri, it.note?.html ?? null])).toEqual([
      [own.id, '<p>mine</p>'],
      [hidden.id, null],
      [theirs.id, null],
      [forged.id, null],
    ])
    expect(items[0]?.note).toMatchObject({ authorUri: rita.id, visibility: 'public' })
  })

  test('a page that is unavailable is returned as next page, and a missing page is the end', async () => {
    const note = remote.addNote(rita, '<p>x</p>')
    const away = `${remote.origin}/lists/${counter}/away`
    const url = page('broken', { type: 'OrderedCollectionPage', orderedItems: [note.id], next: away })
    const stop = remote.behave({ kind: 'status', status: 503 }, { path: pathOf(away) })
    expect(await collect(url, 50)).toMatchObject({
      outcome: 'ok',
      items: [{ uri: note.id }],
      next: away,
      partial: true,
    })
    stop()
    const gone = { outcome: 'ok', items: [{ uri: note.id }], next: null, partial: true }
    expect(await collect(url, 49)).toMatchObject(gone)
    remote.publish(pathOf(away), { '@context': AS, id: away, type: 'Note' })
    expect(await collect(url, 48)).toMatchObject(gone)
    page('away', { type: 'OrderedCollectionPage', orderedItems: [] })
    expect(await collect(url, 47)).toMatchObject({ ...gone, partial: false })
  })

  test('A139 hostile 103 pages that link in circles, to themselves or to other servers end the walk', async () => {
    const note = remote.addNote(rita, '<p>x</p>')
    const self = `${remote.origin}/lists/${counter}/self`
    page('self', { type: 'OrderedCollectionPage', orderedItems: [note.id], next: self })
    expect(await collect(self)).toMatchObject({ items: [{ uri: note.id }], pages: 1, next: null })
    const ring = `${remote.origin}/lists/${counter}/ring`
    page('ring', { first: `${ring}1` })
    remote.publish(pathOf(`${ring}1`), { id: `${ring}1`, type: 'CollectionPage', items: [note.id], next: `${ring}2` })
    remote.publish(pathOf(`${ring}2`), { id: `${ring}2`, type: 'CollectionPage', items: [note.id], next: `${ring}1` })
    expect((await collect(ring, 50, 10)).pages).toBe(3)
    const before = other.requests.all.length
    expect(await collect(page('away', { first: `${other.origin}/lists/1` }))).toMatchObject({ items: [], next: null })
    expect(other.requests.all.length).toBe(before)
  })

  test('hostile 104 a collection of millions is read within the limits of pages and items', async () => {
    const base = `${remote.origin}/endless/${counter}`
    const stop = remote.behave(
      {
        kind: 'status',
        status: 200,
        headers: { 'content-type': 'application/activity+json' },
        body: JSON.stringify({
          '@context': AS,
          type: 'OrderedCollectionPage',
          totalItems: 10_000_000,
          orderedItems: Array.from({ length: 1_000 }, (_, i) => `${base}/notes/${i}`),
          next: `${base}/next`,
        }),
      },
      { path: /^\/endless\// },
    )
    expect((await collect(`${base}/first`, 100, 5)).items).toHaveLength(100)
    expect((await collect(`${base}/first`, 500, 1)).items).toHaveLength(500)
    stop()
    expect(gets(`${base}/next`)).toHaveLength(0)
  })

  test('hostile 51 an uploaded file and a redirect to another server are refused as collection', async () => {
    const body = JSON.stringify({ type: 'Collection', items: [`${remote.origin}/x`] })
    remote.behave({ kind: 'status', status: 200, headers: { 'content-type': 'text/plain' }, body }, { path: '/file' })
    expect((await collect(`${remote.origin}/file`)).outcome).toBe('refused')
    const there = page('there', { items: [] }, other)
    remote.behave({ kind: 'redirect', to: there }, { path: '/leads-away' })
    expect((await collect(`${remote.origin}/leads-away`)).outcome).toBe('refused')
    expect((await collect(`${harness.origin}/users/bob/outbox`)).outcome).toBe('local')
  })
})

test('A039 hostile 74 items on a blocked server are skipped without a request', async () => {
  const blocked = await harness.server({ name: 'localhost' })
  const bad = await blocked.addActor(`bad${counter}`)
  const note = blocked.addNote(bad, '<p>bad</p>')
  const url = page('mixed', { items: [note, note.id, remote.addNote(rita, '<p>good</p>').id] })
  expect((await collect(url)).items).toHaveLength(2)
  await harness.policy({
    blocks: [{ domain: 'localhost', severity: 'suspend', reject_media: false, reject_reports: false, stamp: '1' }],
  })
  const before = blocked.requests.all.length
  // With other bounds, because a result is cached for later calls with the same bounds.
  expect((await collect(url, 49)).items).toHaveLength(1)
  expect(blocked.requests.all.length).toBe(before)
  await harness.policy({})
})

describe('replies to a status', () => {
  test('are listed by its server, with the status as it is now', async () => {
    const note = remote.addNote(rita, '<p>asks</p>', { likes: { type: 'Collection', totalItems: 4 } })
    const later = `${remote.origin}/replies/${counter}`
    answered(note, [`${other.origin}/a`], remote, { next: later })
    remote.publish(pathOf(later), { '@context': AS, id: later, type: 'CollectionPage', items: [`${other.origin}/b`] })
    expect(await harness.call(fetchReplies, { uri: note.id, most: 10, pages: 2 })).toMatchObject({
      outcome: 'ok',
      note: { uri: note.id, favourites_count: 4, reblogs_count: null },
      uris: [`${other.origin}/a`, `${other.origin}/b`],
      next: null,
    })
    expect(await harness.call(fetchReplies, { uri: note.id, most: 10, pages: 0 })).toMatchObject({
      uris: [`${other.origin}/a`],
      next: later,
    })
    expect((await harness.call(fetchReplies, { uri: rita.id, most: 10, pages: 1 })).outcome).toBe('refused')
  })

  test('hostile 104 are not fetched because of a delivered status', async () => {
    const note = remote.addNote(rita, '<p>x</p>', { cc: [bob.uri] })
    const items = Array.from({ length: 1_000 }, (_, i) => `${other.origin}/victim/${i}`)
    const first = { type: 'CollectionPage', items, next: `${other.origin}/victim/next` }
    const before = other.requests.all.length
    const object = { ...note, replies: { type: 'Collection', id: `${note.id}/replies`, first } }
    expect(await harness.outcome(remote, makeActivity(rita, 'Create', object), { as: rita })).toBe('done')
    await harness.waitForIdle()
    expect((await harness.call(statusRecords, { uris: [note.id] })).records).toHaveLength(1)
    expect(other.requests.all.slice(before).filter((it) => it.path.startsWith('/victim'))).toEqual([])
    expect(gets(`${note.id}/replies`)).toEqual([])
  })

  test('of several servers are fetched when the thread is opened', async () => {
    const root = remote.addNote(rita, '<p>root</p>', { published: old() })
    const near = remote.addNote(rita, '<p>near</p>', { published: old(), inReplyTo: root.id })
    const far = other.addNote(olga, '<p>far</p>', { published: old(), inReplyTo: root.id })
    const deep = remote.addNote(rita, '<p>deep</p>', { published: old(), inReplyTo: far.id })
    const unrelated = other.addNote(olga, '<p>unrelated</p>', { published: old() })
    answered(root, [near.id, far.id, unrelated.id, `${other.origin}/gone`])
    answered(far, [deep.id, root.id], other)
    const { id } = await harness.call(resolveStatus, { uri: root.id, viewer: null })
    const { meta } = await harness.request(showThread, { id: id ?? '' }, bob)
    const [, refresh = ''] =
      /^id="(\w+)", retry=3, result_count=\d+$/.exec(meta.headers?.['Mastodon-Async-Refresh'] ?? '') ?? []
    await harness.waitForIdle()
    expect(await harness.call(showAsyncRefresh, { id: refresh }, bob)).toEqual({
      async_refresh: { id: refresh, status: 'finished', result_count: 3 },
    })
    const { descendants } = await harness.call(showThread, { id: id ?? '' }, bob)
    expect(descendants.map((it) => it.uri).sort()).toEqual([near.id, far.id, deep.id].sort())
    expect((await harness.call(statusRecords, { uris: [unrelated.id] })).records).toEqual([])
  })

  test('that name their parent by its page are fetched when the thread is opened', async () => {
    const paged = (name: string, extra: Document = {}) => ({
      published: old(),
      url: `${remote.origin}/pages/${counter}/${name}/`,
      ...extra,
    })
    const root = remote.addNote(rita, '<p>root</p>', paged('root'))
    const near = other.addNote(olga, '<p>near</p>', { published: old(), inReplyTo: String(root.url) })
    const mid = remote.addNote(rita, '<p>mid</p>', paged('mid', { inReplyTo: near.id }))
    const deep = other.addNote(olga, '<p>deep</p>', { published: old(), inReplyTo: String(mid.url) })
    answered(root, [deep.id, near.id])
    answered(near, [mid.id], other)
    const { id } = await harness.call(resolveStatus, { uri: root.id, viewer: null })
    await harness.call(showThread, { id: id ?? '' }, bob)
    await harness.waitForIdle()
    const { descendants } = await harness.call(showThread, { id: id ?? '' }, bob)
    expect(descendants.map((it) => it.uri)).toEqual([near.id, mid.id, deep.id])
  })

  test.each(['a redirect', 'a page of another server'])(
    'that name their parent by %s are fetched when the thread is opened',
    async (form) => {
      const leadTo = (name: string, to: string): string => {
        const address = `${other.origin}/go/${counter}/${name}`
        const link = `<${to}>; rel="alternate"; type="application/activity+json"`
        const headers = { 'content-type': 'text/html', link }
        other.behave(
          form === 'a redirect'
            ? { kind: 'redirect', to }
            : { kind: 'status', status: 200, headers, body: '<html></html>' },
          { path: pathOf(address) },
        )
        return address
      }
      const root = remote.addNote(rita, '<p>root</p>', { published: old() })
      const near = other.addNote(olga, '<p>near</p>', { published: old(), inReplyTo: leadTo('root', root.id) })
      const mid = remote.addNote(rita, '<p>mid</p>', { published: old(), inReplyTo: near.id })
      const deep = other.addNote(olga, '<p>deep</p>', { published: old(), inReplyTo: leadTo('mid', mid.id) })
      // No collection lists this status.
      const silent = remote.addNote(rita, '<p>silent</p>', { published: old(), inReplyTo: root.id })
      const below = other.addNote(olga, '<p>below</p>', { published: old(), inReplyTo: leadTo('silent', silent.id) })
      const apart = remote.addNote(rita, '<p>apart</p>', { published: old() })
      const astray = other.addNote(olga, '<p>astray</p>', { published: old(), inReplyTo: leadTo('apart', apart.id) })
      answered(root, [deep.id, near.id, below.id, astray.id])
      answered(near, [mid.id], other)
      const { id } = await harness.call(resolveStatus, { uri: root.id, viewer: null })
      await harness.call(showThread, { id: id ?? '' }, bob)
      await harness.waitForIdle()
      const { descendants } = await harness.call(showThread, { id: id ?? '' }, bob)
      const shown = [near, mid, deep, silent, below]
      expect(descendants.map((it) => it.uri).sort()).toEqual(shown.map((it) => it.id).sort())
      expect((await harness.call(statusRecords, { uris: [apart.id, astray.id] })).records).toEqual([])
    },
  )

  test('interop 5.7 are also found in the conversation collection of the status, on any server', async () => {
    const context = `${other.origin}/contexts/${counter}`
    const named = (more: Document) => ({ published: old(), context, ...more })
    const root = remote.addNote(rita, '<p>root</p>', named({}))
    const near = other.addNote(olga, '<p>near</p>', named({ inReplyTo: root.id }))
    const deep = remote.addNote(rita, '<p>deep</p>', named({ inReplyTo: near.id }))
    const [unrelated, own] = [other.addNote(olga, '<p>unrelated</p>', named({})), `${harness.origin}/ap/contexts/1`]
    const first = { type: 'CollectionPage', partOf: context, items: [unrelated.id, near.id], next: `${context}/2` }
    other.publish(pathOf(context), { '@context': AS, id: context, type: 'Collection', attributedTo: olga.id, first })
    other.publish(`${pathOf(context)}/2`, { '@context': AS, type: 'CollectionPage', items: [deep.id, root.id, own] })
    const { id } = await harness.call(resolveStatus, { uri: root.id, viewer: null })
    await harness.call(showThread, { id: id ?? '' }, bob)
    await harness.waitForIdle()
    const { descendants } = await harness.call(showThread, { id: id ?? '' }, bob)
    expect(descendants.map((it) => it.uri)).toEqual([near.id, deep.id])
    expect((await harness.call(statusRecords, { uris: [unrelated.id] })).records).toEqual([])
  })

  test('a server without a response does not affect replies of others', async () => {
    const root = remote.addNote(rita, '<p>root</p>', { published: old() })
    const near = remote.addNote(rita, '<p>near</p>', { published: old(), inReplyTo: root.id })
    const dead = other.addNote(olga, '<p>dead</p>', { published: old(), inReplyTo: root.id })
    other.behave({ kind: 'status', status: 503 })
    answered(root, [dead.id, near.id])
    const { id } = await harness.call(resolveStatus, { uri: root.id, viewer: null })
    await harness.call(showThread, { id: id ?? '' }, bob)
    await harness.waitForIdle()
    const { descendants } = await harness.call(showThread, { id: id ?? '' }, bob)
    expect(descendants.map((it) => it.uri)).toEqual([near.id])
  })
})

describe('a remote account that is followed for the first time', () => {
  const follow = async (who: RemoteActor) => {
    await harness.outcome(remote, makeActivity(who, 'Follow', bob.uri), { as: who })
    const account = await harness.account(who.id)
    await harness.call(createFollow, { id: account?.id ?? '' }, bob)
    const row = await harness
      .db('accounts')
      .row<{ uri: string }>(
        sql`select uri from follow_requests where account_id = ${bob.id} and target_id = ${account?.id}`,
      )
    await harness.outcome(remote, makeActivity(who, 'Accept', row?.uri ?? ''), { as: who })
    await harness.waitForIdle()
    return account?.id ?? ''
  }

  test('is shown with its latest and its pinned statuses', async () => {
    const notes = Array.from({ length: 25 }, (_, i) => remote.addNote(rita, `<p>note ${i}</p>`, { published: old() }))
    const pinned = [notes[3], notes[20]].map((it) => it?.id ?? '')
    const theirs = other.addNote(olga, '<p>not mine</p>')
    remote.publish(pathOf(String(rita.document.featured)), {
      '@context': AS,
      id: rita.document.featured,
      type: 'OrderedCollection',
      orderedItems: [...pinned, theirs.id],
    })
    const id = await follow(rita)
    const shown = await harness.call(accountTimeline, { id, limit: 40 }, bob)
    expect(shown.map((it) => it.uri)).toEqual([notes[3], ...notes.slice(5)].map((it) => it?.id).reverse())
    expect((await harness.call(accountTimeline, { id, pinned: true }, bob)).map((it) => it.uri)).toEqual(pinned)
    expect((await harness.call(homeTimeline, {}, bob)).map((it) => it.uri)).toContain(notes[24]?.id)
    expect((await harness.call(statusRecords, { uris: [theirs.id] })).records).toEqual([])
    // The outbox embeds its statuses, so only the pins are fetched one by one.
    expect(gets(rita.outbox).length).toBeGreaterThan(0)
    expect(gets(notes[24]?.id ?? '')).toHaveLength(0)
  })

  test('an outbox on another server, or a hidden one, is ignored', async () => {
    const note = other.addNote(olga, '<p>olga</p>')
    rita.document.outbox = olga.outbox
    remote.behave({ kind: 'status', status: 403 }, { path: pathOf(String(rita.document.featured)) })
    const id = await follow(rita)
    expect(await harness.call(accountTimeline, { id }, bob)).toEqual([])
    expect((await harness.call(statusRecords, { uris: [note.id] })).records).toEqual([])
  })
})

describe('an opened profile', () => {
  const known = async (who: RemoteActor) => {
    await harness.outcome(remote, makeActivity(who, 'Follow', bob.uri), { as: who })
    return (await harness.account(who.id))?.id ?? ''
  }
  const age = (id: string, days: number) =>
    harness
      .db('accounts')
      .run(sql`update accounts set fetched_at = now() - make_interval(days => ${days}::int) where id = ${id}`)
  const name = async (id: string) => (await harness.call(showAccount, { id }, bob)).display_name

  test('is returned at once, and fetched again if it is a day old', async () => {
    const id = await known(rita)
    Object.assign(rita.document, { name: 'Another' })
    remote.publish(`${pathOf(rita.id)}/following`, {
      '@context': AS,
      id: `${rita.id}/following`,
      type: 'OrderedCollection',
      totalItems: 12,
      first: `${rita.id}/following?page=1`,
    })
    expect(await name(id)).toBe(rita.name)
    await harness.waitForIdle()
    expect(await name(id)).toBe(rita.name)
    await age(id, 2)
    expect(await name(id)).toBe(rita.name)
    await harness.waitForIdle()
    expect(await name(id)).toBe('Another')
    expect(await harness.call(showAccount, { id }, bob)).toMatchObject({ following_count: 12, followers_count: 0 })
  })

  test('hostile 114 of a server without a response stays, and is not fetched again at once', async () => {
    const id = await known(rita)
    const stop = remote.behave({ kind: 'status', status: 500 }, { path: pathOf(rita.id) })
    await age(id, 2)
    const before = gets(rita.id).length
    expect(await name(id)).toBe(rita.name)
    await harness.waitForIdle()
    expect(gets(rita.id).length).toBeGreaterThan(before)
    const after = gets(rita.id).length
    stop()
    expect(await name(id)).toBe(rita.name)
    await harness.waitForIdle()
    expect(gets(rita.id)).toHaveLength(after)
  })

  test('of a deleted remote account is deleted', async () => {
    const id = await known(rita)
    const note = remote.addNote(rita, '<p>left behind</p>')
    const status = await harness.call(resolveStatus, { uri: note.id, viewer: null })
    remote.behave({ kind: 'gone' }, { path: pathOf(rita.id) })
    await age(id, 2)
    expect(await name(id)).toBe(rita.name)
    await harness.waitForIdle()
    await expect(name(id)).rejects.toMatchObject({ status: 404 })
    await expect(harness.call(showStatus, { id: status.id ?? '' }, bob)).rejects.toMatchObject({ status: 404 })
  })
})
