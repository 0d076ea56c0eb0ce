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
    /** True if the block was undone, and the follows that it ended are asked for again. */
    restores: z.boolean().optional(),
  }),
  timeoutMs: 60_000,
  about: 'Brings the accounts of a domain to what the blocks and allows of this moment say.',
})

export const settleAccount = job('admin.settle-account', {
  data: z.object({ account: z.string(), state: z.enum(['disable', 'sensitive', 'silence', 'suspend']) }),
  about: 'Brings one state of an account to what staff decided last.',
})

export const settleAccounts = job('admin.settle-accounts', {
  data: z.object({ accounts: z.array(z.string()), state: z.enum(['disable', 'sensitive', 'silence', 'suspend']) }),
  timeoutMs: 60_000,
  about: 'Brings one state of several accounts to what staff decided last.',
})

export const settleStatuses = job('admin.settle-statuses', {
  data: z.object({ strike: z.string() }),
  timeoutMs: 60_000,
  about: 'Brings the statuses of a strike to what staff decided about it last.',
})

export const settleVerdicts = job('admin.settle-verdicts', {
  data: z.object({ accounts: z.array(z.string()), verdict: z.enum(['approve', 'reject']) }),
  timeoutMs: 60_000,
  about: 'Approves or rejects several sign-ups as staff decided.',
})

export const settleVerdict = job('admin.settle-verdict', {
  data: z.object({ account: z.string(), verdict: z.enum(['approve', 'reject', 'delete']) }),
  timeoutMs: 60_000,
  about: 'Approves, rejects or deletes an account as staff decided.',
})

/** Tries of a delivery; with these delays the last one is some three days after the first. */
export const WEBHOOK_TRIES = 16

export const sendWebhook = job('admin.send-webhook', {
  data: z.object({ delivery: z.string() }),
  about: 'Sends one delivery to its webhook.',
  retry: { delays: [5, 30, 120, 600, 1_800, 3_600, 7_200, 10_800, 14_400, 18_000, 21_600], times: WEBHOOK_TRIES },
  timeoutMs: 30_000,
  concurrency: 8,
})

export const settleUndo = job('admin.settle-undo', {
  data: z.object({ /** The entry that is undone. */ entry: z.string() }),
  about: 'Finishes an undo whose state another service owns, if the request could not.',
})
