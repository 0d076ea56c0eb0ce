/** Search over the bus: parameters, refusals, and kinds of results. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { app } from '../src/main.js'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { fetchedNote, remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('annabel')
  bob = harness.fakes.fakeAccount('bobby')
})
afterAll(() => harness.stop())

type Input = Record<string, unknown>
const request = (fakeAccount: FakeAccount | null, input: Input | string) =>
  harness.cluster.call(
    statuses.search,
    (typeof input === 'string' ? { q: input } : input) as never,
    fakeAccount ? harness.as(fakeAccount) : {},
  )
const ids = (list: readonly { id: string }[]) => list.map((one) => one.id)
const found = async (fakeAccount: FakeAccount | null, input: Input | string) =>
  ids((await request(fakeAccount, input)).statuses)
const refused = (fakeAccount: FakeAccount | null, input: Input | string) =>
  request(fakeAccount, input).then(
    () => null,
    (error: { status: number; message: string }) => [error.status, error.message],
  )

describe('an address of this server', () => {
  test('a collection is found by its page and by its ActivityPub id', async () => {
    const origin = harness.cluster.origin
    const card = {
      ...{ id: '77', uri: `${origin}/ap/users/1/collections/77`, url: `${origin}/collections/77`, account_id: ann.id },
      ...{ name: 'Birds', description: '', language: null, local: true, sensitive: false, discoverable: true },
      ...{ tag: null, item_count: 0, items: [] },
      ...{ created_at: '2026-01-02T00:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z' },
    }
    harness.fakes.collections.set('77', card)
    const linking = await harness.post(ann, `See ${card.url} and ${card.uri} and ${origin}/collections/78`)
    await harness.post(bob, 'See nothing')
    await harness.cluster.waitForIdle()
    for (const viewer of [harness.as(bob), undefined]) {
      harness.fakes.asked.length = 0
      const page = await harness.cluster.call(statuses.publicTimeline, { local: true }, viewer)
      const tagged = page.map((one) => [one.id === linking.id, one.tagged_collections])
      expect(tagged.filter(([, found]) => (found as unknown[]).length > 0)).toEqual([[true, [card]]])
      expect(harness.fakes.asked.filter((name) => name === 'accounts.collection.cards')).toHaveLength(1)
    }
    harness.fakes.collections.delete('77')
    const shown = await harness.cluster.call(statuses.showStatus, { id: linking.id }, harness.as(bob))
    expect(shown.tagged_collections).toEqual([])
    harness.fakes.collections.set('77', card)
    for (const q of [card.url, card.uri]) {
      const all = await request(bob, { q, resolve: true })
      expect([all.collections, all.accounts, all.statuses, all.hashtags]).toEqual([[card], [], [], []])
    }
    expect((await request(bob, { q: card.url, resolve: true, type: 'accounts' })).collections).toEqual([])
    expect((await request(bob, { q: `${origin}/collections/78`, resolve: true })).collections).toEqual([])
  })
})

describe('the page of a local account', () => {
  test('S-136 the page of a local account, or its ActivityPub id, finds the account', async () => {
    const { origin } = harness.cluster
    for (const q of [`${origin}/@annabel`, `${origin}/users/annabel`, ann.uri]) {
      const all = await request(bob, { q, resolve: true })
      expect([ids(all.accounts), all.statuses, all.hashtags, all.collections]).toEqual([[ann.id], [], [], []])
    }
    expect((await request(bob, { q: `${origin}/@nobody`, resolve: true })).accounts).toEqual([])
    expect((await request(bob, { q: `${origin}/@annabel`, resolve: true, type: 'statuses' })).accounts).toEqual([])
  })

  test('the one item at an address is only on the first page', async () => {
    const post = await harness.post(ann, 'One item')
    const collection = `${harness.cluster.origin}/collections/77`
    const pageOf = async (q: string, more: Input) => {
      const { accounts, statuses: posts, collections } = await request(bob, { q, resolve: true, ...more })
      return accounts.length + posts.length + collections.length
    }
    for (const [q, type] of [
      [ann.uri, 'accounts'],
      [post.uri, 'statuses'],
    ] as const) {
      expect([q, await pageOf(q, { type, offset: 0, limit: 1 })]).toEqual([q, 1])
      expect([q, await pageOf(q, { type, offset: 20 })]).toEqual([q, 0])
      // Without a type, each kind of result begins at its first item.
      expect([q, await pageOf(q, { offset: 20 })]).toEqual([q, 1])
    }
    for (const q of [ann.uri, post.uri, collection]) expect([q, await pageOf(q, { limit: 0 })]).toEqual([q, 0])
  })
})

describe('an address of another server with http', () => {
  const statusesAt = async (q: string) => ids((await request(bob, { q, resolve: true })).statuses)

  test('finds the status that is stored with https, by its id and its page, without a fetch', async () => {
    const far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
    const status = remoteStatus(far)
    const { id } = await harness.cluster.call(statuses.putRemoteStatus, { status })
    harness.fakes.asked.length = 0
    for (const address of [status.uri, status.url ?? ''])
      expect(await statusesAt(address.replace('https:', 'http:'))).toEqual([id])
    expect(harness.fakes.asked).not.toContain('federation.fetch.object')
  })

  test('finds the status that is stored with http', async () => {
    const far = harness.fakes.fakeAccount('eva', { domain: 'plain.example', uri: 'http://plain.example/eva' })
    const [uri, url] = ['http://plain.example/notes/1', 'http://plain.example/@eva/1']
    const { id } = await harness.cluster.call(statuses.putRemoteStatus, { status: remoteStatus(far, { uri, url }) })
    for (const address of [uri, url]) expect(await statusesAt(address)).toEqual([id])
  })

  test('is fetched with https', async () => {
    const far = harness.fakes.fakeAccount('finn', { domain: 'far.example' })
    const uri = 'https://far.example/notes/only-there'
    harness.fakes.outside.set(uri, fetchedNote(far, uri))
    const all = await request(bob, { q: uri.replace('https:', 'http:'), resolve: true })
    expect(all.statuses).toMatchObject([{ uri }])
  })
})

describe('the response', () => {
  test('S-020 S-133 a result has three kinds; a type leaves the others empty, and an unknown type leaves all empty', async () => {
    const { id } = await harness.post(ann, 'annabel says #annabella')
    await harness.cluster.waitForIdle()
    const all = await request(bob, 'annabel')
    expect(ids(all.accounts)).toEqual([ann.id])
    expect(ids(all.statuses)).toEqual([id])
    expect(all.hashtags.map((tag) => tag.name)).toEqual(['annabella'])
    expect(all.collections).toEqual([])
    for (const type of ['accounts', 'statuses', 'hashtags'] as const) {
      const one = await request(bob, { q: 'annabel', type })
      const rest = { ...all, accounts: [], statuses: [], hashtags: [] }
      expect(one).toEqual({ ...rest, [type]: all[type] })
    }
    expect(await request(bob, { q: 'annabel', type: 'people' })).toMatchObject({
      accounts: [],
      statuses: [],
      hashtags: [],
    })
  })

  test('S-133 S-134 offset applies only with a type; limits are 20 and 40, and negative numbers are refused', async () => {
    const many = await Promise.all(Array.from({ length: 43 }, (_, i) => harness.post(ann, `crowded ${i}`)))
    await harness.cluster.waitForIdle()
    const newest = ids(many).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
    expect(await found(ann, 'crowded')).toEqual(newest.slice(0, 20))
    expect(await found(ann, { q: 'crowded', limit: '999' })).toEqual(newest.slice(0, 40))
    expect(await found(ann, { q: 'crowded', limit: 3, offset: 2 })).toEqual(newest.slice(0, 3))
    expect(await found(ann, { q: 'crowded', limit: 3, offset: 2, type: 'statuses' })).toEqual(newest.slice(2, 5))
    for (const none of [{ limit: 0 }, { offset: 43 }, { offset: 1e9 }])
      expect(await found(ann, { q: 'crowded', type: 'statuses', ...none })).toEqual([])
    const text = 'Pagination values for `offset` and `limit` must be positive'
    expect(await refused(ann, { q: 'crowded', limit: -1 })).toEqual([400, text])
    expect(await refused(ann, { q: 'crowded', offset: '-1' })).toEqual([400, text])
    expect(await refused(ann, '  ')).toEqual([400, 'param is missing or the value is empty or invalid: q'])
    const [max_id, min_id] = [newest[1], newest[4]]
    expect(await found(ann, { q: 'crowded', max_id, min_id })).toEqual(newest.slice(2, 4))
    expect(await found(ann, { q: 'crowded', min_id })).toEqual(newest.slice(0, 4))
  })

  test('S-133 S-134 accounts and hashtags have pages too, only with their type', async () => {
    const rooks = ['rooka', 'rookbb', 'rookccc'].map((name) => harness.fakes.fakeAccount(name).id)
    await harness.post(ann, '#rooka #rookbb #rookccc')
    await harness.cluster.waitForIdle()
    const page = { q: 'rook', limit: 1, offset: 1 }
    const tagNames = ({ hashtags }: { hashtags: readonly { name: string }[] }) => hashtags.map((tag) => tag.name)
    expect(ids((await request(ann, { ...page, type: 'accounts' })).accounts)).toEqual([rooks[1]])
    expect(tagNames(await request(ann, { ...page, type: 'hashtags' }))).toEqual(['rookbb'])
    const all = await request(ann, page)
    expect([ids(all.accounts), tagNames(all)]).toEqual([[rooks[0]], ['rooka']])
  })

  test('S-135 account_id limits the result to that account; an unknown one is not found', async () => {
    const [mine] = await Promise.all([harness.post(ann, 'shared word'), harness.post(bob, 'shared word')])
    await harness.cluster.waitForIdle()
    expect(await found(bob, 'shared word')).toHaveLength(2)
    expect(await found(bob, { q: 'shared word', account_id: ann.id })).toEqual([mine.id])
    expect(await found(bob, { q: 'shared word', account_id: '', min_id: '', max_id: '' })).toHaveLength(2)
    for (const account_id of ['77', 'nobody'])
      expect(await refused(bob, { q: 'shared word', account_id })).toEqual([404, 'Record not found'])
  })

  test('S-137 following finds only accounts that the viewer follows, and the viewer', async () => {
    const [one, two] = [harness.fakes.fakeAccount('folk1'), harness.fakes.fakeAccount('folk2')]
    const me = harness.fakes.fakeAccount('folk3')
    harness.fakes.follow(me, one)
    expect(ids((await request(me, 'folk')).accounts)).toEqual([one.id, two.id, me.id])
    expect(ids((await request(me, { q: 'folk', following: 'true' })).accounts)).toEqual([one.id, me.id])
  })

  test('S-138 S-139 hashtags are found by prefix, the exact name first; unreviewed ones only by exact name', async () => {
    await harness.post(ann, '#Gardens #garden #gardening #gardenhidden')
    await harness.cluster.waitForIdle()
    const db = harness.cluster.db('statuses')
    await db.run(sql`update tags set reviewed_at = now() where name = 'gardening'`)
    await db.run(sql`update tags set listable = false where name = 'gardenhidden'`)
    const { hashtags } = await request(bob, { q: '#Garden', type: 'hashtags' })
    expect(hashtags.map((tag) => tag.name)).toEqual(['garden', 'Gardens', 'gardening'])
    expect(hashtags[0]).toMatchObject({ following: false, featuring: false, history: expect.any(Array) })
    expect(hashtags[0]?.history).toHaveLength(7)
    expect(hashtags[0]?.history[0]).toMatchObject({ uses: '1', accounts: '1' })
    const reviewed = await request(bob, { q: 'garden', type: 'hashtags', exclude_unreviewed: '1' })
    expect(reviewed.hashtags.map((tag) => tag.name)).toEqual(['garden', 'gardening'])
    const part = await request(bob, { q: 'garde', type: 'hashtags', exclude_unreviewed: '1' })
    expect(part.hashtags.map((tag) => tag.name)).toEqual(['gardening'])
  })

  test('S-213 only version 2 of the endpoint exists', () => {
    const paths = app.manifest.operations.flatMap(({ operation }) => operation.http.map((route) => route.path))
    expect(paths.filter((path) => path.endsWith('/search'))).toEqual(['/api/v2/search'])
  })
})

describe('without a login', () => {
  test('S-136 S-191 resolving on other servers is refused', async () => {
    const text = 'Search queries that resolve remote resources are not supported without authentication'
    for (const resolve of [true, '1', 'yes'])
      expect(await refused(null, { q: 'annabel', resolve })).toEqual([401, text])
    expect(await refused(null, { q: 'annabel', resolve: 'false' })).toBeNull()
    expect(await refused(ann, { q: 'annabel', resolve: 'true' })).toBeNull()
  })

  test('S-140 S-200 paging is refused, even with offset 0', async () => {
    const text = 'Search queries pagination is not supported without authentication'
    for (const offset of [0, '0', 20])
      expect(await refused(null, { q: 'annabel', type: 'accounts', offset })).toEqual([401, text])
    expect(ids((await request(null, { q: 'annabel' })).accounts)).toEqual([ann.id])
  })

  test('S-141 S-200 fewer than five characters find exact accounts only, and hashtags as usual', async () => {
    const short = harness.fakes.fakeAccount('anna')
    await harness.post(ann, '#gard #garde #garden')
    await harness.cluster.waitForIdle()
    expect(ids((await request(null, 'anna')).accounts)).toEqual([short.id])
    expect((await request(null, 'ann')).accounts).toEqual([])
    for (const q of ['gar', 'gard']) {
      const names = (await request(null, { q, type: 'hashtags' })).hashtags.map((tag) => tag.name)
      expect(names).toEqual(expect.arrayContaining(['gard', 'garde', 'garden']))
    }
    expect((await request(null, 'annab')).accounts).toHaveLength(1)
    expect((await request(null, 'garde')).hashtags.length).toBeGreaterThan(1)
    expect((await request(ann, 'ann')).accounts.length).toBeGreaterThan(1)
  })

  test('statuses are not found by anonymous viewers', async () => {
    await harness.post(ann, 'visitors overlook this')
    await harness.cluster.waitForIdle()
    expect(await found(null, 'overlook')).toEqual([])
    expect(await found(null, { q: 'overlook', type: 'statuses' })).toEqual([])
  })
})

describe('from:', () => {
  test('S-132 from: names a local account, a remote account, or the viewer', async () => {
    const far = harness.fakes.fakeAccount('alice', { domain: 'far.example' })
    const here = harness.fakes.fakeAccount('alice')
    const one = await harness.post(here, 'pineapple')
    const mine = await harness.post(bob, 'pineapple')
    await harness.cluster.waitForIdle()
    const handle = `@alice@${harness.cluster.env.LOCAL_DOMAIN ?? new URL(harness.cluster.origin).host}`
    for (const who of ['alice', '@alice', '@Alice', handle])
      expect(await found(bob, `from:${who} pineapple`)).toEqual([one.id])
    expect(await found(bob, `pineapple from:${far.username}@far.example`)).toEqual([])
    const note = remoteStatus(far, { html: '<p>papaya</p>' })
    const remote = await harness.cluster.call(statuses.putRemoteStatus, { status: note })
    await harness.post(here, 'papaya')
    await harness.cluster.waitForIdle()
    for (const who of ['@alice@far.example', 'alice@FAR.example'])
      expect(await found(bob, `from:${who} papaya`)).toEqual([remote.id])
    expect(await found(bob, 'pineapple from:me')).toEqual([mine.id])
    expect(await found(bob, 'pineapple -from:me')).toEqual([one.id])
  })

  test('S-192 an unsupported form of from: is 422', async () => {
    for (const q of ['from:', 'x from:"alice"', 'from:a@b@c'])
      expect(await refused(bob, q)).toEqual([422, 'Unprocessable Content'])
    expect(await refused(null, 'from:')).toEqual([422, 'Unprocessable Content'])
    expect(await refused(bob, 'before:tomorrow')).toEqual([422, 'Invalid date supplied'])
  })

  test('S-193 from: with an unknown account is 404', async () => {
    harness.fakes.fakeAccount('gone1', { suspended: true })
    for (const q of ['from:nobodyhere', 'x from:@alice@nowhere.example', 'from:gone1'])
      expect(await refused(bob, q)).toEqual([404, 'Not Found'])
    expect(await refused(null, 'from:me')).toEqual([404, 'Not Found'])
    expect(await refused(bob, { q: 'from:nobodyhere', type: 'statuses' })).toEqual([404, 'Not Found'])
  })

  test('operators are not read in a search for accounts or hashtags', async () => {
    for (const q of ['in:berlin', 'before:2020', 'from:nobodyhere', 'from:a@b@c'])
      for (const type of ['accounts', 'hashtags'] as const)
        for (const who of [bob, null])
          expect(await request(who, { q, type })).toMatchObject({ accounts: [], statuses: [], hashtags: [] })
  })
})

test('A140 A141 a long or malformed query gets a result or an error', async () => {
  for (const q of [
    "'); drop table statuses; --",
    '\\',
    "'",
    '!!&|<->',
    '%_%',
    '"',
    '-',
    'has:',
    ':*',
    `${'ﷺ '.repeat(500)}`,
  ])
    expect((await request(ann, q)).accounts).toEqual([])
  expect(statuses.search.input.safeParse({ q: 'x'.repeat(100_000) }).success).toBe(false)
  expect(await found(ann, { q: 'crowded', min_id: '-1', max_id: '99999999999999999999' })).toEqual([])
})
