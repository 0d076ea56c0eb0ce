/** Fan-out of one status to 10,000 active local followers. */
import { addFollowers, openRedis } from '../lib/crowd.js'
import { alternate, once } from '../lib/measure.js'
import type { Scenario } from '../lib/scenario.js'

const FOLLOWERS = 10_000
const PAGE = 1_000
const LENGTH = 800

export const fanOut: Scenario = {
  name: 'fan-out',
  about: 'fan-out of one status to 10,000 active local followers',
  limitIs: 'raw pipelined sorted-set insert and trim',
  target: { kind: 'ratio', value: 0.5 },
  async run({ product, people, backing, pid }) {
    const author = await people.make('famous')
    const ids = await addFollowers(product.databaseUrl, author, FOLLOWERS, 'fan')
    const redis = await openRedis(product.env.REDIS_URL ?? '')
    // Every follower has read their home once: the feed is there and complete.
    for (let at = 0; at < ids.length; at += PAGE) {
      const batch = redis.multi()
      for (const id of ids.slice(at, at + PAGE)) batch.zAdd(`feed:home:${id}`, { score: 0, value: '!' })
      await batch.execAsPipeline()
    }
    const sample = ids.filter((_, i) => i % 499 === 0)
    const arrived = async (member: string): Promise<boolean> => {
      const batch = redis.multi()
      for (const id of sample) batch.zScore(`feed:home:${id}`, member)
      return (await batch.execAsPipeline()).every((score) => score !== null)
    }
    let n = 0
    const ours = () =>
      once({
        operations: FOLLOWERS,
        pids: [pid('core'), product.nats.pid, backing.pg, backing.redis],
        async work() {
          const { text } = await people.as(author, 'POST', '/api/v1/statuses', { status: `To everybody, ${n++}` })
          const member = (JSON.parse(text) as { id: string }).id.padStart(19, '0')
          for (let tries = 0; !(await arrived(member)); tries++) {
            if (tries > 3_000) throw new Error('the status did not reach everybody')
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        },
      })
    const limit = () =>
      once({
        operations: FOLLOWERS,
        pids: [process.pid, backing.redis],
        async work() {
          const member = String(n++).padStart(19, '0')
          for (let at = 0; at < FOLLOWERS; at += PAGE) {
            const batch = redis.multi()
            for (let i = at; i < at + PAGE; i++)
              batch
                .zAdd(`bench:feed:${i}`, { score: 0, value: member })
                .zRemRangeByRank(`bench:feed:${i}`, 0, -(LENGTH + 1))
            await batch.execAsPipeline()
          }
        },
      })
    try {
      await ours()
      await limit()
      return await alternate(5, ours, limit)
    } finally {
      await redis.close()
    }
  },
}
