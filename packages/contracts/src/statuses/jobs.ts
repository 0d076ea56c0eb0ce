/** The queues of statuses: only that service fills and works them. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const fanOut = job('statuses.fan-out', {
  data: z.object({
    status: z.string(),
    /** Follower id after which the page starts. */
    after: z.string().optional(),
  }),
  about: 'Puts a status into the feeds of a page of a thousand followers.',
  concurrency: 16,
})

export const withdraw = job('statuses.withdraw', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Of a boost: the original. */
    reblogOf: z.string().nullable(),
    after: z.string().optional(),
  }),
  about: 'Takes a status out of the feeds of a page of a thousand followers.',
  concurrency: 16,
})
