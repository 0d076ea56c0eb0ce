/** What open connections are told: ids only, to those who have the status in a feed, and nobody else. */

import { liveListener } from '@murmuration/testkit'
import { serve } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

const heard: { subject: string; e: string; id: string }[] = []
/** A streaming node that only writes down what it hears. */
const listener = liveListener<{ e: string; id: string }>('live.>', (message, subject) => {
  heard.push({ subject, ...message })
})

let stage: Stage
let ann: Person
let fan: Person
let away: Person
let site: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  stage = await raise({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' }, [listener])
  site = await serve(() => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<html><head><title>A story</title></head></html>',
  }))
  ann = stage.world.person('ann')
  fan = stage.world.person('fan')
  away = stage.world.person('away')
  for (const one of [fan, away]) stage.world.follow(one, ann)
  for (const one of [ann, fan]) await stage.present(one)
})
afterAll(async () => {
  await stage.stop()
  await site.close()
})
beforeEach(() => {
  heard.length = 0
})

const call = ((...given) => stage.cluster.call(...given)) as Stage['cluster']['call']
const tag = (name: string) => `live.tag.${Buffer.from(name).toString('base64url')}`
/** Who heard of a status, once everything was processed. */
const hearing = async (id: string, e: string): Promise<string[]> => {
  await stage.cluster.settle()
  return heard
    .filter((one) => one.id === id && one.e === e)
    .map((one) => one.subject)
    .sort()
}

test('only who had a connection a few minutes ago is listening', async () => {
  const [now, earlier, never] = ['now', 'earlier', 'never'].map((name) => stage.world.person(name)) as [
    Person,
    Person,
    Person,
  ]
  await stage.present(now, 17 * 60_000)
  await stage.present(earlier, 19 * 60_000)
  const accounts = [now.id, earlier.id, never.id]
  expect(await stage.cluster.call(statuses.peopleListening, { accounts })).toEqual({ listening: [now.id] })
})

test('a public status reaches its author, present followers, its tags and the public', async () => {
  const { id } = await stage.post(ann, 'hello #Welt')
  expect(await hearing(id, 'update')).toEqual(
    [`live.user.${ann.id}`, `live.user.${fan.id}`, 'live.public.local', tag('welt')].sort(),
  )
})

test('after Redis lost its data, everybody who has the status in a feed is told until presence is known again', async () => {
  const told = async () => {
    const { id } = await stage.post(ann, { status: 'once more', visibility: 'unlisted' })
    return hearing(id, 'update')
  }
  const all = [ann, fan, away].map((one) => `live.user.${one.id}`).sort()
  await stage.wipeRedis()
  expect(await told()).toEqual(all)
  // One streaming process has noticed it, others may not have.
  await stage.presenceKept(5_000)
  for (const one of [ann, fan]) await stage.present(one)
  expect(await told()).toEqual(all)
  await stage.presenceKept(20_000)
  expect(await told()).toEqual([ann, fan].map((one) => `live.user.${one.id}`).sort())
})

test('A042 A076 what is not public reaches only those who have it in a feed', async () => {
  for (const visibility of ['unlisted', 'private']) {
    const { id } = await stage.post(ann, { status: 'quiet #Welt', visibility })
    expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`, `live.user.${fan.id}`].sort())
  }
  const { id } = await stage.post(ann, { status: 'direct #Welt', visibility: 'direct' })
  expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`])
})

test('replies to others stay out of the public stream but not out of tags', async () => {
  const other = await stage.post(stage.world.person('other'), 'root')
  const { id } = await stage.post(ann, { status: '#Welt', in_reply_to_id: other.id })
  expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`, tag('welt')].sort())
})

test('edits and deletions are told where the status was', async () => {
  const { id } = await stage.post(ann, 'first #Welt')
  await call(statuses.editStatus, { id, status: 'second #Welt' }, stage.as(ann))
  const everywhere = [`live.user.${ann.id}`, `live.user.${fan.id}`, 'live.public.local', tag('welt')].sort()
  expect(await hearing(id, 'status.update')).toEqual(everywhere)
  await call(statuses.deleteStatus, { id }, stage.as(ann))
  expect(await hearing(id, 'delete')).toEqual(everywhere)
})

test('A042 a removal is told only where the status was', async () => {
  await stage.home(fan)
  const { id } = await stage.post(ann, { status: '@away psst', visibility: 'direct' })
  await stage.cluster.settle()
  await stage.present(away)
  await call(statuses.deleteStatus, { id }, stage.as(ann))
  expect(await hearing(id, 'delete')).toEqual([`live.user.${ann.id}`, `live.user.${away.id}`].sort())
})

test('a list hears what its owner put into it', async () => {
  const list = stage.world.list(fan, [ann])
  const { id } = await stage.post(ann, { status: 'listed', visibility: 'unlisted' })
  expect(await hearing(id, 'update')).toContain(`live.list.${list.id}`)
  stage.world.lists.delete(list.id)
})

test('muted authors are not told of, and repeated boosts only once', async () => {
  const friend = stage.world.person('friend')
  stage.world.follow(fan, friend)
  await stage.home(fan)
  const original = await stage.post(stage.world.person('stranger'), 'original')
  const first = await call(statuses.addReblog, { id: original.id }, stage.as(ann))
  expect(await hearing(first.id, 'update')).toContain(`live.user.${fan.id}`)
  const second = await call(statuses.addReblog, { id: original.id }, stage.as(friend))
  expect(await hearing(second.id, 'update')).not.toContain(`live.user.${fan.id}`)
  stage.world.mute(fan, ann)
  const { id } = await stage.post(ann, 'unheard')
  expect(await hearing(id, 'update')).not.toContain(`live.user.${fan.id}`)
})

test('the preview of a link comes after the status, and whoever looks at it is told', async () => {
  const [writer, reader] = [stage.world.person('writer'), stage.world.person('reader')]
  stage.world.follow(reader, writer)
  for (const one of [writer, reader]) await stage.present(one)
  const { id, card } = await stage.post(writer, `look: ${site.origin}/story`)
  expect(card).toBeNull()
  expect(await hearing(id, 'status.update')).toEqual(
    [`live.user.${writer.id}`, `live.user.${reader.id}`, 'live.public.local'].sort(),
  )
  expect((await stage.home(reader)).find((one) => one.id === id)?.card).toMatchObject({ title: 'A story' })
  const old = await stage.post(writer, 'no link')
  expect(await hearing(old.id, 'status.update')).toEqual([])
})
