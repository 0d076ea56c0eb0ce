/** Presence after Redis lost data: it is written again, and accounts that may have missed events get a gap. */
import type { BaseContext } from '@murmuration/kernel'
import { openStream, type StreamingClient } from '@murmuration/testkit/ws/streaming-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const KEY = 'streaming:present'
let harness: Harness
const open: StreamingClient[] = []
beforeAll(async () => {
  harness = await startHarness({})
})
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
  await harness.stop()
})

const redis = () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'streaming')?.ctx as BaseContext
  return ctx.redis
}
const connect = async (fakeAccount: string): Promise<StreamingClient> => {
  const query = { stream: 'user' }
  const stream = await openStream(`${harness.origin}/api/v1/streaming`, { token: harness.token(fakeAccount), query })
  open.push(stream)
  await stream.settled()
  return stream
}
const present = (...accounts: string[]) => redis().run((client) => client.zmScore(KEY, accounts))

test('an account that connects while Redis refuses writes is present within seconds and gets a gap', async () => {
  const known = await connect('1')
  await expect.poll(() => present('1')).toEqual([expect.any(Number)])
  await redis().run(async (client) => {
    await client.rename(KEY, `${KEY}:away`)
    await client.set(KEY, 'no set')
  })
  const stream = await connect('2')
  // In one step, because the account may be present a moment later.
  const [, score] = await redis().run((client) => client.multi().rename(`${KEY}:away`, KEY).zScore(KEY, '2').exec())
  expect(score).toBeNull()
  expect(await stream.next('gap')).toMatchObject({ stream: ['user'] })
  expect(await present('2')).toEqual([expect.any(Number)])
  expect(known.events.all).toEqual([])
})

test('after Redis returned to an earlier state, an account missing there is present within seconds and gets a gap', async () => {
  const stream = await connect('3')
  await expect.poll(() => present('3')).toEqual([expect.any(Number)])
  await redis().run(async (client) => {
    const own = (await client.zRange(KEY, 0, -1)).map(String).filter((one) => /^!./.test(one))
    for (const value of own) await client.zIncrBy(KEY, -60_000, value)
    await client.zRem(KEY, '3')
  })
  expect(await stream.next('gap')).toMatchObject({ stream: ['user'] })
  expect(await present('3')).toEqual([expect.any(Number)])
})
