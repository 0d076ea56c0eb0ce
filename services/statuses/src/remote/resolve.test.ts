/** Look-ups of unknown accounts that a fetched status mentions. */
import { resolveAccount } from '@murmuration/contracts/accounts'
import { asFailure, isRetryable } from '@murmuration/contracts/kit'
import { afterEach, expect, test, vi } from 'vitest'
import { isWrittenBy, lookUpMentioned } from './resolve.js'

afterEach(() => vi.restoreAllMocks())

/** Looks up an account by both names; each attempt takes `ms`. Returns the time limits of the attempts. */
const limitsOf = async (ms: number): Promise<number[]> => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const limits: number[] = []
  const call = async (_operation: unknown, _who: unknown, { timeoutMs }: { timeoutMs: number }) => {
    limits.push(timeoutMs)
    now += Math.min(ms, timeoutMs)
    return { record: null, later: true }
  }
  const ctx = { call } as unknown as Parameters<typeof lookUpMentioned>[0]
  const found = await lookUpMentioned(ctx, { uri: 'https://far.example/users/zoe', handle: 'zoe@far.example' }, true)
  expect(found.later).toBe(true)
  return limits
}

test('both look-ups of a mentioned account share one time limit', async () => {
  const [whole = 0, rest = 0] = await limitsOf(4_000)
  expect(rest).toBe(whole - 4_000)
  // A host that does not respond is not waited for a second time.
  expect(await limitsOf(60_000)).toEqual([whole])
})

test('a defect of another service does not count as an account that does not exist', async () => {
  const defect = asFailure(new TypeError('a defect'))
  const call = async (operation: unknown) => {
    if (operation === resolveAccount) throw defect
    return { records: [] }
  }
  const ctx = { call } as unknown as Parameters<typeof isWrittenBy>[0]
  const uri = 'https://far.example/users/zoe'
  expect(await lookUpMentioned(ctx, { uri }, true)).toMatchObject({ id: null, later: true })
  const note = { authorUri: uri } as Parameters<typeof isWrittenBy>[1]
  // A job that fails with a Failure of the code `unknown` itself is not tried again.
  const thrown = await isWrittenBy(ctx, note, { id: '1', uri: `${uri}?id=1` }).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ cause: defect })
  expect(isRetryable(thrown)).toBe(true)
})
