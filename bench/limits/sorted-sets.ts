/** Limit of the scenario `fan-out`: a program that only inserts into sorted sets, pipelined, and trims the sets. */
import { createClient } from 'redis'
import { runPlans } from '../lib/limit-work.js'

const [redisUrl = '', followers = '10000'] = process.argv.slice(2)
const PAGE = 1_000
const LENGTH = 800
const redis = createClient({ url: redisUrl })
await redis.connect()

runPlans(async (n) => {
  const member = String(n).padStart(19, '0')
  for (let at = 0; at < Number(followers); at += PAGE) {
    const batch = redis.multi()
    for (let i = at; i < at + PAGE; i++)
      batch.zAdd(`bench:feed:${i}`, { score: 0, value: member }).zRemRangeByRank(`bench:feed:${i}`, 0, -(LENGTH + 1))
    await batch.execAsPipeline()
  }
})
