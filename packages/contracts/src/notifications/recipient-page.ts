/** Jobs that notify one page of recipients and queue the next page. The names `tell-…` stay, because stored jobs contain them. */

import { z } from 'zod'
import { job } from '../kit/index.js'

export const notifyFollowersJob = job('notifications.tell-followers', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor that the previous page of recipients returned. */
    after: z.string(),
    /** Time of the status in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Notifies one page of followers of a new status.',
})

export const notifyBoostersJob = job('notifications.tell-boosters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor that the previous page returned; absent for the first page. */
    after: z.string().optional(),
    /** Time of the edit in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Notifies one page of accounts that boosted a status of its edit.',
})

export const notifyQuotersJob = job('notifications.tell-quoters', {
  data: z.object({
    status: z.string(),
    author: z.string(),
    /** Cursor that the previous page returned; absent for the first page. */
    after: z.string().optional(),
    /** Time of the edit in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Notifies one page of accounts that quoted a status of its edit.',
})

export const notifyVotersJob = job('notifications.tell-voters', {
  data: z.object({
    poll: z.string(),
    status: z.string(),
    author: z.string(),
    /** Cursor that the previous page returned; absent for the first page. */
    after: z.string().optional(),
    /** End of the poll in milliseconds since 1970. */
    at: z.number(),
  }),
  about: 'Notifies one page of voters of the end of a poll.',
})
