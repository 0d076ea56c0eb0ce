/** Measures the fan-out of one status to 10,000 active local followers. */
import { createClient } from 'redis'
import { addFollowers } from '../lib/accounts.js'
import { startLimit } from '../lib/limit-process.js'
import { alternate, figureOf, timed } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const FOLLOWERS = 10_000
const PAGE = 1_000
/**
 * Number of statuses of one round, one after the other. The CPU time of a single status is too short for the counters of
 * the kernel.
 */
const STATUSES = 4

export const fanOut: Scenario = {
  name: 'fan-out',
  about: 'fan-out of one status to 10,000 active local followers',
  limitIs: 'raw pipelined sorted-set insert and trim',
  target: { kind: 'ratio', value: 0.5 },
  async run({ backing, start }) {
    const { product, users, path, analyze } = await start()
    const author = await users.create('famous')
    const ids = await addFollowers(product.databaseUrl, author, FOLLOWERS, 'fan')
    const redisUrl = product.env.REDIS_URL ?? ''
    const bare = await startLimit('sorted-sets.ts', redisUrl, String(FOLLOWERS))
    const redis = createClient({ url: redisUrl })
    await redis.connect()
    // Marks the feed of each follower as complete, as after the first read of the home timeline.
    for (let at = 0; at < ids.length; at += PAGE) {
      const batch = redis.multi()
      for (const id of ids.slice(at, at + PAGE)) batch.zAdd(`statuses:feed:home:${id}`, { score: 0, value: '!' })
      await batch.execAsPipeline()
    }
    const sample = ids.filter((_, i) => i % 499 === 0 || i === ids.length - 1)
    const arrived = async (member: string): Promise<boolean> => {
      const batch = redis.multi()
      for (const id of sample) batch.zScore(`statuses:feed:home:${id}`, member)
      return (await batch.execAsPipeline()).every((score) => score !== null)
    }
    const reachAll = async (text: string): Promise<void> => {
      const response = await users.as(author, 'POST', '/api/v1/statuses', { status: text })
      const member = (JSON.parse(response.text) as { id: string }).id.padStart(19, '0')
      for (let tries = 0; !(await arrived(member)); tries++) {
        if (tries > 3_000) throw new Error('the status did not reach all followers')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    await analyze()
    let n = 0
    const ours = () =>
      figureOf(path(), () =>
        timed(FOLLOWERS * STATUSES, async () => {
          for (let i = 0; i < STATUSES; i++) await reachAll(`To all followers, ${n++}`)
        }),
      )
    const limit = () =>
      figureOf({ bare: bare.pid, redis: backing.redis }, async () => {
        const done = await bare.run({ concurrency: 1, count: STATUSES })
        return { ...done, count: FOLLOWERS * STATUSES }
      })
    try {
      return await alternate(5, ours, limit)
    } finally {
      await redis.close()
      await bare.stop()
    }
  },
}
