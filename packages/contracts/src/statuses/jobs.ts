/** The queues of statuses: only that service fills and works them. */
import { z } from 'zod'
import { job } from '../kit/index.js'

/** Feeds may be away for hours and must be right afterwards, so these jobs do not give up soon. */
const patient = { delays: [1, 5, 30, 120, 600], times: 40 }

export const fanOut = job('statuses.fan-out', {
  data: z.object({
    status: z.string(),
    /** Follower id after which the page starts. */
    after: z.string().optional(),
    /** The revision of an edit: open connections are told, feeds stay as they are. */
    edited: z.int().optional(),
    /** A boost that was hidden behind another one: into feeds, without telling open connections. */
    quiet: z.boolean().optional(),
  }),
  about: 'Puts a status into the feeds of a page of a thousand followers.',
  concurrency: 16,
  retry: patient,
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
  retry: patient,
})

export const removeReblogs = job('statuses.remove-reblogs', {
  data: z.object({ status: z.string() }),
  about: 'Deletes the boosts of a deleted status, two hundred at a time.',
})

export const eraseAuthor = job('statuses.erase-author', {
  data: z.object({ author: z.string() }),
  about: 'Deletes what an account that is gone wrote and did, some hundreds of rows at a time.',
  timeoutMs: 60_000,
  concurrency: 2,
})

export const fetchParent = job('statuses.fetch-parent', {
  data: z.object({
    /** Uri of a remote status that a stored one answers. */
    uri: z.string(),
    /** How many further parents may be fetched after this one. */
    depth: z.int(),
  }),
  about: 'Fetches the unknown parent of a remote reply.',
  retry: { delays: [30, 120, 600], times: 4 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const publishScheduled = job('statuses.publish-scheduled', {
  data: z.object({ id: z.string() }),
  about: 'Publishes a status whose time has come.',
})
