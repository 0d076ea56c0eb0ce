/** Jobs that notify one page of recipients and queue the next page. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const tellFollowersJob = job('notifications.tell-followers', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor of the previous page. */
    after: z.string(),
    /** Time of the status in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells one more page of followers that somebody posted.',
})

export const tellBoostersJob = job('notifications.tell-boosters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor of the previous page. */
    after: z.string().optional(),
    /** Time of the edit in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who boosted a status that it was edited.',
})

export const tellQuotersJob = job('notifications.tell-quoters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor of the previous page. */
    after: z.string().optional(),
    /** Time of the edit in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who quote a status that it was edited.',
})

export const tellVotersJob = job('notifications.tell-voters', {
  data: z.object({
    poll: z.string(),
    status: z.string(),
    author: z.string(),
    /** Cursor of the previous page. */
    after: z.string().optional(),
    /** End of the poll in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Tells a page of people who voted that the poll is over.',
})
