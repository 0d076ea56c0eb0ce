/** Remote collections of accounts (FEP-7aa9) that are named by address, are on pages, or cannot be fetched at once. */

import { app as accounts } from '@murmuration/accounts'
import {
  changeRemoteCollection,
  checkCollectionJob,
  collectionsOfAccount,
  putRemoteCollection,
  resolveAccount,
  showCollection,
} from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection, fetchFeaturedCollections } from '@murmuration/contracts/federation'
import { olderNames } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import type { BaseContext } from '@murmuration/kernel'
import { beginInWindow } from '@murmuration/testkit'
import { type Document, makeActivity, type RemoteActor } from '@murmuration/testkit/outside/remote-actor'
import type { RemoteServer } from '@murmuration/testkit/outside/remote-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Context, createContext } from '../src/context.js'
import { perform } from '../src/inbox/activities/dispatch.js'
import {
  agree,
  asksFor,
  collectionNode,
  FEATURE_CONTEXT,
  filled,
  itemNode,
  type Node,
  publish,
} from './collection-nodes.js'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

let fixture: Fixture
let bob: LocalAccount
let remote: RemoteServer
/** Followed by bob. Her actor document names the list of her collections. */
let nina: RemoteActor
/** On the server of nina, without local followers. */
let vera: RemoteActor
let third: RemoteServer
/** On a server of his own. */
let tom: RemoteActor
const listOf = (actor: RemoteActor) => `${actor.id}/lists`

beforeAll(async () => {
  fixture = await startFixture()
  ;({ bob, remote, vera } = fixture)
  third = await fixture.harness.server()
  tom = await third.addActor('tom')
  nina = await remote.addActor('nina', { featuredCollections: `${remote.origin}/users/nina/lists` })
  await fixture.follow(bob, nina)
  for (const uri of [vera.id, tom.id]) await fixture.harness.call(resolveAccount, { uri })
})
afterAll(() => fixture.harness.stop())
const context = () =>
  fixture.harness.host.running.find((one) => one.service === 'accounts')?.ctx as unknown as BaseContext
/** Clears rate limits and cached failures. */
const clear = () => fixture.harness.clear()
beforeEach(async () => {
  await fixture.harness.waitForIdle()
  await clear()
  for (const server of [remote, third]) server.requests.clear()
})
afterEach(() => third.repair())

const outcome = (as: RemoteActor, type: string, object: Document | string, target?: string, server = remote) =>
  fixture.harness.outcome(server, makeActivity(as, type, object, { ...(target ? { target } : {}), to: undefined }), {
    as,
  })
const kept = async (owner: RemoteActor) => {
  const account = await fixture.harness.account(owner.id)
  return (await fixture.harness.call(collectionsOfAccount, { id: account?.id ?? '' })).collections
}
const find = async (uri: string, owner = nina) => (await kept(owner)).find((one) => one.uri === uri)
const membersOf = async (uri: string) => {
  await fixture.harness.waitForIdle()
  const ids = (await find(uri))?.items.map((item) => item.account_id) ?? []
  const accounts = [vera, tom, nina]
  const known = await Promise.all(accounts.map((one) => fixture.harness.account(one.id)))
  return ids.map((id) => accounts[known.findIndex((one) => one?.id === id)]?.name ?? id)
}

describe('a collection that is added to a profile by its address only', () => {
  test('is fetched, also a second time', async () => {
    const node = filled(nina, [[third, tom]])
    const uri = publish(remote, node)
    expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('done')
    expect(await membersOf(uri)).toEqual(['tom'])
    third.requests.clear()
    expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('done unchanged')
    expect(await membersOf(uri)).toEqual(['tom'])
    expect(asksFor(third, '/')).toEqual([])
    // An Update with the address only causes a fetch.
    publish(remote, { ...node, name: 'Owls' })
    expect(await outcome(nina, 'Update', uri)).toBe('done')
    expect(await find(uri)).toMatchObject({ name: 'Owls' })
  })

  test('is removed if removed from that list, and not from another one', async () => {
    const node = filled(nina, [[third, tom]])
    await outcome(nina, 'Add', publish(remote, node), listOf(nina))
    expect(await outcome(nina, 'Remove', node.id, `${nina.id}/other`)).toBe('refused foreign-target')
    expect(await membersOf(node.id)).toEqual(['tom'])
    expect(await outcome(nina, 'Remove', node.id, listOf(nina))).toBe('done')
    expect(await find(node.id)).toBeUndefined()
  })

  test('is not fetched without local followers of its owner, on another server, or in another list', async () => {
    const lists = `${vera.id}/lists`
    vera.document.featuredCollections = lists
    await outcome(vera, 'Update', vera.document)
    remote.requests.clear()
    expect(await outcome(vera, 'Add', publish(remote, filled(vera, [])), lists)).toBe('ignored not-followed')
    const uri = publish(remote, filled(nina, []))
    expect(await outcome(nina, 'Add', uri, `${nina.id}/other`)).toBe('refused foreign-target')
    expect(await outcome(nina, 'Add', publish(third, filled(tom, [])), listOf(nina))).toBe('refused foreign-target')
    expect([...asksFor(remote, '/collections/'), ...asksFor(third, '/collections/')]).toEqual([])
  })

  test('is refused if it belongs to another account or does not exist', async () => {
    const uri = publish(remote, filled(vera, []))
    expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('refused not-yours')
    expect(await outcome(nina, 'Add', `${nina.id}/collections/none`, listOf(nina))).toBe('refused collection-not-found')
  })

  test('is fetched at most five times in ten minutes', async () => {
    await beginInWindow(10)
    const uri = publish(remote, filled(nina, []))
    for (let n = 0; n < 5; n++) expect(await outcome(nina, 'Add', uri, listOf(nina))).toMatch(/^done/)
    expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('refused fetch-limit')
  })

  test('counts once per activity, however often the activity is retried', async () => {
    const uri = publish(remote, filled(nina, []))
    const base = fixture.harness.host.running.find((one) => one.service === 'federation')?.ctx
    const ctx = await createContext(base as Parameters<typeof createContext>[0])
    const call = ((...given: Parameters<Context['call']>) =>
      (given[0] as object) === fetchFeaturedCollection
        ? Promise.resolve({ outcome: 'later', collection: null })
        : ctx.call(...given)) as Context['call']
    const now = new Date()
    const body = JSON.stringify(makeActivity(nina, 'Add', uri, { target: listOf(nina), to: undefined }))
    const letter = {
      id: ctx.ids.next(),
      actor: nina.id,
      owner_id: null,
      body,
      received_at: now,
      signed_at: new Date(0),
    }
    for (let n = 0; n < 7; n++)
      await expect(perform({ ...ctx, call }, letter, n > 0)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await perform(ctx, letter, true)).toMatchObject({ outcome: 'done' })
    for (let n = 1; n < 5; n++) expect(await outcome(nina, 'Add', uri, listOf(nina))).toMatch(/^done/)
    expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('refused fetch-limit')
  })
})

describe('items that are listed as addresses', () => {
  /** A collection that lists its items by address. */
  const naming = (members: readonly (readonly [RemoteServer, RemoteActor])[]): Node => {
    const node = filled(nina, members)
    const items = node.orderedItems as Node[]
    for (const item of items) publish(remote, { '@context': FEATURE_CONTEXT, ...item })
    return { ...node, orderedItems: items.map((item) => item.id) }
  }

  test('are fetched, each once', async () => {
    const node = naming([
      [remote, vera],
      [third, tom],
    ])
    expect(await outcome(nina, 'Add', node, listOf(nina))).toBe('done')
    expect((await membersOf(node.id)).sort()).toEqual(['tom', 'vera'])
    expect(asksFor(remote, '/items/')).toHaveLength(2)
    // After a repeated activity they stay, without a fetch.
    for (const server of [remote, third]) server.requests.clear()
    expect(await outcome(nina, 'Update', { ...node, name: 'Owls' })).toBe('done')
    expect((await membersOf(node.id)).sort()).toEqual(['tom', 'vera'])
    expect([...asksFor(remote, '/items/'), ...asksFor(third, '/')]).toEqual([])
    // A member that is no longer listed is removed.
    expect(await outcome(nina, 'Update', { ...node, orderedItems: [(node.orderedItems as string[])[1]] })).toBe('done')
    expect(await membersOf(node.id)).toEqual(['tom'])
  })

  test('are added by their address, and only by the owner', async () => {
    const node = collectionNode(nina)
    await outcome(nina, 'Add', node, listOf(nina))
    const authorization = agree(third, tom, node.id)
    const item = itemNode(node.id, 7, { account: tom.id, authorization })
    publish(remote, { '@context': FEATURE_CONTEXT, ...item })
    expect(await outcome(vera, 'Add', item.id, node.id)).toBe('refused foreign-target')
    expect(await outcome(nina, 'Add', item.id, node.id)).toBe('done')
    expect(await membersOf(node.id)).toEqual(['tom'])
    expect(await outcome(nina, 'Add', item.id, node.id)).toBe('done unchanged')
    expect(await outcome(nina, 'Add', `${third.origin}/items/1`, node.id)).toBe('refused foreign-target')
    await fixture.harness.waitForIdle()
    expect(asksFor(remote, '/items/')).toHaveLength(1)
    expect(asksFor(third, '/items/')).toEqual([])
  })

  test('are ignored if they are other objects', async () => {
    const node = collectionNode(nina)
    const authorization = agree(third, tom, node.id)
    const item = (n: number) => itemNode(node.id, n, { account: tom.id, authorization })
    publish(remote, { '@context': FEATURE_CONTEXT, ...item(1), id: `${node.id}/items/9` })
    publish(remote, { '@context': FEATURE_CONTEXT, ...item(2), type: 'Note' })
    const named = [1, 2, 3].map((n) => item(n).id)
    expect(await outcome(nina, 'Add', { ...node, orderedItems: named }, listOf(nina))).toBe('done')
    expect(await membersOf(node.id)).toEqual([])
    expect(asksFor(third, '/')).toEqual([])
  })
})

test('items on pages are read, at most three pages and 25 items; an unreadable page removes none', async () => {
  const node = filled(nina, [
    [remote, vera],
    [third, tom],
  ])
  const [first, second] = node.orderedItems as Node[]
  const { orderedItems: _none, ...empty } = node
  const page = (n: number, items: Node[], next?: string): Node => ({
    '@context': FEATURE_CONTEXT,
    id: `${node.id}/pages/${n}`,
    type: 'OrderedCollectionPage',
    partOf: node.id,
    orderedItems: items,
    ...(next ? { next } : {}),
  })
  publish(remote, { ...empty, first: page(1, [first as Node], `${node.id}/pages/2`) })
  publish(remote, page(2, [second as Node], `${node.id}/pages/3`))
  publish(remote, page(3, [], `${node.id}/pages/4`))
  publish(remote, page(4, [], `${node.id}/pages/5`))
  expect(await outcome(nina, 'Add', { ...empty, first: `${node.id}/pages/1` }, listOf(nina))).toBe('done')
  expect((await membersOf(node.id)).sort()).toEqual(['tom', 'vera'])
  expect(asksFor(remote, '/pages/').map((one) => one.path.at(-1))).toEqual(['2', '3', '4'])
  remote.behave({ kind: 'status', status: 404 }, { path: /pages\/2$/ })
  expect(await outcome(nina, 'Update', { ...empty, first: `${node.id}/pages/1` })).toBe('refused collection-not-found')
  remote.repair()
  expect((await membersOf(node.id)).sort()).toEqual(['tom', 'vera'])
  // A page on another server is not requested and removes no item either.
  publish(third, { ...page(1, []), id: `${third.origin}/pages/1` })
  publish(remote, page(5, [first as Node], `${third.origin}/pages/1`))
  for (const address of [`${third.origin}/pages/1`, `${node.id}/pages/5`]) {
    publish(remote, { ...empty, first: address })
    expect(await outcome(nina, 'Update', { ...empty, first: address })).toBe('refused collection-refused')
  }
  expect((await membersOf(node.id)).sort()).toEqual(['tom', 'vera'])
  expect(asksFor(third, '/pages/')).toEqual([])
})

test('a copy without its items is not stored: the collection is fetched, and no member is removed', async () => {
  const node = filled(nina, [[remote, vera]])
  const { orderedItems: _none, totalItems: _count, ...empty } = node
  await outcome(nina, 'Add', publish(remote, node), listOf(nina))
  expect(await membersOf(node.id)).toEqual(['vera'])
  const lost: Document[] = [
    { totalItems: 1, first: `${third.origin}/page` },
    { totalItems: 1, first: { id: `${third.origin}/page`, type: 'OrderedCollectionPage' } },
    { totalItems: 1, first: '?page=1' },
    { totalItems: 1 },
  ]
  for (const content of lost) {
    await clear()
    const copy = { ...empty, ...content }
    // The activity has no items, the fetched collection has them.
    publish(remote, node)
    expect([content, await outcome(nina, 'Update', copy)]).toEqual([content, 'done unchanged'])
    expect([content, await membersOf(node.id)]).toEqual([content, ['vera']])
    const list = { '@context': FEATURE_CONTEXT, id: listOf(nina), type: 'OrderedCollection', orderedItems: [copy] }
    publish(remote, list)
    const listed = { owner: nina.id, url: list.id }
    const { collections } = await fixture.harness.call(fetchFeaturedCollections, listed)
    expect([content, collections.map((one) => one.items.length)]).toEqual([content, [1]])
    // Both have no items.
    publish(remote, copy)
    for (const object of [copy, node.id])
      expect([content, await outcome(nina, 'Update', object)]).toEqual([content, 'refused collection-refused'])
    expect([content, await membersOf(node.id)]).toEqual([content, ['vera']])
  }
  publish(remote, { ...empty, totalItems: 0 })
  expect(await outcome(nina, 'Update', { ...empty, totalItems: 0 })).toBe('done')
  expect(await membersOf(node.id)).toEqual([])
})

describe('items that cannot be fetched at once', () => {
  const entry = accounts.manifest.jobs.find((one) => one.job.name === checkCollectionJob.name)
  const run = async (data: object, tries: number) => {
    await clear()
    await entry?.run(context(), checkCollectionJob.data.parse(data), { id: 'x', tries })
    await fixture.harness.waitForIdle()
  }
  /** Stores a collection without fetching its members. Returns its id and those of its items. */
  const store = async (node: Node) => {
    const account = await fixture.harness.account(nina.id)
    const items = (node.orderedItems as Node[]).map((it) => ({
      uri: it.id,
      account: it.featuredObject as string,
      authorization: it.featureAuthorization as string,
    }))
    const collection = {
      uri: node.id,
      ownerUri: nina.id,
      url: null,
      name: 'Late',
      description: '',
      language: null,
      sensitive: false,
      discoverable: true,
      tag: null,
      published: null,
      updated: null,
      items,
    }
    await fixture.harness.call(putRemoteCollection, { actor: account?.id ?? '', collection, make: true, look: false })
    const { id } = (await find(node.id)) ?? { id: '' }
    const rows = await fixture.harness
      .db('accounts')
      .rows<{ id: string }>(sql`select id from collection_items where collection_id = ${id} order by id`)
    return { id, given: items, items: rows.map((row) => row.id) }
  }
  const away = { kind: 'status', status: 503 } as const

  test('an authorization is fetched five more times, then again after the next activity', async () => {
    const node = filled(nina, [[third, tom]])
    const { id, items } = await store(node)
    third.behave(away, { path: /stamps/ })
    const { delays, times } = checkCollectionJob.retry
    expect([times, [...delays].sort((a, b) => a - b)]).toEqual([1 + 5, delays])
    await expect(run({ collection: id, items }, times - 1)).rejects.toMatchObject({ code: 'unavailable' })
    await run({ collection: id, items }, times)
    expect(await membersOf(node.id)).toEqual([])
    third.repair()
    await clear()
    expect(await outcome(nina, 'Update', { ...node, name: 'Late' })).toMatch(/^done/)
    expect(await membersOf(node.id)).toEqual(['tom'])
  })

  test('members whose server responds are added, whatever other servers do', async () => {
    const node = filled(nina, [
      [third, tom],
      [remote, vera],
    ])
    const { id, items } = await store(node)
    third.behave(away, { path: /stamps/ })
    await expect(run({ collection: id, items }, 1)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await membersOf(node.id)).toEqual(['vera'])
    third.repair()
    remote.requests.clear()
    await run({ collection: id, items }, 2)
    expect(await membersOf(node.id)).toEqual(['tom', 'vera'])
    // A proved member is not verified again.
    expect(asksFor(remote, '/stamps/')).toEqual([])
  })

  test('an unknown account is looked up again', async () => {
    const una = await third.addActor('una')
    const node = filled(nina, [[third, una]])
    const { id, given } = await store({ ...node, orderedItems: [] })
    const unknown = (node.orderedItems as Node[]).map((it) => ({
      uri: it.id,
      account: una.id,
      authorization: it.featureAuthorization,
    }))
    expect(given).toEqual([])
    third.behave(away)
    await expect(run({ collection: id, [olderNames.unknownAccounts]: unknown }, 1)).rejects.toMatchObject({
      code: 'unavailable',
    })
    third.repair()
    await run({ collection: id, [olderNames.unknownAccounts]: unknown }, 2)
    expect(await membersOf(node.id)).toEqual([(await fixture.harness.account(una.id))?.id])
  })

  test('a repeated job fetches once', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, (_, n) => third.addActor(`many${n}`)))
    const node = filled(
      nina,
      accounts.map((one) => [third, one] as const),
    )
    expect(await outcome(nina, 'Add', node, listOf(nina))).toBe('done')
    expect(await membersOf(node.id)).toHaveLength(12)
    const jobs = await fixture.harness.db('accounts').rows<{ data: string }>(sql`select data from outbox
      where subject = ${checkCollectionJob.subject} and data::jsonb->>'collection' = ${(await find(node.id))?.id} order by id`)
    expect(asksFor(third, '/stamps/')).toHaveLength(12)
    third.requests.clear()
    for (const { data } of jobs) await run(JSON.parse(data), 1)
    expect(asksFor(third, '/')).toEqual([])
    const queued = await fixture.harness.db('accounts').rows(sql`select 1 from outbox
      where subject = ${checkCollectionJob.subject} and data::jsonb->>'collection' = ${(await find(node.id))?.id}`)
    expect(queued).toHaveLength(jobs.length)
  })
})

test('is fetched again when opened a day later, once, and deleted if it is gone', async () => {
  const { clock } = context()
  const node = filled(nina, [[remote, vera]])
  await outcome(nina, 'Add', node, listOf(nina))
  expect(await membersOf(node.id)).toEqual(['vera'])
  const { id } = (await find(node.id)) ?? { id: '' }
  const open = async () => {
    await fixture.harness.call(showCollection, { id }).catch(() => null)
    await fixture.harness.waitForIdle()
  }
  const { orderedItems: _others, ...owls } = collectionNode(nina, [], { name: 'Owls', id: node.id })
  const authorization = agree(third, tom, node.id)
  publish(remote, { ...owls, id: node.id, orderedItems: [itemNode(node.id, 5, { account: tom.id, authorization })] })
  const reads = () => asksFor(remote, '/collections/').filter((one) => node.id.endsWith(one.path)).length
  try {
    await open()
    expect(reads()).toBe(0)
    clock.moveTo(1.1 * 86_400_000)
    await open()
    await open()
    expect(reads()).toBe(1)
    expect([(await find(node.id))?.name, await membersOf(node.id)]).toEqual(['Owls', ['tom']])
    publish(remote, { '@context': FEATURE_CONTEXT, id: node.id, type: 'Tombstone' })
    let days = 1.1
    const openNextDay = async () => {
      days += 1.1
      clock.moveTo(days * 86_400_000)
      await open()
      return find(node.id)
    }
    // A result is cached in real time, which the moved clock does not shorten.
    await expect.poll(openNextDay).toBeUndefined()
  } finally {
    remote.repair()
    clock.moveTo(0)
  }
})

test('with skipped activities is fetched again when opened ten minutes later, once', async () => {
  const { clock } = context()
  const node = filled(nina, [])
  const uri = publish(remote, node)
  const tell = () => outcome(nina, 'Update', uri)
  expect(await outcome(nina, 'Add', uri, listOf(nina))).toBe('done')
  expect(await tell()).toBe('done unchanged')
  publish(remote, { ...node, name: 'Last' })
  const federation = fixture.harness.host.running.find((one) => one.service === 'federation')?.ctx as unknown as Context
  const consulted = Array.from({ length: 6 }, () => federation.fetcher.limits.mayFetchForwarded(uri, new URL(uri).host))
  expect(await Promise.all(consulted)).toContain(false)
  expect(await tell()).toBe('refused fetch-limit')
  const { id } = (await find(uri)) ?? { id: '' }
  const reads = () => asksFor(remote, '/collections/').filter((one) => uri.endsWith(one.path)).length
  const before = reads()
  const openAfter = async (minutes: number) => {
    clock.moveTo(minutes * 60_000)
    await fixture.harness.call(showCollection, { id })
    await fixture.harness.waitForIdle()
    return (await find(uri))?.name
  }
  try {
    expect([await openAfter(5), reads()]).toEqual(['Birds', before])
    // After another activity it is not fetched later.
    const account = await fixture.harness.account(nina.id)
    const more = { actor: account?.id ?? '', uri, soon: true }
    expect(await fixture.harness.call(changeRemoteCollection, more)).toEqual({ outcome: 'unchanged' })
    // A result is cached for 0.2 s of real time, whatever the moved clock is.
    await new Promise((done) => setTimeout(done, 500))
    expect([await openAfter(11), await openAfter(12), reads()]).toEqual(['Last', 'Last', before + 1])
  } finally {
    clock.moveTo(0)
  }
})

test('the collections of a remote account are fetched with its first local follower, once a day', async () => {
  const { harness } = fixture
  const xena = await third.addActor('xena', { featuredCollections: `${third.origin}/users/xena/lists` })
  const node = filled(xena, [[third, tom]])
  publish(third, {
    '@context': FEATURE_CONTEXT,
    id: listOf(xena),
    type: 'OrderedCollection',
    totalItems: 1,
    orderedItems: [node],
  })
  await harness.call(resolveAccount, { uri: xena.id })
  await harness.waitForIdle()
  expect(asksFor(third, '/lists')).toEqual([])
  const follow = async (who: LocalAccount) => {
    await fixture.follow(who, xena)
    await harness.waitForIdle()
  }
  await follow(bob)
  expect(await kept(xena)).toMatchObject([{ uri: node.id, item_count: 1 }])
  expect(asksFor(third, '/lists')).toHaveLength(1)
  await follow(await harness.createAccount('fred'))
  expect(asksFor(third, '/lists')).toHaveLength(1)
})
