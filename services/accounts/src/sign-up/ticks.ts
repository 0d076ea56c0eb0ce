/** Ticks that delete unconfirmed sign-ups, expired links, old e-mails, old IP addresses and old counters. */
import { limits } from '@murmuration/contracts/limits'
import { idFloor } from '@murmuration/kernel'
import { emailsOfAccounts } from '../email/index.js'
import { tick } from '../handlers.js'
import { deleteOldLinks, deleteOldMails } from '../mail/index.js'
import { removeUnused } from '../removal/index.js'
import { deleteRefused } from './refused.store.js'
import { deleteAddresses, neverConfirmed } from './store.js'

const DAY = 86_400_000
const MAX_ACCOUNTS = 50
/** Maximum number of sign-ups whose IP address one run deletes. */
const MAX_ADDRESSES = 1_000

export const purgeJoining = tick('accounts.purge-joining', 300_000, async (ctx) => {
  const now = ctx.clock.now()
  const before = new Date(now - limits.accounts.unconfirmedKeptSeconds * 1_000)
  await ctx.db.tx(async (tx) => {
    const users = await emailsOfAccounts(tx, await neverConfirmed(tx, before, MAX_ACCOUNTS))
    await removeUnused(ctx, tx, users)
  })
  await deleteOldLinks(ctx.db, new Date(now))
  await deleteOldMails(ctx.db, new Date(now - 7 * DAY))
  await deleteAddresses(ctx.db, idFloor(now - 365 * DAY), MAX_ADDRESSES)
})

/** Maximum number of counters that one run deletes. */
const MAX_COUNTERS = 5_000

export const deleteRefusedSignUps = tick('accounts.forget-refused-sign-ups', 3_600_000, async (ctx) => {
  await deleteRefused(ctx.db, new Date(ctx.clock.now() - 7 * 86_400_000), MAX_COUNTERS)
})
