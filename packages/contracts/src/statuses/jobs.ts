/** The queues of statuses: only that service fills and works them. */
import { z } from 'zod'
import { job } from '../kit/index.js'

/** Feeds may be away for hours and must be right afterwards, so these jobs do not give up soon. */
const patient = { delays: [1, 5, 30, 120, 600], times: 40 }

export const fanOut = job('statuses.fan-out', {
  data: z.object({
    status: z.string(),
    /** Others that became known in the same moment, for which the same is done. */
    more: z.array(z.string()).optional(),
    /** Follower id after which the page starts. */
    after: z.string().optional(),
    /** The revision of an edit, or the time of what came to be shown with it: open connections are told, feeds stay as they are. */
    edited: z.int().optional(),
    /** A boost that was hidden behind another one: into feeds, without telling open connections. */
    quiet: z.boolean().optional(),
  }),
  about: 'Puts statuses into the feeds of a page of a thousand followers.',
  concurrency: 16,
  retry: patient,
})

export const cleanUp = job('statuses.clean-up', {
  data: z.object({ account: z.string() }),
  about: 'Deletes some of what a person wants deleted because it is old.',
  // Nobody waits for it, and every status that goes is told to other servers.
  concurrency: 1,
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
  data: z.object({
    author: z.string(),
    /** Only for as long as the account is suspended. */ suspended: z.boolean().optional(),
  }),
  about: 'Deletes what an account that is gone, or suspended for long, wrote and did, some hundreds of rows at a time.',
  timeoutMs: 60_000,
  concurrency: 2,
})

export const unburyAuthor = job('statuses.unbury-author', {
  data: z.object({
    author: z.string(),
    /** Milliseconds since 1970; what was taken back later stays so. */ before: z.number(),
  }),
  about: 'Forgets what an author took back before its server began again, a thousand addresses at a time.',
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

export const findMentioned = job('statuses.find-mentioned', {
  data: z.object({
    /** The server that did not answer. */
    host: z.string(),
    /** Those of its people who became due together, by the time until which they were put off for this. */
    at: z.string(),
  }),
  about: 'Looks once more for people whom remote statuses mention and whose server did not answer.',
  timeoutMs: 120_000,
  concurrency: 4,
})

export const bringReplies = job('statuses.bring-replies', {
  data: z.object({
    /** A remote status. */
    status: z.string(),
    /** Under which id readers ask how far it is. */
    refresh: z.string(),
  }),
  about: 'Brings in what was answered to a remote status, as the servers of the thread list it.',
  retry: { delays: [15], times: 2 },
  timeoutMs: 180_000,
  concurrency: 4,
})

export const bringAuthor = job('statuses.bring-author', {
  data: z.object({
    /** Account id of somebody elsewhere. */
    account: z.string(),
    /** Their latest statuses and what they pinned, or only the latter. */
    what: z.enum(['all', 'pins']),
    /** Whose new follow it was: they find the statuses in their home feed. */
    reader: z.string().nullable(),
  }),
  about: 'Brings in what a remote account published last and what it pinned.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 120_000,
  concurrency: 4,
})

export const refreshStatus = job('statuses.refresh-remote', {
  data: z.object({ status: z.string() }),
  about: 'Reads a remote status again: the figures of its poll, and how often it was liked and boosted.',
  retry: { delays: [], times: 1 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const publishScheduled = job('statuses.publish-scheduled', {
  data: z.object({ id: z.string() }),
  about: 'Publishes a status whose time has come.',
})

export const previewLink = job('statuses.preview-link', {
  data: z.object({ status: z.string() }),
  about: 'Looks at the link in a status and shows a preview of its page below it.',
  timeoutMs: 45_000,
  concurrency: 16,
})

export const checkQuote = job('statuses.check-quote', {
  data: z.object({
    /** The status that quotes. */
    status: z.string(),
    /** How many quoted statuses may be fetched one after the other. */
    depth: z.int(),
  }),
  about: 'Finds the status that a remote one quotes, and proves the approval it names.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const checkReply = job('statuses.check-reply', {
  /** The answer, written elsewhere. */
  data: z.object({ status: z.string() }),
  about: 'Proves the approval of a remote answer whose author needs one, and shows or hides it accordingly.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const fanOutTags = job('statuses.fan-out-tags', {
  data: z.object({
    status: z.string(),
    /** Account id after which the page starts. */
    after: z.string().optional(),
    /** The revision of an edit, which may have brought new tags. */
    edited: z.int().optional(),
    /** The status was deleted: it is taken out of the feeds. */
    gone: z.boolean().optional(),
  }),
  about: 'Puts a public status into the feeds of a page of a thousand people who follow its hashtags, or takes it out.',
  concurrency: 8,
  retry: patient,
})

export const takeOutTag = job('statuses.take-out-tag', {
  data: z.object({ account: z.string(), tag: z.string() }),
  about: 'Takes out of a home feed what was there only because of a hashtag that is no longer followed.',
  retry: patient,
})

export const syncFeaturedTags = job('statuses.sync-featured-tags', {
  data: z.object({ account: z.string(), url: z.string() }),
  about: 'Reads which hashtags a remote account features.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})

export const fileConversation = job('statuses.file-conversation', {
  data: z.object({ status: z.string() }),
  about:
    'Files a direct status into the conversations of those it concerns, as it stands now; takes a deleted one out.',
})
