/** Pinned statuses of a remote account after it sent an Update of its actor. */
import { accountTimeline, listFeaturedTagsOf } from '@murmuration/contracts/statuses'
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.harness.stop())

const pinned = async (id: string) =>
  (await fixture.harness.call(accountTimeline, { id, pinned: true }, fixture.bob)).map((it) => it.uri)

test('each Update of an actor refreshes its pins, whenever they were read before', async () => {
  const { rita, remote, harness } = fixture
  const featured = `${rita.id}/collections/featured`
  Object.assign(rita.document, { featured })
  const pin = (...items: string[]) =>
    remote.publish(new URL(featured).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: featured,
      type: 'OrderedCollection',
      totalItems: items.length,
      orderedItems: items,
    })
  const [one, two] = [remote.addNote(rita, 'one').id, remote.addNote(rita, 'two').id]
  const id = (await harness.account(rita.id))?.id ?? ''
  pin(one)
  expect(await fixture.sendActivity(rita, 'Update', rita.document)).toBe('done')
  await harness.waitForIdle()
  await expect.poll(() => pinned(id)).toEqual([one])
  await harness.waitForIdle()
  pin(two)
  expect(await fixture.sendActivity(rita, 'Update', rita.document)).toBe('done')
  await harness.waitForIdle()
  await expect.poll(() => pinned(id)).toEqual([two])
  pin(two, one)
  expect(await fixture.sendActivity(rita, 'Update', rita.document)).toBe('done')
  await harness.waitForIdle()
  await expect.poll(() => pinned(id)).toEqual([two, one])
  pin()
  expect(await fixture.sendActivity(rita, 'Update', rita.document)).toBe('done')
  await harness.waitForIdle()
  await expect.poll(() => pinned(id)).toEqual([])
})

test('pins and hashtags are read from the first page, and stay if the collection cannot be read', async () => {
  const { vera, bob, remote, harness } = fixture
  const featured = `${vera.id}/collections/featured`
  const featuredTags = `${vera.id}/collections/tags`
  Object.assign(vera.document, { featured, featuredTags })
  const publish = (address: string, content: Document | undefined) =>
    remote.publish(
      new URL(address).pathname,
      content && { '@context': 'https://www.w3.org/ns/activitystreams', id: address, ...content },
    )
  const update = async (version: number) => {
    expect(await fixture.sendActivity(vera, 'Update', { ...vera.document, name: `version ${version}` })).toBe('done')
    await harness.waitForIdle()
  }
  const note = remote.addNote(vera, 'one').id
  await fixture.follow(bob, vera)
  publish(featured, { type: 'OrderedCollection', totalItems: 1, first: `${featured}/1` })
  publish(`${featured}/1`, { type: 'OrderedCollectionPage', partOf: featured, orderedItems: [note] })
  publish(featuredTags, { type: 'Collection', totalItems: 1, first: `${featuredTags}/1` })
  publish(`${featuredTags}/1`, { type: 'CollectionPage', items: [{ type: 'Hashtag', name: '#cats' }] })
  await update(1)
  const id = (await harness.account(vera.id))?.id ?? ''
  const tags = async () => (await harness.call(listFeaturedTagsOf, { id }, bob)).map((it) => it.name)
  await expect.poll(() => pinned(id)).toEqual([note])
  await expect.poll(tags).toEqual(['cats'])
  publish(`${featured}/1`, undefined)
  publish(`${featuredTags}/1`, undefined)
  await update(2)
  publish(featured, { type: 'Note', content: 'no collection' })
  publish(featuredTags, { type: 'Note', content: 'no collection' })
  await update(3)
  expect(await pinned(id)).toEqual([note])
  expect(await tags()).toEqual(['cats'])
  publish(featured, { type: 'OrderedCollection', totalItems: 0 })
  await update(4)
  await expect.poll(() => pinned(id)).toEqual([])
})

test('pins and hashtags stay if a page of their collection is on another server or invalid, or if items are only counted', async () => {
  const { bob, remote, harness } = fixture
  const olga = await remote.addActor('olga')
  const [featured, featuredTags] = [`${olga.id}/collections/featured`, `${olga.id}/collections/tags`]
  Object.assign(olga.document, { featured, featuredTags })
  const other = await harness.server()
  const publish = (address: string, content: Document, server = remote) =>
    server.publish(new URL(address).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: address,
      type: 'OrderedCollection',
      ...content,
    })
  const [one, two] = [remote.addNote(olga, 'one').id, remote.addNote(olga, 'two').id]
  const hashtag = (name: string) => ({ type: 'Hashtag', name: `#${name}` })
  publish(featured, { orderedItems: [one] })
  publish(featuredTags, { orderedItems: [hashtag('cats')] })
  publish(`${other.origin}/page`, { type: 'OrderedCollectionPage', orderedItems: [two] }, other)
  await fixture.follow(bob, olga)
  const id = (await harness.account(olga.id))?.id ?? ''
  const tags = async () => (await harness.call(listFeaturedTagsOf, { id }, bob)).map((it) => it.name)
  await expect.poll(() => pinned(id)).toEqual([one])
  await expect.poll(tags).toEqual(['cats'])
  let version = 0
  const update = async () => {
    expect(await fixture.sendActivity(olga, 'Update', { ...olga.document, name: `version ${++version}` })).toBe('done')
    await harness.waitForIdle()
  }
  const lost: Document[] = [
    { totalItems: 1, first: `${other.origin}/page` },
    { totalItems: 1, first: { id: `${other.origin}/page`, type: 'OrderedCollectionPage' } },
    { totalItems: 1, first: '?page=1' },
    { totalItems: 1 },
  ]
  for (const content of lost) {
    for (const address of [featured, featuredTags]) publish(address, content)
    await update()
    expect([content, await pinned(id), await tags()]).toEqual([content, [one], ['cats']])
  }
  const page = { type: 'OrderedCollectionPage', next: `${other.origin}/page` }
  publish(featured, { first: { ...page, orderedItems: [] } })
  await update()
  expect(await pinned(id)).toEqual([one])
  publish(featured, { first: { ...page, orderedItems: [two] } })
  await update()
  await expect.poll(() => pinned(id)).toEqual([two, one])
  publish(featured, { orderedItems: [] })
  publish(featuredTags, { orderedItems: [] })
  await update()
  await expect.poll(() => pinned(id)).toEqual([])
  await expect.poll(tags).toEqual([])
})

test('pins and hashtags vanish when the actor no longer has their collections', async () => {
  const { bob, remote, harness } = fixture
  const nora = await remote.addActor('nora')
  const [featured, featuredTags] = [`${nora.id}/collections/featured`, `${nora.id}/collections/tags`]
  const publish = (address: string, content: Document) =>
    remote.publish(new URL(address).pathname, {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: address,
      type: 'OrderedCollection',
      ...content,
    })
  publish(featured, { orderedItems: [remote.addNote(nora, 'one').id] })
  publish(featuredTags, { orderedItems: [{ type: 'Hashtag', name: '#cats' }] })
  const tags = async (id: string) => (await harness.call(listFeaturedTagsOf, { id }, bob)).map((it) => it.name)
  const { featured: _pins, featuredTags: _tags, ...bare } = nora.document as Document
  const update = async (more: Document) => {
    remote.publish(new URL(nora.id).pathname, { ...bare, ...more })
    expect(await fixture.sendActivity(nora, 'Update', { ...bare, ...more })).toBe('done')
    await harness.waitForIdle()
  }
  await fixture.follow(bob, nora)
  const id = (await harness.account(nora.id))?.id ?? ''
  for (const absent of [{}, { featured: null, featuredTags: null }, { featured: [], featuredTags: '' }]) {
    await update({ featured, featuredTags })
    await expect.poll(async () => [(await pinned(id)).length, await tags(id)]).toEqual([1, ['cats']])
    await update(absent)
    await expect.poll(async () => [await pinned(id), await tags(id)]).toEqual([[], []])
  }
})
