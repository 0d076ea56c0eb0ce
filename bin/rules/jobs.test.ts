/** The check of jobs that are queued without the outbox. */
import { expect, test } from 'vitest'
import { jobRules, losableJobs } from './jobs.js'

const problems = (text: string) => losableJobs({ path: 'services/statuses/src/purge/jobs.ts', text })

test('a job that must not be lost is a problem, on one line and on several', () => {
  expect(problems('await ctx.queues.push(eraseAuthor, { id, data })')).toHaveLength(1)
  expect(problems('await ctx.queues.push(\n    eraseAuthor,\n    ...jobs)')).toHaveLength(1)
})

test('a job that may be lost and a job in the outbox are no problems', () => {
  expect(problems('await ctx.queues.push(fetchRepliesJob, { id, data })')).toEqual([])
  expect(problems('await ctx.queue(tx, eraseAuthor, data)')).toEqual([])
})

test('all jobs that must not be lost are queued in the outbox', () => {
  expect(jobRules()).toEqual([])
})
