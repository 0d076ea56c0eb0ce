/** Emoji reactions in the forms that other servers send: shown with the status and its notification, and taken back. */
import { createMute, removeMute } from '@murmuration/contracts/accounts'
import { listNotifications } from '@murmuration/contracts/notifications'
import { showStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as notifications } from '@murmuration/notifications'
import { type Document, makeActivity } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

let fixture: Fixture
let post: { id: string; uri: string }
beforeAll(async () => {
  fixture = await startFixture({}, [notifications])
})
afterAll(() => fixture.harness.stop())
beforeEach(async () => {
  post = await fixture.write({ status: 'react', visibility: 'public' })
})

const shown = async () => {
  await fixture.harness.waitForIdle()
  const { favourites_count, emoji_reactions = [] } = await fixture.harness.call(
    showStatus,
    { id: post.id },
    fixture.bob,
  )
  return { favourites_count, names: emoji_reactions.map((one) => one.name), emoji_reactions }
}
const notified = async () => {
  await fixture.harness.waitForIdle()
  const all = await fixture.harness.call(listNotifications, { types: ['favourite'] }, fixture.bob)
  return all.flatMap((one) => ('status' in one && one.status?.id === post.id ? [one] : []))
}
// A fetch of the picture by https fails for now, so the emoji is not given up.
const blob = () => ({
  id: `${fixture.remote.origin}/emojis/blob`,
  type: 'Emoji',
  name: ':blob:',
  updated: '2026-01-01T00:00:00Z',
  icon: { type: 'Image', mediaType: 'image/png', url: `${fixture.remote.origin.replace('http:', 'https:')}/blob.png` },
})
const react = (type: string, extra: Document, who = fixture.vera) => {
  const activity = makeActivity(who, type, post.uri, extra)
  return { activity, outcome: fixture.harness.outcome(fixture.remote, activity, { as: who }) }
}

test.each<[string, string, () => Document]>([
  ['Misskey', 'Like', () => ({ content: '🎉', _misskey_reaction: '🎉' })],
  ['Misskey, in its own field only', 'Like', () => ({ _misskey_reaction: '🎉' })],
  ['Pleroma', 'EmojiReact', () => ({ content: '🎉' })],
  ['a server without the context of Pleroma', 'litepub:EmojiReact', () => ({ content: '🎉' })],
  ['a server that expands terms', 'http://litepub.social/ns#EmojiReact', () => ({ content: '🎉' })],
])('Unicode emoji, by %s', async (_, type, extra) => {
  const { activity, outcome } = react(type, extra())
  expect(await outcome).toBe('done')
  const vera = (await fixture.harness.account(fixture.vera.id))?.id
  expect((await shown()).emoji_reactions).toEqual([{ name: '🎉', count: 1, me: false, account_ids: [vera] }])
  expect(await notified()).toMatchObject([{ type: 'favourite', emoji: '🎉', emoji_url: null, account: { id: vera } }])
  const { content } = activity as { content?: string }
  expect(await fixture.sendActivity(fixture.vera, 'Undo', { ...activity, content })).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 0, names: [] })
  expect(await notified()).toEqual([])
})

test.each<[string, string, () => Document]>([
  ['Misskey', 'Like', () => ({ content: ':blob:', _misskey_reaction: ':blob:', tag: [blob()] })],
  ['Akkoma', 'EmojiReact', () => ({ content: ':blob:', tag: [{ ...blob(), name: 'blob' }] })],
  ['Fedibird', 'Like', () => ({ content: 'blob', tag: blob() })],
  ['an Emoji tag alone', 'Like', () => ({ tag: [blob()] })],
])('custom emoji with a local copy of its image, by %s', async (_, type, extra) => {
  expect(await react(type, extra()).outcome).toBe('done')
  const [reaction] = (await shown()).emoji_reactions
  expect(reaction).toMatchObject({ name: 'blob', count: 1, domain: new URL(fixture.remote.origin).host })
  for (const url of [reaction?.url, reaction?.static_url])
    expect(new URL(url ?? '').origin).toBe(fixture.harness.origin)
  expect(await notified()).toMatchObject([{ emoji: ':blob:', emoji_url: reaction?.url }])
})

test.each<[string, Document]>([
  ['a custom emoji without a picture', { content: ':blob@third.example:' }],
  ['a text', { content: 'nice' }],
  ['nothing', {}],
])('%s is a favourite without a reaction', async (_, extra) => {
  expect(await react('Like', extra).outcome).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: [] })
  const [one] = await notified()
  expect(one).not.toHaveProperty('emoji')
})

test('a custom emoji whose picture was given up is a favourite without a reaction', async () => {
  const icon = { ...blob().icon, url: blob().icon.url.replace('blob', 'given-up') }
  const first = react('EmojiReact', { content: ':blob:', tag: [{ ...blob(), icon }] })
  expect(await first.outcome).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: ['blob'] })
  await fixture.harness.db('media').run(sql`update pictures set given_up_at = now() where remote_url like '%given-up%'`)
  await fixture.sendActivity(fixture.vera, 'Undo', first.activity)
  expect(await react('EmojiReact', { content: ':blob:', tag: [{ ...blob(), icon }] }).outcome).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: [] })
})

test('a second emoji of the same account replaces the first, whichever is undone first', async () => {
  const first = react('EmojiReact', { content: '🎉' })
  await first.outcome
  const second = react('EmojiReact', { content: '🔥' })
  expect(await second.outcome).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: ['🔥'] })
  expect(await notified()).toMatchObject([{ emoji: '🔥' }])
  expect(await fixture.sendActivity(fixture.vera, 'Undo', first.activity)).toBe('done unchanged')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: ['🔥'] })
  expect(await fixture.sendActivity(fixture.vera, 'Undo', second.activity.id)).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 0, names: [] })
})

test('an Undo that arrives before its reaction prevents it', async () => {
  const activity = makeActivity(fixture.vera, 'EmojiReact', post.uri, { content: '🎉' })
  await fixture.sendActivity(fixture.vera, 'Undo', activity)
  await fixture.harness.outcome(fixture.remote, activity, { as: fixture.vera })
  expect(await shown()).toMatchObject({ favourites_count: 0, names: [] })
})

test('a favourite and a reaction of one account count once, and each is undone by its own Undo', async () => {
  const like = react('Like', {})
  await like.outcome
  const reaction = react('EmojiReact', { content: '🎉' })
  expect(await reaction.outcome).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: ['🎉'] })
  expect(await fixture.sendActivity(fixture.vera, 'Undo', reaction.activity)).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names: [] })
  expect(await fixture.sendActivity(fixture.vera, 'Undo', like.activity)).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 0, names: [] })
})

test.each([
  ['EmojiReact', () => ({ content: '🎉' }), []],
  ['Like', () => ({ content: '🎉' }), []],
  ['Like', () => ({}), ['🎉']],
])('the Undo of one %s without an id leaves the other one', async (type, extra, names) => {
  const { vera } = fixture
  await react('Like', {}).outcome
  await react('EmojiReact', { content: '🎉' }).outcome
  const undone = { type, actor: vera.id, object: post.uri, ...extra() }
  expect(await fixture.sendActivity(vera, 'Undo', undone)).toBe('done')
  expect(await shown()).toMatchObject({ favourites_count: 1, names })
})

test('a muted account whose notifications are kept is shown with its emoji in the notification', async () => {
  const vera = (await fixture.harness.account(fixture.vera.id))?.id as string
  await fixture.harness.call(createMute, { id: vera, notifications: false }, fixture.bob)
  await react('EmojiReact', { content: '🎉' }).outcome
  expect(await notified()).toMatchObject([{ type: 'favourite', emoji: '🎉' }])
  expect((await shown()).names).toEqual([])
  await fixture.harness.call(removeMute, { id: vera }, fixture.bob)
})
