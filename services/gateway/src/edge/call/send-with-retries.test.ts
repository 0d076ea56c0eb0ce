// Requests to the federation service wait while its process restarts. Requests to other services fail at once.
import type { RpcResponse } from '@murmuration/bus'
import { receiveActivity, showWebFinger } from '@murmuration/contracts/federation'
import { type AnyOperation, fail } from '@murmuration/contracts/kit'
import { homeTimeline } from '@murmuration/contracts/statuses'
import { expect, test } from 'vitest'
import { createSendWithRetries } from './send-with-retries.js'

const envelope = { remainingMs: 5_000 } as never
const response = { bytes: new Uint8Array(), meta: { code: null } } as unknown as RpcResponse

/** A bus whose first `times` requests fail with `unavailable`. */
const absent = (times: number) => {
  let asked = 0
  const sendRequest = createSendWithRetries(async () => {
    if (asked++ < times) throw fail('unavailable', 'Nobody answers')
    return response
  })
  return {
    sendRequest: (operation: AnyOperation, onWait = () => {}) => sendRequest(onWait, operation, '{}', envelope),
    asked: () => asked,
  }
}

test.each([receiveActivity, showWebFinger])(
  'a request to federation is retried until it responds',
  async (operation) => {
    let waits = 0
    const { sendRequest, asked } = absent(3)
    expect(await sendRequest(operation as AnyOperation, () => waits++)).toBe(response)
    expect([asked(), waits]).toEqual([4, 1])
  },
)

test('a request to another service is refused at once', async () => {
  const { sendRequest, asked } = absent(1)
  await expect(sendRequest(homeTimeline as AnyOperation)).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked()).toBe(1)
})

test('a request that waited nine seconds is refused', async () => {
  const { sendRequest } = absent(Number.POSITIVE_INFINITY)
  await expect(sendRequest(receiveActivity as AnyOperation)).rejects.toMatchObject({ code: 'unavailable' })
})

test('a request without a response for 250 ms releases its slot once', async () => {
  let release = (_: RpcResponse) => {}
  const sendRequest = createSendWithRetries(() => new Promise((resolve) => (release = resolve)))
  let waits = 0
  const asked = sendRequest(() => waits++, showWebFinger as AnyOperation, '{}', envelope)
  await expect.poll(() => waits).toBe(1)
  release(response)
  expect(await asked).toBe(response)
  expect(waits).toBe(1)
})

test.each([
  ['unavailable, come back in 5 s: federation is not ready yet', 'unavailable', { 'Retry-After': '5' }, 2],
  ['unavailable, come back in 10 s: another server does not answer', 'unavailable', { 'Retry-After': '10' }, 1],
  ['timeout: federation was too slow', 'timeout', {}, 2],
] as const)('a response with an error is retried or passed on: %s', async (_name, code, headers, times) => {
  let asked = 0
  const error = { bytes: new Uint8Array(), meta: { code, headers } } as unknown as RpcResponse
  const sendRequest = createSendWithRetries(async () => (asked++ === 0 ? error : response))
  const got = await sendRequest(() => {}, receiveActivity as AnyOperation, '{}', envelope)
  expect([got.meta.code, asked]).toEqual([times === 1 ? code : null, times])
})

test('a refusal by federation is passed on without a retry', async () => {
  const sendRequest = createSendWithRetries(async () => {
    throw fail('forbidden', 'No')
  })
  await expect(sendRequest(() => {}, receiveActivity as AnyOperation, '{}', envelope)).rejects.toMatchObject({
    code: 'forbidden',
  })
})
