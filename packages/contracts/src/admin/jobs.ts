/** Work of admin that runs after the answer. */
import { z } from 'zod'
import { job } from '../kit/index.js'

export const settleDomain = job('admin.settle-domain', {
  data: z.object({
    domain: z.string(),
    /** Stamp of the block or allow that changed. */
    stamp: z.string(),
    /** Also settle domains below it that have a block of their own. */
    below: z.boolean().default(true),
  }),
  timeoutMs: 60_000,
  about: 'Brings the accounts of a domain to what the blocks and allows of this moment say.',
})

export const settleAccount = job('admin.settle-account', {
  data: z.object({ account: z.string(), state: z.enum(['disable', 'sensitive', 'silence', 'suspend']) }),
  about: 'Brings one state of an account to what staff decided last.',
})

export const settleVerdict = job('admin.settle-verdict', {
  data: z.object({ account: z.string(), verdict: z.enum(['approve', 'reject', 'delete']) }),
  timeoutMs: 60_000,
  about: 'Approves, rejects or deletes an account as staff decided.',
})
