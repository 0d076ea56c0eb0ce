/** Emoji reactions of remote accounts: stored with a favourite, shown with the status, replaced and undone. */
import type { EmojiReaction } from '@murmuration/contracts/entities'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let dan: FakeAccount
let eve: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  dan = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
  eve = harness.fakes.fakeAccount('eve', { domain: 'other.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const show = (id: string, who: FakeAccount | null = ann) => call(statuses.showStatus, { id }, who && harness.as(who))
const reactions = async (id: string, who: FakeAccount | null = ann) => (await show(id, who)).emoji_reactions ?? null
let sent = 0
let post: { id: string; uri: string }
beforeEach(async () => {
  post = await harness.post(ann, 'react')
})
const uriOf = (who: FakeAccount) => `https://${who.domain}/likes/${++sent}`
const like = async (who: FakeAccount, name: string | null, more: { url?: string; uri?: string | null } = {}) => {
  const uri = more.uri === undefined ? uriOf(who) : more.uri
  const emoji = more.url ? { shortcode: name, url: more.url, updated: null } : null
  const reaction = name === null ? {} : { reaction: { name: more.url ? `:${name}:` : name, emoji } }
  const input = { what: 'favourite', actor: who.id, object: post.uri, uri, exact: true, ...reaction }
  const { outcome } = await call(statuses.applyRemoteInteraction, input as never)
  return { uri, outcome }
}
const undo = async (who: FakeAccount, uri: string | null, object: string | null = post.uri) => {
  const input = { what: 'undo-favourite', actor: who.id, object, uri, unseen: false, exact: true }
  return (await call(statuses.applyRemoteInteraction, input as never)).outcome
}
const plain = (name: string, ...who: FakeAccount[]): EmojiReaction => ({
  name,
  count: who.length,
  me: false,
  account_ids: who.map((one) => one.id),
})

describe('an emoji reaction', () => {
  test('is listed with its emoji, and counts as a favourite', async () => {
    expect(await show(post.id)).not.toHaveProperty('emoji_reactions')
    expect((await like(dan, '🎉')).outcome).toBe('done')
    expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
    await like(eve, '🎉')
    expect(await show(post.id, null)).toMatchObject({ favourites_count: 2, emoji_reactions: [plain('🎉', dan, eve)] })
    const boost = await call(statuses.addReblog, { id: post.id }, harness.as(bob))
    expect(boost.reblog?.emoji_reactions).toEqual([plain('🎉', dan, eve)])
  })
  test('has a custom emoji with a local copy, distinguished by its server', async () => {
    const url = (host: string) => `https://${host}/blob.png`
    await like(dan, 'blob', { url: url('far.example') })
    await like(eve, 'blob', { url: url('other.example') })
    const listed = (await reactions(post.id)) ?? []
    expect(listed.map(({ name, domain, count }) => ({ name, domain, count }))).toEqual([
      { name: 'blob', domain: 'far.example', count: 1 },
      { name: 'blob', domain: 'other.example', count: 1 },
    ])
    for (const one of listed) {
      expect(one.url).toContain('proxy')
      expect(one.static_url).toContain('proxy')
    }
  })
  test('is the same for both spellings of an emoji; other text is only a favourite', async () => {
    await like(dan, '❤')
    await like(eve, '❤️')
    expect(await reactions(post.id)).toEqual([plain('❤️', dan, eve)])
    const fay = harness.fakes.fakeAccount('fay', { domain: 'far.example' })
    await like(fay, '<b>lol</b>')
    expect(await show(post.id)).toMatchObject({ favourites_count: 3, emoji_reactions: [plain('❤️', dan, eve)] })
  })
  test('is counted once when delivered twice', async () => {
    const { uri } = await like(dan, '🎉')
    expect((await like(dan, '🎉', { uri })).outcome).toBe('unchanged')
    expect((await like(dan, '🎉', { uri: null })).outcome).not.toBe('refused')
    expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
  })
  test('of an account that the viewer blocks or mutes is neither listed nor counted', async () => {
    await like(dan, '🎉')
    await like(eve, '🎉')
    harness.fakes.block(bob, dan)
    expect(await reactions(post.id, bob)).toEqual([plain('🎉', eve)])
    harness.fakes.block(bob, eve)
    expect(await show(post.id, bob)).not.toHaveProperty('emoji_reactions')
    expect(await reactions(post.id, ann)).toEqual([plain('🎉', dan, eve)])
    harness.fakes.blocks.clear()
  })
  test('is rendered for each listener of a stream by their own blocks and mutes', async () => {
    await like(dan, '🎉')
    harness.fakes.block(bob, dan)
    for (const surface of ['user', 'public'] as const) {
      const listeners = [ann.id, bob.id]
      const grants = listeners.map(harness.cluster.grant)
      const { card, tails, tailOf } = await call(statuses.renderForListeners, {
        id: post.id,
        listeners,
        grants,
        surface,
      })
      const seen = tailOf.map((at) => (at < 0 ? null : JSON.parse(`${card}${tails[at]}`)))
      expect(seen.map((one) => one?.emoji_reactions)).toEqual([[plain('🎉', dan)], undefined])
    }
    harness.fakes.blocks.clear()
  })
})

describe('a second reaction of an account', () => {
  test('replaces the first one, whose Undo then changes nothing', async () => {
    const first = await like(dan, '🎉')
    const second = await like(dan, '🔥')
    // The caller decides which of the two activities is newer.
    expect(second.outcome).toBe('other')
    const input = { what: 'favourite', actor: dan.id, object: post.uri, uri: second.uri, exact: true }
    const reaction = { name: '🔥', emoji: null }
    const forced = { ...input, instead: first.uri, reaction }
    expect((await call(statuses.applyRemoteInteraction, forced as never)).outcome).toBe('done')
    expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🔥', dan)] })
    expect(await undo(dan, first.uri)).toBe('other')
    expect(await reactions(post.id)).toEqual([plain('🔥', dan)])
    expect(await undo(dan, second.uri)).toBe('done')
    expect(await show(post.id)).toMatchObject({ favourites_count: 0 })
    expect(await reactions(post.id)).toBeNull()
  })
  test.each([true, false])(
    'has a separate favourite, and each can be undone alone (favourite first: %s)',
    async (isFirst) => {
      const given = isFirst ? [null, '🎉'] : ['🎉', null]
      const [one, two] = [await like(dan, given[0] ?? null), await like(dan, given[1] ?? null)]
      const [favourite, reaction] = isFirst ? [one, two] : [two, one]
      expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
      expect(await undo(dan, favourite.uri)).toBe('done')
      expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
      // The Undo names only the id.
      expect(await undo(dan, reaction.uri, null)).toBe('done')
      expect(await show(post.id)).toMatchObject({ favourites_count: 0 })
      expect(await reactions(post.id)).toBeNull()
    },
  )
  test.each(['like', 'reaction'] as const)(
    'is kept apart from a favourite by an Undo of a %s without a known id',
    async (undone) => {
      for (const uri of [null, uriOf(dan)]) {
        const before = { favourite: await like(dan, null), reaction: await like(dan, '🎉') }
        const expected = undone === 'like' ? before.favourite : before.reaction
        const input = {
          what: 'undo-favourite',
          actor: dan.id,
          object: post.uri,
          uri,
          undone,
          unseen: false,
          exact: true,
        }
        const apply = (more = {}) => call(statuses.applyRemoteInteraction, { ...input, ...more } as never)
        // The caller decides which of the two activities is newer.
        expect(await apply()).toEqual({ outcome: 'other', other: expected.uri })
        expect(await apply({ instead: expected.uri })).toEqual({ outcome: 'done' })
        expect((await show(post.id)).favourites_count).toBe(1)
        expect(await reactions(post.id)).toEqual(undone === 'like' ? [plain('🎉', dan)] : null)
        expect(await undo(dan, (undone === 'like' ? before.reaction : before.favourite).uri)).toBe('done')
        expect((await show(post.id)).favourites_count).toBe(0)
      }
    },
  )
  test.each(['like', 'reaction'] as const)('without an id is kept apart by an Undo of a %s', async (undone) => {
    const input = { what: 'undo-favourite', actor: dan.id, object: post.uri, uri: null, unseen: false, exact: true }
    const apply = (more: object) => call(statuses.applyRemoteInteraction, { ...input, ...more } as never)
    const { uri } = await like(dan, null)
    expect((await like(dan, '🎉', { uri: null })).outcome).toBe('done')
    expect(await apply({ undone, instead: uri })).toEqual({ outcome: 'done' })
    expect((await show(post.id)).favourites_count).toBe(1)
    expect(await reactions(post.id)).toEqual(undone === 'like' ? [plain('🎉', dan)] : null)
    const other = undone === 'like' ? 'reaction' : 'like'
    expect(await apply({ undone: other, instead: uri })).toEqual({ outcome: 'done' })
    expect((await show(post.id)).favourites_count).toBe(0)
    expect(await reactions(post.id)).toBeNull()
  })
  describe('without an id', () => {
    const apply = (more: object) => {
      const input = { what: 'undo-favourite', actor: dan.id, object: post.uri, unseen: false, exact: true }
      return call(statuses.applyRemoteInteraction, { ...input, ...more } as never)
    }
    const state = async () => [(await show(post.id)).favourites_count, await reactions(post.id)]
    test('stays if the favourite is undone by its id', async () => {
      const { uri } = await like(dan, null)
      await like(dan, '🎉', { uri: null })
      expect(await apply({ uri })).toEqual({ outcome: 'done' })
      expect(await state()).toEqual([1, [plain('🎉', dan)]])
    })
    test('is removed by an Undo of a reaction with an unknown id, and stays after one of a favourite', async () => {
      const { uri } = await like(dan, null)
      await like(dan, '🎉', { uri: null })
      expect(await apply({ uri: uriOf(dan), undone: 'like' })).toEqual({ outcome: 'other', other: uri })
      expect(await state()).toEqual([1, [plain('🎉', dan)]])
      expect(await apply({ uri: uriOf(dan), undone: 'reaction' })).toEqual({ outcome: 'done' })
      expect(await state()).toEqual([1, null])
    })
    test.each(['like', 'reaction'] as const)(
      'is kept apart from a later favourite by an Undo of a %s',
      async (undone) => {
        expect((await like(dan, '🎉', { uri: null })).outcome).toBe('done')
        const { uri, outcome } = await like(dan, null)
        expect(outcome).toBe('unchanged')
        const undos = { like: { uri, undone: 'like' }, reaction: { uri: null, undone: 'reaction' } }
        expect(await apply(undos[undone])).toEqual({ outcome: 'done' })
        expect(await state()).toEqual([1, undone === 'like' ? [plain('🎉', dan)] : null])
        expect(await apply(undos[undone === 'like' ? 'reaction' : 'like'])).toEqual({ outcome: 'done' })
        expect(await state()).toEqual([0, null])
      },
    )
    test('counts as one with a favourite that lacks an id too', async () => {
      await like(dan, null, { uri: null })
      await like(dan, '🎉', { uri: null })
      expect(await apply({ uri: null, undone: 'reaction' })).toEqual({ outcome: 'done' })
      expect(await state()).toEqual([0, null])
    })
  })
  test('without an id that replaces one with an id is undone with its favourite', async () => {
    const { uri } = await like(dan, '🎉')
    const input = { actor: dan.id, object: post.uri, uri: null, exact: true, instead: uri }
    const apply = (more: object) => call(statuses.applyRemoteInteraction, { ...input, ...more } as never)
    const reaction = { name: '🔥', emoji: null }
    expect(await apply({ what: 'favourite', reaction })).toEqual({ outcome: 'done' })
    expect(await apply({ what: 'undo-favourite', undone: 'reaction', unseen: false })).toEqual({ outcome: 'done' })
    expect((await show(post.id)).favourites_count).toBe(0)
    expect(await reactions(post.id)).toBeNull()
  })
  test('leaves the favourite when it is undone first', async () => {
    await like(dan, null)
    const { uri } = await like(dan, '🎉')
    expect(await undo(dan, uri)).toBe('done')
    expect(await show(post.id)).toMatchObject({ favourites_count: 1 })
    expect(await reactions(post.id)).toBeNull()
  })
})

test('an activity id that is used for two statuses causes no error when the favourite beside its reaction is undone', async () => {
  const other = await harness.post(ann, 'another')
  const [used, plainLike] = [uriOf(dan), uriOf(dan)]
  const input = { what: 'favourite', actor: dan.id, object: other.uri, uri: used, exact: true }
  await call(statuses.applyRemoteInteraction, input as never)
  await like(dan, null, { uri: plainLike })
  await like(dan, '🎉', { uri: used })
  expect(await undo(dan, plainLike)).toBe('done')
  expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
})

test('a favourite keeps its activity id if the actor sends an id that another favourite has', async () => {
  const other = await harness.post(ann, 'another')
  const [used, plainLike] = [uriOf(dan), uriOf(dan)]
  const favourite = (object: string, uri: string) =>
    call(statuses.applyRemoteInteraction, { what: 'favourite', actor: dan.id, object, uri } as never)
  expect((await favourite(other.uri, used)).outcome).toBe('done')
  expect((await favourite(post.uri, plainLike)).outcome).toBe('done')
  expect((await favourite(post.uri, used)).outcome).toBe('unchanged')
  const rows = () => harness.cluster.db('statuses').rows(sql`select uri from favourites where status_id = ${post.id}`)
  expect(await rows()).toEqual([{ uri: plainLike }])
  expect(await undo(dan, uriOf(dan))).toBe('other')
  expect(await undo(dan, plainLike)).toBe('done')
})

test('removing an account deletes its reactions', async () => {
  await like(dan, '🎉')
  const gone = harness.fakes.fakeAccount('gone', { domain: 'far.example' })
  await like(gone, '🔥')
  await harness.happen(accounts.accountRemoved, { id: gone.id, uri: gone.uri, local: false })
  await harness.cluster.waitForIdle()
  expect(await show(post.id)).toMatchObject({ favourites_count: 1, emoji_reactions: [plain('🎉', dan)] })
})

test('the counter of emoji reactions equals the rows', async () => {
  const wrong = await harness.cluster.db('statuses').rows(sql`select c.status_id from status_stats c
    where c.reactions <> (select count(*) from reactions r where r.status_id = c.status_id)`)
  expect(wrong).toEqual([])
})
