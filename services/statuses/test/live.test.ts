/** Messages to open connections: only ids, only to accounts that have the status in a feed. */

import { liveListener } from '@murmuration/testkit'
import { serve } from '@murmuration/testkit/outside/web-server'
import { normaliseTag } from '@murmuration/text'
import { tagToken } from '@murmuration/text/tag-token'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

const heard: { subject: string; e: string; id: string; to?: string }[] = []
/** Records the messages that streaming nodes receive. */
const listener = liveListener<{ e: string; id: string; to?: string }>('live.>', (message, subject) => {
  heard.push({ subject, ...message })
})

let harness: Harness
let ann: FakeAccount
let fan: FakeAccount
let away: FakeAccount
let site: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  harness = await startHarness({ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' }, [listener])
  site = await serve(() => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<html><head><title>A story</title></head></html>',
  }))
  ann = harness.fakes.fakeAccount('ann')
  fan = harness.fakes.fakeAccount('fan')
  away = harness.fakes.fakeAccount('away')
  for (const one of [fan, away]) harness.fakes.follow(one, ann)
  for (const one of [ann, fan]) await harness.present(one)
})
afterAll(async () => {
  await harness.stop()
  await site.close()
})
beforeEach(() => {
  heard.length = 0
})

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const tag = (name: string) => `live.tag.${Buffer.from(name).toString('base64url')}`
/** Recipients of messages about a status, after everything was processed. */
const hearing = async (id: string, e: string): Promise<string[]> => {
  await harness.cluster.waitForIdle()
  return heard
    .filter((one) => one.id === id && one.e === e)
    .map((one) => one.subject)
    .sort()
}

test('only an account with a connection in the last minutes is listening', async () => {
  const [now, earlier, never] = ['now', 'earlier', 'never'].map((name) => harness.fakes.fakeAccount(name)) as [
    FakeAccount,
    FakeAccount,
    FakeAccount,
  ]
  await harness.present(now, 17 * 60_000)
  await harness.present(earlier, 19 * 60_000)
  const accounts = [now.id, earlier.id, never.id]
  expect(await harness.cluster.call(statuses.listeningAccounts, { accounts })).toEqual({ listening: [now.id] })
})

test('a public status is sent to its author, present followers, its hashtags and the public stream', async () => {
  // After a response of Redis that took longer than its limit, all followers are informed.
  const recipients = async () => hearing((await harness.post(ann, 'hello #Welt')).id, 'update')
  await expect
    .poll(recipients)
    .toEqual([`live.user.${ann.id}`, `live.user.${fan.id}`, 'live.public.local', tag('welt')].sort())
})

test('after Redis lost its data, all accounts with the status in a feed are informed until presence is known again', async () => {
  const published = async () => {
    const { id } = await harness.post(ann, { status: 'once more', visibility: 'unlisted' })
    return hearing(id, 'update')
  }
  const all = [ann, fan, away].map((one) => `live.user.${one.id}`).sort()
  await harness.wipeRedis()
  expect(await published()).toEqual(all)
  // One streaming process has noticed the loss; others may not have.
  await harness.presenceKept(5_000)
  for (const one of [ann, fan]) await harness.present(one)
  expect(await published()).toEqual(all)
  await harness.presenceKept(20_000)
  expect(await published()).toEqual([ann, fan].map((one) => `live.user.${one.id}`).sort())
})

test('after Redis lost its data, followers of a hashtag are informed of a deletion', async () => {
  const reader = harness.fakes.fakeAccount('reader-by-tag')
  await call(statuses.followTag, { name: 'storm' }, harness.as(reader))
  await harness.home(reader)
  await harness.present(reader)
  const { id } = await harness.post(ann, 'much #storm')
  expect(await hearing(id, 'update')).toContain(`live.user.${reader.id}`)
  await harness.wipeRedis()
  await harness.presenceKept()
  await harness.present(reader)
  await call(statuses.deleteStatus, { id }, harness.as(ann))
  expect(await hearing(id, 'delete')).toContain(`live.user.${reader.id}`)
})

test.each(['present', 'missing'])(
  'edits are sent to the stream `user` of a mentioned account whose feed is %s',
  async (feed) => {
    const named = harness.fakes.fakeAccount(`named-${feed}`)
    await harness.home(named)
    const { id } = await harness.post(ann, `first @named-${feed}`)
    await harness.cluster.waitForIdle()
    if (feed === 'missing') await harness.wipeRedis()
    await harness.presenceKept()
    await harness.present(named)
    await call(statuses.editStatus, { id, status: `second @named-${feed}` }, harness.as(ann))
    await harness.cluster.waitForIdle()
    const sent = heard.filter(
      (one) => one.id === id && one.subject === `live.user.${named.id}` && one.e === 'status.update',
    )
    expect(sent.map((one) => one.to)).toEqual(['both'])
  },
)

test('after Redis lost its data, a mentioned follower receives an edit once in the stream `user`', async () => {
  const { id } = await harness.post(ann, 'first @fan')
  await harness.cluster.waitForIdle()
  await harness.wipeRedis()
  await harness.presenceKept()
  for (const one of [ann, fan]) await harness.present(one)
  await call(statuses.editStatus, { id, status: 'second @fan' }, harness.as(ann))
  await harness.cluster.waitForIdle()
  const sent = heard.filter(
    (one) => one.id === id && one.subject === `live.user.${fan.id}` && one.e === 'status.update',
  )
  expect(sent.map((one) => one.to)).toEqual([undefined, 'notification'])
})

test('a hashtag that becomes very long does not end the bus connection', async () => {
  const name = '\ufdfa'.repeat(400)
  const { id } = await harness.post(ann, `peace #${name}`)
  expect(await hearing(id, 'update')).toContain(`live.tag.${tagToken(normaliseTag(name))}`)
  const next = await harness.post(ann, 'afterwards #Welt')
  expect(await hearing(next.id, 'update')).toContain(tag('welt'))
})

test('A042 A076 a status that is not public is sent only to accounts that have it in a feed', async () => {
  for (const visibility of ['unlisted', 'private']) {
    const { id } = await harness.post(ann, { status: 'quiet #Welt', visibility })
    expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`, `live.user.${fan.id}`].sort())
  }
  const { id } = await harness.post(ann, { status: 'direct #Welt', visibility: 'direct' })
  expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`])
})

test('replies to others are not in the public stream, but in hashtag streams', async () => {
  const other = await harness.post(harness.fakes.fakeAccount('other'), 'root')
  const { id } = await harness.post(ann, { status: '#Welt', in_reply_to_id: other.id })
  expect(await hearing(id, 'update')).toEqual([`live.user.${ann.id}`, tag('welt')].sort())
})

test('edits and deletions are sent to the streams that received the status', async () => {
  const { id } = await harness.post(ann, 'first #Welt')
  await call(statuses.editStatus, { id, status: 'second #Welt' }, harness.as(ann))
  const everywhere = [`live.user.${ann.id}`, `live.user.${fan.id}`, 'live.public.local', tag('welt')].sort()
  expect(await hearing(id, 'status.update')).toEqual(everywhere)
  await call(statuses.deleteStatus, { id }, harness.as(ann))
  expect(await hearing(id, 'delete')).toEqual(everywhere)
})

test('A042 a deletion is sent only to the streams that received the status', async () => {
  await harness.home(fan)
  const { id } = await harness.post(ann, { status: '@away psst', visibility: 'direct' })
  await harness.cluster.waitForIdle()
  await harness.present(away)
  await call(statuses.deleteStatus, { id }, harness.as(ann))
  expect(await hearing(id, 'delete')).toEqual([`live.user.${ann.id}`, `live.user.${away.id}`].sort())
})

test('the stream of a list receives the statuses of its members', async () => {
  const list = harness.fakes.list(fan, [ann])
  const { id } = await harness.post(ann, { status: 'listed', visibility: 'unlisted' })
  expect(await hearing(id, 'update')).toContain(`live.list.${list.id}`)
  harness.fakes.lists.delete(list.id)
})

test('statuses of muted authors are not sent, and repeated boosts are sent once', async () => {
  const friend = harness.fakes.fakeAccount('friend')
  harness.fakes.follow(fan, friend)
  await harness.home(fan)
  const original = await harness.post(harness.fakes.fakeAccount('unrelated'), 'original')
  const first = await call(statuses.addReblog, { id: original.id }, harness.as(ann))
  expect(await hearing(first.id, 'update')).toContain(`live.user.${fan.id}`)
  const second = await call(statuses.addReblog, { id: original.id }, harness.as(friend))
  expect(await hearing(second.id, 'update')).not.toContain(`live.user.${fan.id}`)
  harness.fakes.mute(fan, ann)
  const { id } = await harness.post(ann, 'unheard')
  expect(await hearing(id, 'update')).not.toContain(`live.user.${fan.id}`)
})

describe('a status that is in a feed before its fan-out', () => {
  const contextOf = (service: string) => {
    const found = harness.cluster.host.running.find((one) => one.service === service)
    if (!found) throw new Error(`${service} does not run`)
    return found.ctx
  }
  /** Lets the fan-out of statuses of this author wait until the returned function is called. */
  const holdFanOut = (author: FakeAccount): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reach = vi
      .spyOn(contextOf('statuses').faults, 'reach')
      .mockImplementation((point, id) => (point === 'fanout.status' && id === author.id ? promise : undefined))
    onTestFinished(() => {
      resolve()
      reach.mockRestore()
    })
    return resolve
  }
  const repeatFanOut = async (id: string): Promise<void> => {
    const { db, queue } = contextOf('statuses')
    await db.tx((tx) => queue(tx, statuses.fanOut, { status: id }))
  }
  const pair = async (name: string) => {
    const [writer, reader] = [harness.fakes.fakeAccount(`${name}-writer`), harness.fakes.fakeAccount(`${name}-reader`)]
    await harness.present(reader)
    return { writer, reader }
  }
  const homeIds = async (reader: FakeAccount) =>
    (await call(statuses.homeTimeline, {}, harness.as(reader))).map((one) => one.id)
  const listIds = async (reader: FakeAccount, id: string) =>
    (await call(statuses.listTimeline, { id }, harness.as(reader))).map((one) => one.id)

  test.each(['home', 'list'] as const)('is sent once, if a rebuild added it to the feed: %s', async (kind) => {
    const { writer, reader } = await pair(`rebuilt-${kind}`)
    harness.fakes.follow(reader, writer)
    const list = harness.fakes.list(reader, [writer])
    const subject = kind === 'home' ? `live.user.${reader.id}` : `live.list.${list.id}`
    const read = () => (kind === 'home' ? homeIds(reader) : listIds(reader, list.id))
    const release = holdFanOut(writer)
    const { id } = await harness.post(writer, 'committed, and not fanned out')
    expect(await read()).toEqual([id])
    release()
    expect(await hearing(id, 'update')).toContain(subject)
    heard.length = 0
    await repeatFanOut(id)
    expect(await hearing(id, 'update')).not.toContain(subject)
    harness.fakes.lists.delete(list.id)
  })

  test('is sent once, if a new follow added it to the feed', async () => {
    const { writer, reader } = await pair('followed')
    const own = await harness.post(reader, 'first')
    await harness.cluster.waitForIdle()
    expect(await homeIds(reader)).toEqual([own.id])
    const release = holdFanOut(writer)
    const { id } = await harness.post(writer, 'committed, and not fanned out')
    harness.fakes.follow(reader, writer)
    const { db, announce } = contextOf('accounts')
    const follow = {
      id: '1',
      from: reader.id,
      to: writer.id,
      fromLocal: true,
      toLocal: true,
      uri: null,
      accepted: false,
    }
    await db.tx((tx) => announce(tx, accounts.followCreated, follow))
    await expect.poll(() => homeIds(reader)).toEqual([id, own.id])
    release()
    expect(await hearing(id, 'update')).toContain(`live.user.${reader.id}`)
    heard.length = 0
    await repeatFanOut(id)
    expect(await hearing(id, 'update')).not.toContain(`live.user.${reader.id}`)
  })
})

test('a preview card is added after the status, and its readers are informed', async () => {
  const [writer, reader] = [harness.fakes.fakeAccount('writer'), harness.fakes.fakeAccount('reader')]
  harness.fakes.follow(reader, writer)
  for (const one of [writer, reader]) await harness.present(one)
  const { id, card } = await harness.post(writer, `look: ${site.origin}/story`)
  expect(card).toBeNull()
  expect(await hearing(id, 'status.update')).toEqual(
    [`live.user.${writer.id}`, `live.user.${reader.id}`, 'live.public.local'].sort(),
  )
  expect((await harness.home(reader)).find((one) => one.id === id)?.card).toMatchObject({ title: 'A story' })
  const old = await harness.post(writer, 'no link')
  expect(await hearing(old.id, 'status.update')).toEqual([])
})

test('a poll of a quoted status is rendered with the votes of each listener', async () => {
  const [voter, other] = [harness.fakes.fakeAccount('voter'), harness.fakes.fakeAccount('other')]
  const asked = await harness.post(ann, { status: 'Which?', poll: { options: ['a', 'b'], expires_in: 3_600 } })
  await call(statuses.vote, { id: asked.poll?.id ?? '', choices: [1] }, harness.as(voter))
  const quoting = await harness.post(ann, { status: 'Please vote', quoted_status_id: asked.id })
  const listeners = [voter.id, other.id]
  const grants = listeners.map(harness.cluster.grant)
  const votes = async (id: string) => {
    const rendering = { id, listeners, grants, surface: 'user' } as const
    const { card, tails, tailOf } = await call(statuses.renderForListeners, rendering)
    const seen = tailOf.map((at) => JSON.parse(`${card}${tails[at]}`))
    return seen.map((one) => (one.quote?.quoted_status ?? one).poll).map((poll) => [poll.voted, poll.own_votes])
  }
  for (const id of [asked.id, quoting.id])
    expect(await votes(id)).toEqual([
      [true, [1]],
      [false, []],
    ])
})
