/** Favourites, boosts, bookmarks and pins: permissions, counters, and results of concurrent requests. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raise, type Stage, statuses } from './cast.js'
import type { Person } from './neighbours/world.js'

let stage: Stage
let ann: Person
let bob: Person
let cat: Person
beforeAll(async () => {
  stage = await raise()
  ann = stage.world.person('ann')
  bob = stage.world.person('bob')
  cat = stage.world.person('cat')
})
afterAll(() => stage.stop())

const call = ((...given) => stage.cluster.call(...given)) as Stage['cluster']['call']
const show = (id: string, who: Person) => call(statuses.showStatus, { id }, stage.as(who))

describe('S-015 favourites', () => {
  test('S-015 a favourite can be added and removed, and repeating either has no effect', async () => {
    const { id } = await stage.post(ann, 'hi')
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.addFavourite, { id }, stage.as(bob))).toMatchObject({
        favourited: true,
        favourites_count: 1,
      })
    expect(await show(id, ann)).toMatchObject({ favourited: false, favourites_count: 1 })
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.removeFavourite, { id }, stage.as(bob))).toMatchObject({
        favourited: false,
        favourites_count: 0,
      })
  })
  test('a favourite of a boost counts for the original', async () => {
    const original = await stage.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id: original.id }, stage.as(bob))
    expect(await call(statuses.addFavourite, { id: boost.id }, stage.as(cat))).toMatchObject({
      id: boost.id,
      favourited: true,
      reblog: { id: original.id, favourited: true, favourites_count: 1 },
    })
  })
  test("a favourite of a blocked author's status is refused", async () => {
    const foe = stage.world.person('foe')
    const { id } = await stage.post(foe, 'hi')
    stage.world.block(bob, foe)
    await expect(call(statuses.addFavourite, { id }, stage.as(bob))).rejects.toMatchObject({
      status: 403,
      message: 'This action is not allowed',
    })
  })
  test('S-108 a favourite can be removed after access was lost; S-109 nothing else is revealed', async () => {
    const eve = stage.world.person('eve')
    const { id } = await stage.post(eve, 'hi')
    await call(statuses.addFavourite, { id }, stage.as(bob))
    await call(statuses.addBookmark, { id }, stage.as(bob))
    await call(statuses.addReblog, { id }, stage.as(bob))
    stage.world.block(eve, bob)
    await expect(show(id, bob)).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.removeFavourite, { id }, stage.as(bob))).toMatchObject({
      favourited: false,
      favourites_count: 0,
    })
    expect(await call(statuses.removeBookmark, { id }, stage.as(bob))).toMatchObject({ bookmarked: false })
    expect(await call(statuses.removeReblog, { id }, stage.as(bob))).toMatchObject({
      reblogged: false,
      reblogs_count: 0,
    })
    for (const operation of [statuses.removeFavourite, statuses.removeBookmark, statuses.removeReblog])
      await expect(call(operation, { id }, stage.as(bob))).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  })
  test('favourites are listed in their own order, with exact links', async () => {
    const dan = stage.world.person('dan')
    const ids: string[] = []
    for (const text of ['1', '2', '3']) ids.push((await stage.post(ann, text)).id)
    for (const id of [ids[1], ids[2], ids[0]]) await call(statuses.addFavourite, { id: id ?? '' }, stage.as(dan))
    const page = async (input: Record<string, unknown>) => {
      const answer = await stage.cluster.ask(statuses.listFavourites, input as never, stage.as(dan))
      const list = JSON.parse(new TextDecoder().decode(answer.bytes)) as { id: string }[]
      return { ids: list.map((one) => ids.indexOf(one.id) + 1), next: answer.meta.next, prev: answer.meta.prev }
    }
    const first = await page({ limit: 2 })
    expect(first.ids).toEqual([1, 3])
    expect(Object.keys(first.next ?? {})).toEqual(['max_id'])
    expect(Object.keys(first.prev ?? {})).toEqual(['min_id'])
    const second = await page({ limit: 2, ...first.next })
    expect(second).toMatchObject({ ids: [2], next: null })
    expect((await page({ limit: 2, ...second.prev })).ids).toEqual([1, 3])
    expect(await page({ limit: 2, max_id: '1' })).toEqual({ ids: [], next: null, prev: null })
    const { id } = await call(statuses.showStatus, { id: ids[0] ?? '' }, stage.as(dan))
    const people = await call(statuses.listFavouriters, { id })
    expect(people.map((one) => one.id)).toEqual([dan.id])
  })
})

describe('boosts', () => {
  test('a boost contains the original with its viewer state', async () => {
    const original = await stage.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id: original.id }, stage.as(bob))
    expect(boost).toMatchObject({
      content: '',
      account: { id: bob.id },
      reblogged: true,
      reblog: { id: original.id, content: '<p>hi</p>', reblogged: true, reblogs_count: 1, account: { id: ann.id } },
      visibility: 'public',
      uri: `${bob.uri}/statuses/${boost.id}/activity`,
    })
    const again = await stage.cluster.ask(statuses.addReblog, { id: original.id }, stage.as(bob))
    expect(JSON.parse(new TextDecoder().decode(again.bytes)).id).toBe(boost.id)
    const ofBoost = await call(statuses.addReblog, { id: boost.id }, stage.as(cat))
    expect(ofBoost.reblog?.id).toBe(original.id)
    expect((await show(original.id, ann)).reblogs_count).toBe(2)
    const people = await call(statuses.listBoosters, { id: original.id })
    expect(people.map((one) => one.id)).toEqual([cat.id, bob.id])
    expect(await call(statuses.removeReblog, { id: original.id }, stage.as(bob))).toMatchObject({
      id: original.id,
      reblogged: false,
      reblogs_count: 1,
    })
  })
  test('private statuses can be boosted only by their author, and direct ones not at all', async () => {
    stage.world.follow(bob, ann)
    const secret = await stage.post(ann, { status: 'followers', visibility: 'private' })
    const direct = await stage.post(ann, { status: '@bob hi', visibility: 'direct' })
    const notAllowed = { status: 403, message: 'This action is not allowed' }
    await expect(call(statuses.addReblog, { id: secret.id }, stage.as(bob))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: direct.id }, stage.as(bob))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: direct.id }, stage.as(ann))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: secret.id }, stage.as(cat))).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.addReblog, { id: secret.id, visibility: 'public' }, stage.as(ann))).toMatchObject({
      visibility: 'private',
    })
  })
  test('a boost has the requested visibility; direct and unknown ones are refused', async () => {
    const { id } = await stage.post(ann, 'hi')
    await expect(call(statuses.addReblog, { id, visibility: 'direct' }, stage.as(bob))).rejects.toMatchObject({
      status: 422,
    })
    expect((await call(statuses.addReblog, { id, visibility: 'private' }, stage.as(bob))).visibility).toBe('private')
    expect(await call(statuses.listBoosters, { id })).toEqual([])
  })
  test('deleting the original deletes its boosts', async () => {
    const { id } = await stage.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id }, stage.as(bob))
    await call(statuses.deleteStatus, { id }, stage.as(ann))
    await expect(show(boost.id, bob)).rejects.toMatchObject({ status: 404 })
    await stage.cluster.settle()
    const row = await stage.cluster
      .db('statuses')
      .row<{ gone: boolean }>(sql`select deleted_at is not null as gone from statuses where id = ${boost.id}`)
    expect(row?.gone).toBe(true)
  })
})

describe('bookmarks', () => {
  test('a bookmark is a private mark on any visible status', async () => {
    const direct = await stage.post(ann, { status: '@bob hi', visibility: 'direct' })
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.addBookmark, { id: direct.id }, stage.as(bob))).toMatchObject({ bookmarked: true })
    expect((await call(statuses.listBookmarks, {}, stage.as(bob))).map((one) => one.id)).toEqual([direct.id])
    expect((await show(direct.id, ann)).bookmarked).toBe(false)
    await expect(call(statuses.addBookmark, { id: direct.id }, stage.as(cat))).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.removeBookmark, { id: direct.id }, stage.as(bob))).toMatchObject({ bookmarked: false })
    expect(await call(statuses.listBookmarks, {}, stage.as(bob))).toEqual([])
  })
})

describe('pins', () => {
  test('S-011 S-204 an account has at most five pins, private ones included, and a deleted status frees its pin (S-081)', async () => {
    const dan = stage.world.person('pinner')
    const ids: string[] = []
    for (let i = 0; i < 6; i++)
      ids.push((await stage.post(dan, { status: `${i}`, visibility: i ? 'public' : 'private' })).id)
    for (const id of ids.slice(0, 5))
      expect(await call(statuses.addPin, { id }, stage.as(dan))).toMatchObject({ pinned: true })
    const last = ids[5] ?? ''
    await expect(call(statuses.addPin, { id: last }, stage.as(dan))).rejects.toMatchObject({
      message: 'Validation failed: You have already pinned the maximum number of posts',
    })
    await expect(call(statuses.addPin, { id: ids[1] ?? '' }, stage.as(dan))).rejects.toMatchObject({
      message: 'Duplicate record',
    })
    await call(statuses.deleteStatus, { id: ids[1] ?? '' }, stage.as(dan))
    await call(statuses.addPin, { id: last }, stage.as(dan))
    const pinned = await call(statuses.accountTimeline, { id: dan.id, pinned: true }, stage.as(dan))
    expect(pinned.map((one) => ids.indexOf(one.id))).toEqual([5, 4, 3, 2, 0])
    expect((await call(statuses.accountTimeline, { id: dan.id, pinned: true })).length).toBe(4)
    expect(await call(statuses.removePin, { id: last }, stage.as(dan))).toMatchObject({ pinned: false })
    const told = await stage.cluster.db('statuses').rows<{ subject: string; status: string }>(sql`
      select subject, data::jsonb->>'status' as status from outbox
      where data::jsonb->>'account' = ${dan.id} and subject like 'evt.statuses.status.%pinned' order by id`)
    expect(told).toEqual([
      ...ids.map((status) => ({ subject: statuses.statusPinned.subject, status })),
      { subject: statuses.statusUnpinned.subject, status: last },
    ])
  })
  test('statuses of others, direct ones and boosts cannot be pinned', async () => {
    const { id } = await stage.post(ann, 'hi')
    const direct = await stage.post(bob, { status: 'x', visibility: 'direct' })
    const boost = await call(statuses.addReblog, { id }, stage.as(bob))
    for (const one of [id, direct.id, boost.id])
      await expect(call(statuses.addPin, { id: one }, stage.as(bob))).rejects.toMatchObject({ status: 422 })
  })
})

describe('concurrent requests', () => {
  const stats = (id: string) =>
    stage.cluster
      .db('statuses')
      .row<{ favourites: number; reblogs: number; replies: number }>(
        sql`select favourites, reblogs, replies from status_stats where status_id = ${id}`,
      )
  test('F058 fifty concurrent favourites, boosts and bookmarks are stored once each', async () => {
    const { id } = await stage.post(ann, 'race')
    const fifty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, work))
    await fifty(() => call(statuses.addFavourite, { id }, stage.as(bob)))
    const boosts = await fifty(() => call(statuses.addReblog, { id }, stage.as(bob)))
    await fifty(() => call(statuses.addBookmark, { id }, stage.as(bob)))
    expect(new Set(boosts.map((one) => one.id)).size).toBe(1)
    expect(await stats(id)).toEqual({ favourites: 1, reblogs: 1, replies: 0 })
    const told = await stage.cluster
      .db('statuses')
      .row<{ n: number }>(
        sql`select count(*)::int as n from outbox where subject = 'evt.statuses.favourite.created' and data like ${`%"${id}"%`}`,
      )
    expect(told?.n).toBe(1)
  })
  test('F061 nothing refers to a status that was deleted at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await stage.post(ann, 'soon gone')
      await Promise.allSettled([
        call(statuses.deleteStatus, { id }, stage.as(ann)),
        call(statuses.addReblog, { id }, stage.as(bob)),
        call(statuses.addFavourite, { id }, stage.as(bob)),
        stage.post(cat, { status: 'reply', in_reply_to_id: id }),
      ])
      await stage.cluster.settle()
      const left = await stage.cluster.db('statuses').row<{ boosts: number; alive: number }>(sql`select
        (select count(*)::int from reblogs where status_id = ${id}) as boosts,
        (select count(*)::int from statuses where reblog_of_id = ${id} and deleted_at is null) as alive`)
      expect(left).toEqual({ boosts: 0, alive: 0 })
    }
  })
  test('I5 counters equal the rows afterwards', async () => {
    const wrong = await stage.cluster.db('statuses').rows(sql`select c.status_id from status_stats c
      join statuses s on s.id = c.status_id and s.deleted_at is null
      where c.favourites <> (select count(*) from favourites f where f.status_id = c.status_id)
        or c.reblogs <> (select count(*) from reblogs r where r.status_id = c.status_id)
        or c.replies <> (select count(*) from replies r join statuses k on k.id = r.child_id
          where r.parent_id = c.status_id and k.deleted_at is null and k.visibility <= 1)`)
    expect(wrong).toEqual([])
  })
})
