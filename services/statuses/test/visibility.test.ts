/** A041: four visibilities and one of a newer release, every kind of viewer, every access to a status; each equals the table. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

/** `newer`: a stored number that only a newer release knows. */
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct', 'newer'] as const
type Visibility = (typeof VISIBILITIES)[number]
const WHO = ['author', 'follower', 'mentioned', 'unrelated', 'blocked', 'blockedFollower', 'anonymous'] as const
type Who = (typeof WHO)[number]

/** Visibilities that each viewer sees: p public, u unlisted, f followers-only, d direct, n newer. */
const TABLE: Record<Who, string> = {
  author: 'pufdn',
  follower: 'puf',
  mentioned: 'pufdn',
  unrelated: 'pu',
  blocked: '',
  blockedFollower: '',
  anonymous: 'pu',
}
const sees = (who: Who, visibility: Visibility): boolean =>
  TABLE[who].includes({ public: 'p', unlisted: 'u', private: 'f', direct: 'd', newer: 'n' }[visibility])

let harness: Harness
const fakeAccounts = {} as Record<Exclude<Who, 'anonymous'>, FakeAccount>
const ids = {} as Record<Visibility, string>
const polls = {} as Record<Visibility, string>
const TAG = `matrix${Date.now()}`
let parent: string
beforeAll(async () => {
  harness = await startHarness()
  const { fakes } = harness
  for (const who of WHO) if (who !== 'anonymous') fakeAccounts[who] = fakes.fakeAccount(who)
  for (const follower of [fakeAccounts.follower, fakeAccounts.blockedFollower])
    fakes.follow(follower, fakeAccounts.author)
  parent = (await harness.post(fakeAccounts.author, 'parent')).id
  for (const visibility of VISIBILITIES) {
    const status = await harness.post(fakeAccounts.author, {
      status: `@mentioned ${visibility} #${TAG}`,
      visibility: visibility === 'newer' ? 'direct' : visibility,
      in_reply_to_id: parent,
      poll: { options: ['a', 'b'], expires_in: 600 },
    })
    ids[visibility] = status.id
    polls[visibility] = status.poll?.id ?? ''
  }
  await harness.cluster
    .db('statuses')
    .run(sql`update statuses set visibility = 7, rev = rev + 1 where id = ${ids.newer}`)
  for (const blocked of [fakeAccounts.blocked, fakeAccounts.blockedFollower])
    fakes.blocks.add(`${fakeAccounts.author.id}>${blocked.id}`)
})
afterAll(() => harness.stop())

const caller = (who: Who) => (who === 'anonymous' ? null : harness.as(fakeAccounts[who]))
const request = async (operation: AnyOperation, input: Record<string, unknown>, who: Who) => {
  const answer = await harness.cluster.request(operation, input as never, caller(who))
  return { status: answer.meta.status, text: new TextDecoder().decode(answer.bytes) }
}
const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
/** Which of the five statuses a text contains. */
const held = (text: string) => VISIBILITIES.filter((visibility) => text.includes(`"${ids[visibility]}"`))
const expected = (who: Who) => VISIBILITIES.filter((visibility) => sees(who, visibility))

/** Operations on one status. A hidden status must be refused exactly like a missing one. */
const guarded: [string, AnyOperation, 'people' | 'all'][] = [
  ['show', statuses.showStatus, 'all'],
  ['context', statuses.showThread, 'all'],
  ['history', statuses.showHistory, 'all'],
  ['favourited_by', statuses.listFavouriters, 'all'],
  ['reblogged_by', statuses.listBoosters, 'all'],
  ['source', statuses.sourceOfStatus, 'people'],
  ['favourite', statuses.addFavourite, 'people'],
  ['bookmark', statuses.addBookmark, 'people'],
  ['mute', statuses.muteThread, 'people'],
  ['unmute', statuses.unmuteThread, 'people'],
  ['reblog', statuses.addReblog, 'people'],
  ['pin', statuses.addPin, 'people'],
  ['unpin', statuses.removePin, 'people'],
]

describe('A041 operations on one status', () => {
  for (const [name, operation, audience] of guarded)
    for (const who of WHO.filter((one) => audience === 'all' || one !== 'anonymous'))
      test(`${name} for the ${who}`, async () => {
        const missing = await request(operation, { id: '12345' }, who)
        expect(missing.status).toBe(404)
        const hide = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
        for (const visibility of VISIBILITIES) {
          const answer = await request(operation, { id: ids[visibility] }, who)
          if (sees(who, visibility)) expect(answer.status).not.toBe(404)
          else expect({ ...answer, text: hide(answer.text) }).toEqual({ ...missing, text: hide(missing.text) })
        }
      })
  for (const who of WHO)
    test(`poll for the ${who}`, async () => {
      for (const visibility of VISIBILITIES)
        expect((await request(statuses.showPoll, { id: polls[visibility] }, who)).status).toBe(
          sees(who, visibility) ? 200 : 404,
        )
    })
  for (const who of WHO.filter((one) => one !== 'anonymous'))
    test(`reply and vote for the ${who}`, async () => {
      for (const visibility of VISIBILITIES) {
        const reply = await request(
          statuses.createStatus,
          { status: 'x', in_reply_to_id: ids[visibility], visibility: 'direct' },
          who,
        )
        expect(reply.status).toBe(sees(who, visibility) ? 200 : 404)
        const vote = await request(statuses.vote, { id: polls[visibility], choices: ['0'] }, who)
        expect(vote.status === 404).toBe(!sees(who, visibility))
      }
    })
})

describe('A041 lists', () => {
  for (const who of WHO) {
    test(`several by id for the ${who}`, async () => {
      expect(held((await request(statuses.listStatuses, { id: Object.values(ids) }, who)).text)).toEqual(expected(who))
    })
    test(`account, public and tag timelines for the ${who}`, async () => {
      expect(held((await request(statuses.accountTimeline, { id: fakeAccounts.author.id }, who)).text)).toEqual(
        expected(who),
      )
      const open = expected(who).filter((one) => one === 'public')
      expect(held((await request(statuses.tagTimeline, { hashtag: TAG }, who)).text)).toEqual(open)
      // Four own statuses reply to the author's own status, so the public timeline contains the public one.
      expect(held((await request(statuses.publicTimeline, {}, who)).text)).toEqual(open)
    })
    test(`the thread for the ${who}`, async () => {
      const answer = await request(statuses.showThread, { id: parent }, who)
      expect(answer.status === 404 ? [] : held(answer.text)).toEqual(expected(who))
    })
    test(`renderings for the ${who} at every place`, async () => {
      const viewer = who === 'anonymous' ? null : fakeAccounts[who].id
      for (const place of [
        'notifications',
        'account',
        'report',
        'direct',
        'thread',
        'home',
        'list',
        'public',
      ] as const) {
        const texts = await call(statuses.renderByIds, { viewer, ids: Object.values(ids), place })
        expect(VISIBILITIES.filter((one) => texts.has(ids[one]))).toEqual(expected(who))
      }
    })
  }
  test('the home feed of a follower contains what followers may see', async () => {
    expect(held(JSON.stringify(await harness.home(fakeAccounts.follower)))).toEqual(['public', 'unlisted', 'private'])
    expect(held(JSON.stringify(await harness.home(harness.fakes.fakeAccount('bystander'))))).toEqual([])
    expect(held(JSON.stringify(await harness.home(fakeAccounts.blockedFollower)))).toEqual([])
  })
  test('A076 A079 a list with an author who is not followed contains no followers-only statuses', async () => {
    const list = harness.fakes.list(fakeAccounts.unrelated, [fakeAccounts.author])
    const page = await call(statuses.listTimeline, { id: list.id }, harness.as(fakeAccounts.unrelated))
    expect(held(JSON.stringify(page))).toEqual([])
  })
  test('remaining marks on hidden statuses are not shown', async () => {
    const fan = harness.fakes.fakeAccount('fan')
    harness.fakes.follow(fan, fakeAccounts.author)
    await call(statuses.addFavourite, { id: ids.private }, harness.as(fan))
    await call(statuses.addBookmark, { id: ids.private }, harness.as(fan))
    harness.fakes.unfollow(fan, fakeAccounts.author)
    expect(await call(statuses.listFavourites, {}, harness.as(fan))).toEqual([])
    expect(await call(statuses.listBookmarks, {}, harness.as(fan))).toEqual([])
  })
})

describe('A042 streams', () => {
  test('the home stream of an account receives what the account may see', async () => {
    const listeners = WHO.flatMap((who) => (who === 'anonymous' ? [] : [fakeAccounts[who].id]))
    for (const visibility of VISIBILITIES) {
      const { tailOf } = await call(statuses.renderForListeners, {
        id: ids[visibility],
        listeners,
        grants: listeners.map(harness.cluster.grant),
        surface: 'user',
      })
      const heard = new Set(listeners.filter((_, i) => tailOf[i] !== -1))
      const hearing = WHO.filter((who) => who !== 'anonymous' && heard.has(fakeAccounts[who].id))
      expect(hearing).toEqual(WHO.filter((who) => who !== 'anonymous' && sees(who, visibility)))
    }
  })
  test('a listener without a valid grant receives nothing', async () => {
    const { grant } = harness.cluster
    const listeners = [fakeAccounts.follower.id, fakeAccounts.mentioned.id, fakeAccounts.author.id]
    const request = (grants?: string[]) =>
      call(statuses.renderForListeners, { id: ids.private, listeners, surface: 'user', ...(grants && { grants }) })
    const all = await request(listeners.map(grant))
    expect([all.tailOf.filter((place) => place >= 0).length, all.refused]).toEqual([3, undefined])
    // The second listener has the grant of another account, the third one none.
    const some = await request([grant(fakeAccounts.follower.id), grant(fakeAccounts.follower.id), ''])
    expect([some.tailOf[0] !== -1, some.tailOf.slice(1), some.refused]).toEqual([true, [-1, -1], [1, 2]])
    const none = await request(['', '', ''])
    expect(none).toMatchObject({ card: null, tails: [], tailOf: [-1, -1, -1], refused: [0, 1, 2] })
    await expect(request()).rejects.toMatchObject({ code: 'forbidden' })
  })
  test('A076 public streams receive public statuses only', async () => {
    const listeners = [fakeAccounts.unrelated.id, fakeAccounts.follower.id, fakeAccounts.mentioned.id]
    for (const surface of ['public', 'hashtag'] as const)
      for (const visibility of VISIBILITIES) {
        const { card, tailOf } = await call(statuses.renderForListeners, {
          id: ids[visibility],
          listeners,
          grants: listeners.map(harness.cluster.grant),
          surface,
        })
        expect(card === null).toBe(visibility !== 'public')
        expect(tailOf).toEqual(listeners.map(() => (visibility === 'public' ? 0 : -1)))
      }
  })
  test('joined texts are complete statuses, with the viewer state of each listener', async () => {
    await call(statuses.addFavourite, { id: ids.public }, harness.as(fakeAccounts.unrelated))
    const listeners = [fakeAccounts.unrelated.id, fakeAccounts.follower.id, fakeAccounts.author.id]
    const { card, tails, tailOf } = await call(statuses.renderForListeners, {
      id: ids.public,
      listeners,
      grants: listeners.map(harness.cluster.grant),
      surface: 'user',
    })
    for (const [i, who] of (['unrelated', 'follower', 'author'] as const).entries()) {
      const text = `${card}${tails[tailOf[i] ?? -1]}`
      expect(JSON.parse(text)).toEqual(
        await call(statuses.showStatus, { id: ids.public }, harness.as(fakeAccounts[who])),
      )
    }
    const open = await call(statuses.renderForListeners, {
      id: ids.public,
      listeners,
      grants: listeners.map(harness.cluster.grant),
      surface: 'public',
    })
    expect(open.tails).toHaveLength(1)
    const anonymous = await call(statuses.showStatus, { id: ids.public })
    const quote_approval = { ...anonymous.quote_approval, current_user: 'automatic' }
    expect(JSON.parse(`${open.card}${open.tails[0]}`)).toEqual({ ...anonymous, quote_approval, filtered: [] })
  })
  test('languages, blocks and mutes exclude listeners of public streams', async () => {
    const { fakes } = harness
    const [german, muting, blocker, calm] = [
      fakes.fakeAccount('s1'),
      fakes.fakeAccount('s2'),
      fakes.fakeAccount('s3'),
      fakes.fakeAccount('s4'),
    ]
    german.defaults.chosen_languages = ['de']
    fakes.mute(muting, fakeAccounts.mentioned)
    fakes.block(blocker, fakeAccounts.author)
    const listeners = [german, muting, blocker, calm].map((one) => one.id)
    const hearing = async () => {
      const { tailOf } = await call(statuses.renderForListeners, {
        id: ids.public,
        listeners,
        grants: listeners.map(harness.cluster.grant),
        surface: 'public',
      })
      return listeners.filter((_, i) => tailOf[i] !== -1)
    }
    expect(await hearing()).toEqual([calm.id])
    fakes.manyHidden = true
    expect(await hearing()).toEqual([calm.id])
    fakes.manyHidden = false
  })
  test('S-180 public and hashtag streams leave out what the listener or the server excludes, and mark what a filter matches', async () => {
    const { fakes } = harness
    const far = fakes.fakeAccount('streamed', { domain: 'far.example' })
    const note = { html: '<p>a sparrow</p>', language: 'en', tags: [{ name: 'sparrow', display: 'sparrow' }] }
    const { id } = await call(statuses.putRemoteStatus, { status: remoteStatus(far, note) })
    const [german, muting, blocking, blocked, distant, calm, filtering] = Array.from({ length: 7 }, (_, i) =>
      fakes.fakeAccount(`listener${i}`),
    ) as [FakeAccount, FakeAccount, FakeAccount, FakeAccount, FakeAccount, FakeAccount, FakeAccount]
    german.defaults.chosen_languages = ['de']
    calm.defaults.chosen_languages = ['en', 'de']
    fakes.mute(muting, far)
    fakes.block(blocking, far)
    fakes.block(far, blocked)
    fakes.domainBlocks.add(`${distant.id}>far.example`)
    const keywords_attributes = [{ keyword: 'sparrow', whole_word: true }]
    const filter = { title: 'birds', context: ['public'], filter_action: 'hide', keywords_attributes }
    await call(statuses.createFilter, filter as never, harness.as(filtering))
    const listeners = [german, muting, blocking, blocked, distant, calm, filtering].map((one) => one.id)
    const heard = async (surface: 'public' | 'hashtag') => {
      const grants = listeners.map(harness.cluster.grant)
      const { card, tails, tailOf } = await call(statuses.renderForListeners, { id, listeners, grants, surface })
      return listeners.flatMap((one, i) => {
        const place = tailOf[i] ?? -1
        return place < 0 ? [] : [[one, JSON.parse(`${card}${tails[place]}`).filtered]]
      })
    }
    const match = {
      filter: { title: 'birds', filter_action: 'hide' },
      keyword_matches: ['sparrow'],
      status_matches: null,
    }
    const usual = [
      [calm.id, []],
      [filtering.id, [match]],
    ]
    for (const surface of ['public', 'hashtag'] as const) expect(await heard(surface)).toMatchObject(usual)

    const policy = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx.policy
    if (!policy) throw new Error('statuses does not run')
    const real = policy.settings()
    const settings = vi.spyOn(policy, 'settings')
    settings.mockReturnValue({ ...real, remote_live_feed_access: 'disabled' })
    expect([await heard('public'), await heard('hashtag')]).toMatchObject([[], usual])
    settings.mockReturnValue({ ...real, remote_topic_feed_access: 'disabled' })
    expect([await heard('public'), await heard('hashtag')]).toMatchObject([usual, []])
    // Every listener has a token.
    settings.mockReturnValue({ ...real, remote_live_feed_access: 'authenticated', local_live_feed_access: 'disabled' })
    expect(await heard('public')).toMatchObject(usual)
    settings.mockRestore()
  })
})

test.each([[[]], [['9'.repeat(40)]], [['x']]])('a vote of %j in an absent poll is not found', async (choices) => {
  expect((await request(statuses.vote, { id: '999', choices }, 'follower')).status).toBe(404)
})
