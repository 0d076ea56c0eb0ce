// Requests of other servers wait while federation restarts, and no others do.
import type { Answer } from '@murmuration/bus'
import { receiveActivity, showWebFinger } from '@murmuration/contracts/federation'
import { type AnyOperation, fail } from '@murmuration/contracts/kit'
import { homeTimeline } from '@murmuration/contracts/statuses'
import { expect, test } from 'vitest'
import { createPatientAsk } from './patience.js'

const envelope = { remainingMs: 5_000 } as never
const answer = { bytes: new Uint8Array(), meta: { code: null } } as unknown as Answer

/** Fails so often before it answers. */
const absent = (times: number) => {
  let asked = 0
  const ask = createPatientAsk(async () => {
    if (asked++ < times) throw fail('unavailable', 'Nobody answers')
    return answer
  })
  return {
    ask: (operation: AnyOperation, onWait = () => {}) => ask(onWait, operation, '{}', envelope),
    asked: () => asked,
  }
}

test.each([receiveActivity, showWebFinger])('a request to federation waits until it answers', async (operation) => {
  let waits = 0
  const { ask, asked } = absent(3)
  expect(await ask(operation as AnyOperation, () => waits++)).toBe(answer)
  expect([asked(), waits]).toEqual([4, 1])
})

test('a request to another service is refused at once', async () => {
  const { ask, asked } = absent(1)
  await expect(ask(homeTimeline as AnyOperation)).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked()).toBe(1)
})

test('a request that waited some seconds is refused', async () => {
  const { ask } = absent(Number.POSITIVE_INFINITY)
  await expect(ask(receiveActivity as AnyOperation)).rejects.toMatchObject({ code: 'unavailable' })
}, 20_000)

const refusal = (retryAfter: string) =>
  ({
    bytes: new Uint8Array(),
    meta: { code: 'unavailable', headers: { 'Retry-After': retryAfter } },
  }) as unknown as Answer

test.each([
  ['repeated if federation is not ready yet', '5', 2],
  ['passed on if another server does not answer', '10', 1],
] as const)('an answer that asks to come back is %s', async (_name, retryAfter, times) => {
  let asked = 0
  const ask = createPatientAsk(async () => (asked++ === 0 ? refusal(retryAfter) : answer))
  const got = await ask(() => {}, receiveActivity as AnyOperation, '{}', envelope)
  expect([got.meta.code, asked]).toEqual([times === 1 ? 'unavailable' : null, times])
})

test('a refusal by federation itself is passed on', async () => {
  const ask = createPatientAsk(async () => {
    throw fail('forbidden', 'No')
  })
  await expect(ask(() => {}, receiveActivity as AnyOperation, '{}', envelope)).rejects.toMatchObject({
    code: 'forbidden',
  })
})
