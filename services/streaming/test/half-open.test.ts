/** Connections of clients that disappeared without a close frame are closed after two pings, and no longer count against the limit. */
import { openStream } from '@murmuration/testkit/ws/streaming-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ STREAMING_PING_SECONDS: '2', STREAMING_MAX_PER_ACCOUNT: '1' })
})
afterAll(() => harness.stop())

const connect = () =>
  openStream(`${harness.origin}/api/v1/streaming`, { token: harness.token('1'), query: { stream: 'user' } })

test('F069 a client that answers no ping is disconnected and no longer counts against the limit', async () => {
  const gone = await connect()
  gone.pause()
  await expect(connect()).rejects.toMatchObject({ status: 503 })
  await expect
    .poll(
      () =>
        connect().then(
          async (stream) => {
            await stream.close()
            return 'let in'
          },
          () => 'refused',
        ),
      { interval: 250 },
    )
    .toBe('let in')
  gone.resume()
  expect((await gone.closed).code).toBe(1006)
})

test('F069 a client that answers pings stays connected without any events', async () => {
  const quiet = await connect()
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  harness.publish('statuses', 'live.user.1', { e: 'filters_changed' })
  expect(await quiet.next('filters_changed')).toMatchObject({ event: 'filters_changed' })
  await quiet.close()
})
