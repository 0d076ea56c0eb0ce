/** Pinned statuses of a remote account after it sent an Update of its actor. */
import { accountTimeline } from '@murmuration/contracts/statuses'
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
