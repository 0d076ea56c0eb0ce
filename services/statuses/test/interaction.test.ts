/** Favourites, boosts, bookmarks and pins: permissions, counters, and results of concurrent requests. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let cat: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  cat = harness.fakes.fakeAccount('cat')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const show = (id: string, who: FakeAccount) => call(statuses.showStatus, { id }, harness.as(who))

describe('S-015 favourites', () => {
  test('S-015 a favourite can be added and removed, and repeating either has no effect', async () => {
    const { id } = await harness.post(ann, 'hi')
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.addFavourite, { id }, harness.as(bob))).toMatchObject({
        favourited: true,
        favourites_count: 1,
      })
    expect(await show(id, ann)).toMatchObject({ favourited: false, favourites_count: 1 })
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.removeFavourite, { id }, harness.as(bob))).toMatchObject({
        favourited: false,
        favourites_count: 0,
      })
  })
  test('a favourite of a boost counts for the original', async () => {
    const original = await harness.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
    expect(await call(statuses.addFavourite, { id: boost.id }, harness.as(cat))).toMatchObject({
      id: boost.id,
      favourited: true,
      reblog: { id: original.id, favourited: true, favourites_count: 1 },
    })
  })
  test("a favourite of a blocked author's status is refused", async () => {
    const foe = harness.fakes.fakeAccount('foe')
    const { id } = await harness.post(foe, 'hi')
    harness.fakes.block(bob, foe)
    await expect(call(statuses.addFavourite, { id }, harness.as(bob))).rejects.toMatchObject({
      status: 403,
      message: 'This action is not allowed',
    })
  })
  test('S-108 a favourite can be removed after access was lost; S-109 nothing else is revealed', async () => {
    const eve = harness.fakes.fakeAccount('eve')
    const { id } = await harness.post(eve, 'hi')
    await call(statuses.addFavourite, { id }, harness.as(bob))
    await call(statuses.addBookmark, { id }, harness.as(bob))
    await call(statuses.addReblog, { id }, harness.as(bob))
    harness.fakes.block(eve, bob)
    await expect(show(id, bob)).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.removeFavourite, { id }, harness.as(bob))).toMatchObject({
      favourited: false,
      favourites_count: 0,
    })
    expect(await call(statuses.removeBookmark, { id }, harness.as(bob))).toMatchObject({ bookmarked: false })
    expect(await call(statuses.removeReblog, { id }, harness.as(bob))).toMatchObject({
      reblogged: false,
      reblogs_count: 0,
    })
    for (const operation of [statuses.removeFavourite, statuses.removeBookmark, statuses.removeReblog])
      await expect(call(operation, { id }, harness.as(bob))).rejects.toMatchObject({
        status: 404,
        message: 'Not Found',
      })
  })
  test('S-015 favourites are listed in their own order, with exact links', async () => {
    const dan = harness.fakes.fakeAccount('dan')
    const ids: string[] = []
    for (const text of ['1', '2', '3']) ids.push((await harness.post(ann, text)).id)
    for (const id of [ids[1], ids[2], ids[0]]) await call(statuses.addFavourite, { id: id ?? '' }, harness.as(dan))
    const page = async (input: Record<string, unknown>) => {
      const answer = await harness.cluster.request(statuses.listFavourites, input as never, harness.as(dan))
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
    const { id } = await call(statuses.showStatus, { id: ids[0] ?? '' }, harness.as(dan))
    const fakeAccounts = await call(statuses.listFavouriters, { id })
    expect(fakeAccounts.map((one) => one.id)).toEqual([dan.id])
  })
})

describe('boosts', () => {
  test('S-015 a boost contains the original with its viewer state', async () => {
    const original = await harness.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bob))
    expect(boost).toMatchObject({
      content: '',
      account: { id: bob.id },
      reblogged: true,
      reblog: { id: original.id, content: '<p>hi</p>', reblogged: true, reblogs_count: 1, account: { id: ann.id } },
      visibility: 'public',
      uri: `${bob.uri}/statuses/${boost.id}/activity`,
    })
    const again = await harness.cluster.request(statuses.addReblog, { id: original.id }, harness.as(bob))
    expect(JSON.parse(new TextDecoder().decode(again.bytes)).id).toBe(boost.id)
    const ofBoost = await call(statuses.addReblog, { id: boost.id }, harness.as(cat))
    expect(ofBoost.reblog?.id).toBe(original.id)
    expect((await show(original.id, ann)).reblogs_count).toBe(2)
    const fakeAccounts = await call(statuses.listBoosters, { id: original.id })
    expect(fakeAccounts.map((one) => one.id)).toEqual([cat.id, bob.id])
    expect(await call(statuses.removeReblog, { id: original.id }, harness.as(bob))).toMatchObject({
      id: original.id,
      reblogged: false,
      reblogs_count: 1,
    })
  })
  test('private statuses can be boosted only by their author, and direct ones not at all', async () => {
    harness.fakes.follow(bob, ann)
    const secret = await harness.post(ann, { status: 'followers', visibility: 'private' })
    const direct = await harness.post(ann, { status: '@bob hi', visibility: 'direct' })
    const notAllowed = { status: 403, message: 'This action is not allowed' }
    await expect(call(statuses.addReblog, { id: secret.id }, harness.as(bob))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: direct.id }, harness.as(bob))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: direct.id }, harness.as(ann))).rejects.toMatchObject(notAllowed)
    await expect(call(statuses.addReblog, { id: secret.id }, harness.as(cat))).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.addReblog, { id: secret.id, visibility: 'public' }, harness.as(ann))).toMatchObject({
      visibility: 'private',
    })
  })
  test('a boost has the requested visibility; direct and unknown ones are refused', async () => {
    const { id } = await harness.post(ann, 'hi')
    await expect(call(statuses.addReblog, { id, visibility: 'direct' }, harness.as(bob))).rejects.toMatchObject({
      status: 422,
    })
    expect((await call(statuses.addReblog, { id, visibility: 'private' }, harness.as(bob))).visibility).toBe('private')
    expect(await call(statuses.listBoosters, { id })).toEqual([])
  })
  test('deleting the original deletes its boosts', async () => {
    const { id } = await harness.post(ann, 'hi')
    const boost = await call(statuses.addReblog, { id }, harness.as(bob))
    await call(statuses.deleteStatus, { id }, harness.as(ann))
    await expect(show(boost.id, bob)).rejects.toMatchObject({ status: 404 })
    await harness.cluster.waitForIdle()
    const row = await harness.cluster
      .db('statuses')
      .row<{ gone: boolean }>(sql`select deleted_at is not null as gone from statuses where id = ${boost.id}`)
    expect(row?.gone).toBe(true)
  })
})

describe('bookmarks', () => {
  test('S-015 a bookmark is a private mark on any visible status', async () => {
    const direct = await harness.post(ann, { status: '@bob hi', visibility: 'direct' })
    for (let i = 0; i < 2; i++)
      expect(await call(statuses.addBookmark, { id: direct.id }, harness.as(bob))).toMatchObject({ bookmarked: true })
    expect((await call(statuses.listBookmarks, {}, harness.as(bob))).map((one) => one.id)).toEqual([direct.id])
    expect((await show(direct.id, ann)).bookmarked).toBe(false)
    await expect(call(statuses.addBookmark, { id: direct.id }, harness.as(cat))).rejects.toMatchObject({ status: 404 })
    expect(await call(statuses.removeBookmark, { id: direct.id }, harness.as(bob))).toMatchObject({ bookmarked: false })
    expect(await call(statuses.listBookmarks, {}, harness.as(bob))).toEqual([])
  })
})

describe('pins', () => {
  test('S-011 S-081 S-204 an account has at most five pins, private ones included, and a deleted status frees its pin', async () => {
    const dan = harness.fakes.fakeAccount('pinner')
    const ids: string[] = []
    for (let i = 0; i < 6; i++)
      ids.push((await harness.post(dan, { status: `${i}`, visibility: i ? 'public' : 'private' })).id)
    for (const id of ids.slice(0, 5))
      expect(await call(statuses.addPin, { id }, harness.as(dan))).toMatchObject({ pinned: true })
    const last = ids[5] ?? ''
    await expect(call(statuses.addPin, { id: last }, harness.as(dan))).rejects.toMatchObject({
      message: 'Validation failed: You have already pinned the maximum number of posts',
    })
    await expect(call(statuses.addPin, { id: ids[1] ?? '' }, harness.as(dan))).rejects.toMatchObject({
      message: 'Duplicate record',
    })
    await call(statuses.deleteStatus, { id: ids[1] ?? '' }, harness.as(dan))
    await call(statuses.addPin, { id: last }, harness.as(dan))
    const pinned = await call(statuses.accountTimeline, { id: dan.id, pinned: true }, harness.as(dan))
    expect(pinned.map((one) => ids.indexOf(one.id))).toEqual([5, 4, 3, 2, 0])
    expect((await call(statuses.accountTimeline, { id: dan.id, pinned: true })).length).toBe(4)
    expect(await call(statuses.removePin, { id: last }, harness.as(dan))).toMatchObject({ pinned: false })
    const announced = await harness.cluster.db('statuses').rows<{ subject: string; status: string }>(sql`
      select subject, data::jsonb->>'status' as status from outbox
      where data::jsonb->>'account' = ${dan.id} and subject like 'evt.statuses.status.%pinned' order by id`)
    expect(announced).toEqual([
      ...ids.map((status) => ({ subject: statuses.statusPinned.subject, status })),
      { subject: statuses.statusUnpinned.subject, status: last },
    ])
  })
  test('S-011 statuses of others, direct ones and boosts cannot be pinned', async () => {
    const { id } = await harness.post(ann, 'hi')
    const direct = await harness.post(bob, { status: 'x', visibility: 'direct' })
    const boost = await call(statuses.addReblog, { id }, harness.as(bob))
    for (const one of [id, direct.id, boost.id])
      await expect(call(statuses.addPin, { id: one }, harness.as(bob))).rejects.toMatchObject({ status: 422 })
  })
})

describe('concurrent requests', () => {
  const stats = (id: string) =>
    harness.cluster
      .db('statuses')
      .row<{ favourites: number; reblogs: number; replies: number }>(
        sql`select favourites, reblogs, replies from status_stats where status_id = ${id}`,
      )
  test('F058 fifty concurrent favourites, boosts and bookmarks are stored once each', async () => {
    const { id } = await harness.post(ann, 'race')
    const fifty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, work))
    await fifty(() => call(statuses.addFavourite, { id }, harness.as(bob)))
    const boosts = await fifty(() => call(statuses.addReblog, { id }, harness.as(bob)))
    await fifty(() => call(statuses.addBookmark, { id }, harness.as(bob)))
    expect(new Set(boosts.map((one) => one.id)).size).toBe(1)
    expect(await stats(id)).toEqual({ favourites: 1, reblogs: 1, replies: 0 })
    const announced = await harness.cluster
      .db('statuses')
      .row<{ n: number }>(
        sql`select count(*)::int as n from outbox where subject = 'evt.statuses.favourite.created' and data like ${`%"${id}"%`}`,
      )
    expect(announced?.n).toBe(1)
  })
  test('F061 nothing refers to a status that was deleted at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await harness.post(ann, 'soon gone')
      await Promise.allSettled([
        call(statuses.deleteStatus, { id }, harness.as(ann)),
        call(statuses.addReblog, { id }, harness.as(bob)),
        call(statuses.addFavourite, { id }, harness.as(bob)),
        harness.post(cat, { status: 'reply', in_reply_to_id: id }),
      ])
      await harness.cluster.waitForIdle()
      const left = await harness.cluster.db('statuses').row<{ boosts: number; alive: number }>(sql`select
        (select count(*)::int from reblogs where status_id = ${id}) as boosts,
        (select count(*)::int from statuses where reblog_of_id = ${id} and deleted_at is null) as alive`)
      expect(left).toEqual({ boosts: 0, alive: 0 })
    }
  })
  test('I5 counters equal the rows afterwards', async () => {
    const wrong = await harness.cluster.db('statuses').rows(sql`select c.status_id from status_stats c
      join statuses s on s.id = c.status_id and s.deleted_at is null
      where c.favourites <> (select count(*) from favourites f where f.status_id = c.status_id)
        or c.reblogs <> (select count(*) from reblogs r where r.status_id = c.status_id)
        or c.replies <> (select count(*) from replies r join statuses k on k.id = r.child_id
          where r.parent_id = c.status_id and k.deleted_at is null and k.visibility <= 1)`)
    expect(wrong).toEqual([])
  })
})
