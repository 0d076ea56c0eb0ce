/** Which jobs read the parents of statuses that arrive. */
import { expect, test } from 'vitest'
import { followThread } from './thread.js'

const pushed: { id: string; data: unknown }[] = []
const ctx = {
  self: { ownHosts: new Set(['ours.example']) },
  acquaintances: { status: async () => null },
  queues: {
    async push(_job: unknown, ...items: { id: string; data: unknown }[]) {
      pushed.push(...items)
    },
  },
} as unknown as Parameters<typeof followThread>[0]

test('each parent has a job of its own, however alike long addresses begin; the same parent has one', async () => {
  const long = `https://far.example/${'conversation/'.repeat(40)}`
  const answering = (in_reply_to: string) => followThread(ctx, { in_reply_to, visibility: 'public' })
  await answering(`${long}a`)
  await answering(`${long}b`)
  await answering(`${long}a`)
  expect(new Set(pushed.map((it) => it.id)).size).toBe(2)
  expect(Math.max(...pushed.map((it) => it.id.length))).toBeLessThan(100)
  expect(pushed.map((it) => it.data)).toEqual(['a', 'b', 'a'].map((end) => ({ uri: `${long}${end}`, depth: 0 })))
})
