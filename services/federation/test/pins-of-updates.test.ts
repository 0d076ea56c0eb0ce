/** Pinned statuses of a remote account after it sent an Update of its actor. */
import { accountTimeline, featuredTagListOf } from '@murmuration/contracts/statuses'
import type { Document } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stage, startStage } from './stage.js'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 60_000)
afterAll(() => stage.world.stop())

const pinned = async (id: string) =>
  (await stage.world.call(accountTimeline, { id, pinned: true }, stage.bob)).map((it) => it.uri)

test('each Update of an actor refreshes its pins, whenever they were read before', async () => {
  const { rita, remote, world } = stage
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
  const id = (await world.account(rita.id))?.id ?? ''
  pin(one)
  expect(await stage.say(rita, 'Update', rita.document)).toBe('done')
  await world.settle()
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([one])
  await world.settle()
  pin(two)
  expect(await stage.say(rita, 'Update', rita.document)).toBe('done')
  await world.settle()
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([two])
  pin(two, one)
  expect(await stage.say(rita, 'Update', rita.document)).toBe('done')
  await world.settle()
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([two, one])
  pin()
  expect(await stage.say(rita, 'Update', rita.document)).toBe('done')
  await world.settle()
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([])
})

test('pins and hashtags are read from the first page, and stay if the collection cannot be read', async () => {
  const { vera, bob, remote, world } = stage
  const featured = `${vera.id}/collections/featured`
  const featuredTags = `${vera.id}/collections/tags`
  Object.assign(vera.document, { featured, featuredTags })
  const publish = (address: string, content: Document | undefined) =>
    remote.publish(
      new URL(address).pathname,
      content && { '@context': 'https://www.w3.org/ns/activitystreams', id: address, ...content },
    )
  const update = async (version: number) => {
    expect(await stage.say(vera, 'Update', { ...vera.document, name: `version ${version}` })).toBe('done')
    await world.settle()
  }
  const note = remote.addNote(vera, 'one').id
  await stage.follow(bob, vera)
  publish(featured, { type: 'OrderedCollection', totalItems: 1, first: `${featured}/1` })
  publish(`${featured}/1`, { type: 'OrderedCollectionPage', partOf: featured, orderedItems: [note] })
  publish(featuredTags, { type: 'Collection', totalItems: 1, first: `${featuredTags}/1` })
  publish(`${featuredTags}/1`, { type: 'CollectionPage', items: [{ type: 'Hashtag', name: '#cats' }] })
  await update(1)
  const id = (await world.account(vera.id))?.id ?? ''
  const tags = async () => (await world.call(featuredTagListOf, { id }, bob)).map((it) => it.name)
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([note])
  await expect.poll(tags, { timeout: 8_000 }).toEqual(['cats'])
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
  await expect.poll(() => pinned(id), { timeout: 8_000 }).toEqual([])
})
