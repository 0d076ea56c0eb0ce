/** Work that notifications queues for itself. */
import { z } from 'zod'
import { job } from '../kit/index.js'
import { limits } from '../limits.js'

export const tellFollowersJob = job('notifications.tell-followers', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Where the page before ended. */
    after: z.string(),
    /** When the status was written, in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells one more page of followers that somebody posted.',
})

export const tellBoostersJob = job('notifications.tell-boosters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
    /** When it was edited, in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who boosted a status that it was edited.',
})

export const tellQuotersJob = job('notifications.tell-quoters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
    /** When it was edited, in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who quote a status that it was edited.',
})

export const sendPushJob = job('notifications.send-push', {
  data: z.object({ subscription: z.string(), notification: z.string() }),
  about: 'Encrypts one notification for one push subscription and sends it.',
  retry: { delays: [2, 15, 120, 600, 3_600], times: limits.delivery.pushTries + 1 },
  timeoutMs: 25_000,
  concurrency: 32,
})

export const mergeRequestJob = job('notifications.merge-request', {
  data: z.object({ recipient: z.string(), from: z.string() }),
  about: 'Lets what an accepted request held into the list.',
})

export const tellVotersJob = job('notifications.tell-voters', {
  data: z.object({
    poll: z.string(),
    status: z.string(),
    author: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
    /** When the poll ended, in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who voted that the poll is over.',
})

export const tellTermsJob = job('notifications.tell-terms', {
  data: z.object({
    /** Which publication it is about. */
    terms: z.string(),
    /** `2026-01-31`, from which they hold. */
    day: z.string(),
    /** Where the page before ended. */
    after: z.string().optional(),
  }),
  about: 'Writes to a page of people about new terms of service.',
})
