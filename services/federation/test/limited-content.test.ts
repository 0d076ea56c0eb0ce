/** Statuses of limited servers are shown to their followers only, and to all again when the limit ends. */
import { moderateAccount } from '@murmuration/contracts/accounts'
import { homeTimeline, publicTimeline, showThread, tagTimeline } from '@murmuration/contracts/statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type LocalAccount, startFixture } from './fixture.js'

let fixture: Fixture
/** Follows vera, whom bob does not follow. */
let carol: LocalAccount
beforeAll(async () => {
  fixture = await startFixture()
  carol = await fixture.harness.createAccount('carol')
  await fixture.follow(carol, fixture.vera)
})
afterAll(() => fixture.harness.stop())

const limit = async (action: 'silence' | 'unsilence') => {
  const { harness, rita, vera } = fixture
  for (const { id } of [rita, vera]) {
    const account = await harness.account(id)
    await harness.call(moderateAccount, { id: account?.id ?? '', action, stamp: 'block 1' })
  }
  await harness.waitForIdle()
}

test('moderation 1 silence: public timelines, hashtags and threads show them only to their followers', async () => {
  const { harness, bob, rita, vera, post } = fixture
  const write = async (author: typeof rita) => {
    const tag = [{ type: 'Hashtag', name: '#loud', href: `${fixture.remote.origin}/tags/loud` }]
    const note = fixture.note(author, { content: `<p>words of ${author.id} #loud</p>`, tag })
    const reply = fixture.note(author, { inReplyTo: post.uri })
    for (const one of [note, reply]) expect(await fixture.sendActivity(author, 'Create', one)).toBe('done')
    return [note.id, reply.id] as const
  }
  const all = await Promise.all([write(rita), write(vera)])
  const names = new Map(
    all.flatMap(([note, reply], i) => [
      [note, `${i === 0 ? 'rita' : 'vera'}`],
      [reply, `${i === 0 ? 'rita' : 'vera'}`],
    ]),
  )
  const of = (statuses: readonly { uri: string }[]) =>
    [...new Set(statuses.flatMap(({ uri }) => names.get(uri) ?? []))].sort().join(' ')
  const met = async (as: LocalAccount | null) => {
    const viewer = as === null ? [] : ([as] as const)
    return {
      public: of(await harness.call(publicTimeline, {}, ...viewer)),
      tag: of(await harness.call(tagTimeline, { hashtag: 'loud' }, ...viewer)),
      thread: of((await harness.call(showThread, { id: post.id }, ...viewer)).descendants),
      ...(as && { home: of(await harness.call(homeTimeline, {}, as)) }),
    }
  }
  const before = [await met(null), await met(bob), await met(carol)]
  expect(before[0]).toEqual({ public: 'rita vera', tag: 'rita vera', thread: 'rita vera' })
  await limit('silence')
  expect(await met(null)).toEqual({ public: '', tag: '', thread: '' })
  expect(await met(bob)).toMatchObject({ public: '', tag: '', thread: 'rita', home: 'rita' })
  expect(await met(carol)).toMatchObject({ public: '', tag: '', thread: 'vera', home: 'vera' })
  await limit('unsilence')
  expect([await met(null), await met(bob), await met(carol)]).toEqual(before)
})
