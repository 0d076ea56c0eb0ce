/** Votes of remote accounts in local polls: each choice once, never after the end, never in hidden polls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())

let n = 0
const request = (more: Record<string, unknown> = {}, poll: Record<string, unknown> = {}) =>
  harness.post(ann, {
    status: 'Which?',
    poll: { options: ['Red', 'Blue', 'Green'], expires_in: 300, ...poll },
    ...more,
  })
const show = (id: string) => harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))
const vote = async (status: { uri: string }, options: string[], who = far, origin = 'https://far.example') => {
  const votes = options.map((option) => ({ option, uri: `${origin}/votes/${++n}` }))
  return (await harness.cluster.call(statuses.castRemoteVote, { status: status.uri, actor: who.id, votes })).outcome
}
const countsOf = async (id: string) => {
  const { poll } = await show(id)
  return [poll?.voters_count, poll?.options.map((one) => one.votes_count)]
}

const moveTo = (offsetMs: number) => {
  for (const one of harness.cluster.host.running) one.ctx.clock.moveTo(offsetMs)
}

describe('remote votes', () => {
  test('S-010 one choice counts once, whatever is received later', async () => {
    const status = await request()
    expect(await vote(status, ['Blue'])).toBe('done')
    expect(await vote(status, ['Blue'])).toBe('unchanged')
    expect(await vote(status, ['Red'])).toBe('unchanged')
    expect(await countsOf(status.id)).toEqual([1, [0, 1, 0]])
  })

  test('of several choices in a single-choice poll the first counts', async () => {
    const status = await request()
    expect(await vote(status, ['Green', 'Red'])).toBe('done')
    expect(await countsOf(status.id)).toEqual([1, [0, 0, 1]])
  })

  test('the second title of a vote counts only if no option has the first', async () => {
    const [both, one] = [
      ['<b', '<\u2060b'],
      ['<b', 'c'],
    ] as const
    for (const [options, counts] of [
      [both, [0, 1]],
      [one, [1, 0]],
    ] as const) {
      const status = await request({}, { options: [...options], multiple: true })
      const votes = [{ option: '<\u2060b', uri: `https://far.example/votes/${++n}`, instead: '<b' }]
      const input = { status: status.uri, actor: far.id, votes }
      expect((await harness.cluster.call(statuses.castRemoteVote, input)).outcome).toBe('done')
      expect(await countsOf(status.id)).toEqual([1, counts])
    }
  })

  test('several choices count once each, and the voter once', async () => {
    const status = await request({}, { multiple: true })
    expect(await vote(status, ['Red', 'Blue', 'Red'])).toBe('done')
    expect(await vote(status, ['Blue', 'Green'])).toBe('done')
    expect(await vote(status, ['Blue'])).toBe('unchanged')
    expect(await countsOf(status.id)).toEqual([1, [1, 1, 1]])
  })

  test('F056 concurrent votes give the same result as sequential ones', async () => {
    const status = await request({}, { multiple: true })
    const others = Array.from({ length: 4 }, (_, i) => harness.fakes.fakeAccount(`p${i}`, { domain: 'far.example' }))
    await Promise.all(others.flatMap((who) => [vote(status, ['Red'], who), vote(status, ['Red', 'Blue'], who)]))
    expect(await countsOf(status.id)).toEqual([4, [4, 4, 0]])
  })

  test('unknown options, missing polls, remote polls and hidden polls have no effect', async () => {
    const [open, hidden, plain] = [
      await request(),
      await request({ visibility: 'private' }),
      await harness.post(ann, 'no poll'),
    ]
    expect(await vote(open, ['Yellow'])).toBe('no-option')
    expect(await vote(hidden, ['Red'])).toBe('unknown')
    expect(await vote(plain, ['Red'])).toBe('unknown')
    expect(await vote({ uri: 'https://far.example/polls/1' }, ['Red'])).toBe('unknown')
    expect(await vote(open, ['Red'], far, 'https://evil.example')).toBe('refused')
    expect(await countsOf(open.id)).toEqual([0, [0, 0, 0]])
    expect(await countsOf(hidden.id)).toEqual([0, [0, 0, 0]])
  })

  test('a vote after the end has no effect', async () => {
    const status = await request()
    moveTo(301_000)
    try {
      expect(await vote(status, ['Red'])).toBe('ended')
    } finally {
      moveTo(0)
    }
    expect(await countsOf(status.id)).toEqual([0, [0, 0, 0]])
  })
})
