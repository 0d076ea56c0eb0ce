/** Announcements: publication, withdrawal, dismissal, reactions, and live messages. */
import {
  createAnnouncement,
  dismissAnnouncement,
  listAnnouncements,
  reactToAnnouncement,
  removeAnnouncement,
  unreactToAnnouncement,
  updateAnnouncement,
} from '@murmuration/contracts/admin'
import { Announcement } from '@murmuration/contracts/entities'
import { liveListener } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishAnnouncements } from '../src/announcement/ticks.js'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

interface LiveMessage {
  e: string
  id?: string
  payload?: string
}

const received: LiveMessage[] = []
/** Records live messages, with the bus permissions of streaming. */
const listener = liveListener<LiveMessage>('live.everyone.*', (message) => received.push(message))

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ apps: [listener] })
})
afterAll(() => harness.cluster.stop())

const alice = () => as(who(harness, '101'))
const bob = () => as(who(harness, '102'))
const announce = (text: string, more: object = {}) =>
  harness.cluster.call(createAnnouncement, { text, ...more } as { text: string })
const listed = async (viewer = alice(), with_dismissed = true) =>
  (await harness.cluster.call(listAnnouncements, { with_dismissed }, viewer)) as Announcement[]
const of = async (id: string, viewer = alice()) => (await listed(viewer)).find((one) => one.id === id)
const react = (id: string, name: string, viewer = alice()) =>
  harness.cluster.call(reactToAnnouncement, { id, name }, viewer)
const receive = async (e: string): Promise<LiveMessage> => {
  await expect.poll(() => received.find((one) => one.e === e)).toBeDefined()
  return received.find((one) => one.e === e) as LiveMessage
}

describe('publication of announcements', () => {
  test('S-022 S-076 a published one is HTML with its mentions, and is sent to open connections', async () => {
    harness.fixtures.statuses.set('900', { author: '102', hidden: false, answers: null })
    const { id } = await announce('Hello @alice, see #Welcome and https://elsewhere.example/x')
    const shown = await of(id)
    expect(Announcement.parse(shown)).toMatchObject({ read: false, all_day: false, starts_at: null, reactions: [] })
    expect(Math.abs(Date.parse(shown?.published_at ?? '') - Date.now())).toBeLessThan(60_000)
    expect(shown?.content).toContain('class="u-url mention"')
    expect(shown?.mentions.map(({ acct }) => acct)).toEqual(['alice'])
    expect(shown?.tags.map(({ name }) => name)).toEqual(['welcome'])
    const heard = Announcement.parse(JSON.parse((await receive('announcement')).payload ?? ''))
    expect(heard.id).toBe(id)
    expect(heard).not.toHaveProperty('read')
  })

  test('S-063 all day requires a start and an end, which are set together', async () => {
    const starts_at = '2026-05-01T00:00:00Z'
    const ends_at = '2026-05-02T00:00:00Z'
    const refused = async (more: object, field: RegExp) =>
      expect([more, await announce('x', more).catch((error) => error)]).toMatchObject([
        more,
        { status: 422, message: expect.stringMatching(field) },
      ])
    await refused({ all_day: true }, /All day/)
    await refused({ all_day: true, starts_at }, /Ends at/)
    await refused({ all_day: true, ends_at }, /Starts at/)
    await refused({ starts_at }, /Ends at/)
    await refused({ ends_at }, /Starts at/)
    await refused({ starts_at, ends_at: '2026-04-01T00:00:00Z' }, /Ends at/)
    const later = new Date(harness.ctx.clock.now() + 86_400_000).toISOString()
    const { id } = await announce('All day', { all_day: true, starts_at, ends_at: later })
    expect(await of(id)).toMatchObject({ all_day: true, starts_at: '2026-05-01T00:00:00.000Z', ends_at: later })
    await expect(announce(' ')).rejects.toThrow("Validation failed: Text can't be blank")
  })

  test('S-076 S-080 is published at its time and withdrawn after its end, not earlier', async () => {
    expect(publishAnnouncements.everyMs).toBeLessThanOrEqual(300_000)
    const now = harness.ctx.clock.now()
    const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString()
    const times = { scheduled_at: at(600), starts_at: at(700), ends_at: at(1_200) }
    const { id } = await announce('Maintenance', times)
    const run = async (seconds: number) => {
      const clock = {
        ...harness.ctx.clock,
        now: () => now + seconds * 1_000,
        date: () => new Date(now + seconds * 1_000),
      }
      await publishAnnouncements.run({ ...harness.ctx, clock } as never)
    }
    await run(599)
    expect(await of(id)).toBeUndefined()
    await run(601)
    expect(await of(id)).toMatchObject({ content: '<p>Maintenance</p>' })
    await run(1_199)
    expect(await of(id)).toBeDefined()
    received.length = 0
    await run(1_200)
    expect(await of(id)).toBeUndefined()
    expect(await receive('announcement.delete')).toEqual({ e: 'announcement.delete', id })
  })

  test('S-076 staff withdraws one and publishes it again', async () => {
    const { id } = await announce('Changing')
    await harness.cluster.call(updateAnnouncement, { id, published: false })
    expect(await of(id)).toBeUndefined()
    await harness.cluster.call(updateAnnouncement, { id, published: true, text: 'Changed' })
    expect(await of(id)).toMatchObject({ content: '<p>Changed</p>', published_at: expect.any(String) })
  })
})

describe('reading, dismissing and reacting', () => {
  test('S-064 a dismissed one is marked as read, and left out on request', async () => {
    const { id } = await announce('Read me')
    await harness.cluster.call(dismissAnnouncement, { id }, alice())
    await harness.cluster.call(dismissAnnouncement, { id }, alice())
    expect(await of(id)).toMatchObject({ read: true })
    expect((await listed(alice(), false)).map((one) => one.id)).not.toContain(id)
    const byDefault = (await harness.cluster.call(listAnnouncements, {}, alice())) as Announcement[]
    expect(byDefault.find((one) => one.id === id)).toMatchObject({ read: true })
    expect(await of(id, bob())).toMatchObject({ read: false })
    expect((await listed(bob(), false)).map((one) => one.id)).toContain(id)
    await expect(harness.cluster.call(dismissAnnouncement, { id: '1' }, alice())).rejects.toThrow('Record not found')
  })

  test('S-022 S-062 reactions are in the order of first use, once per account, at most eight kinds', async () => {
    const { id } = await announce('React')
    for (const name of ['👍', '🎉', '❤', '🔥', '👀', '🚀', '🙏', '👩‍👩‍👧']) await react(id, name)
    await react(id, '🎉', bob())
    await expect(react(id, '🎉', bob())).rejects.toMatchObject({ status: 422, message: 'Duplicate record' })
    await expect(react(id, '😀')).rejects.toThrow('Limit of different reactions reached')
    await expect(react(id, 'nonsense')).rejects.toThrow('Name is not a recognized emoji')
    await expect(react('1', '🎉')).rejects.toThrow('Record not found')
    const shown = await of(id, bob())
    expect(shown?.reactions.map(({ name }) => name)).toEqual(['👍', '🎉', '❤️', '🔥', '👀', '🚀', '🙏', '👩‍👩‍👧'])
    expect(shown?.reactions[1]).toEqual({ name: '🎉', count: 2, me: true })
    expect(shown?.reactions[0]).toEqual({ name: '👍', count: 1, me: false })
  })

  test('a reaction to an unknown announcement is not found, also with an invalid emoji', async () => {
    for (const name of ['👍', 'no-emoji', 'x'.repeat(1_000)])
      await expect(react('5', name)).rejects.toMatchObject({ status: 404 })
  })

  test('S-022 S-062 custom emoji of this server can be reactions, and are listed for the text', async () => {
    const { id } = await announce('Fly, :flock: and :unknown:')
    await react(id, 'flock')
    await expect(react(id, 'unknown')).rejects.toThrow('Name is not a recognized emoji')
    const shown = Announcement.parse(await of(id))
    expect(shown.emojis.map(({ shortcode }) => shortcode)).toEqual(['flock'])
    expect(shown.reactions).toEqual([
      {
        name: 'flock',
        count: 1,
        me: true,
        url: 'https://here.example/flock.gif',
        static_url: 'https://here.example/flock.png',
      },
    ])
  })

  test('S-022 S-182 removing a reaction is sent with its count; removing the announcement sends no reactions', async () => {
    const { id } = await announce('Gone soon')
    received.length = 0
    await react(id, '👍')
    await receive('announcement.reaction')
    received.length = 0
    await harness.cluster.call(unreactToAnnouncement, { id, name: '👍' }, alice())
    expect(JSON.parse((await receive('announcement.reaction')).payload ?? '')).toEqual({
      name: '👍',
      count: 0,
      announcement_id: id,
    })
    const again = harness.cluster.call(unreactToAnnouncement, { id, name: '👍' }, alice())
    await expect(again).rejects.toThrow('Record not found')
    received.length = 0
    await react(id, '🎉')
    await receive('announcement.reaction')
    received.length = 0
    await harness.cluster.call(removeAnnouncement, { id })
    expect(await receive('announcement.delete')).toEqual({ e: 'announcement.delete', id })
    expect(received).toHaveLength(1)
    expect(await of(id)).toBeUndefined()
  })
})
