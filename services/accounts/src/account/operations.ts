/** Handlers that show accounts. */
import {
  accountCards,
  accountMany,
  creditAllowed,
  listIdentityProofs,
  lookupAccount,
  showAccount,
} from '@murmuration/contracts/accounts'
import { errorText, fail, notFound, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { accountsOfRows, cardsOf } from '../core/account/cards.js'
import { accountAt } from '../core/account/find-by-address.js'
import { accountsByHandles, accountsByIds } from '../core/account/store.js'
import { otherAccount } from '../core/account/visible-account.js'
import { handleKeyOf } from '../core/address/handle.rules.js'
import { handle } from '../handlers.js'
import { refreshInBackground } from '../remote-account/index.js'
import { credits } from './credit.store.js'

/** Returns an account by id. */
export const handleShowAccount = handle(showAccount, async (ctx, viewer, { id }) => {
  const row = await otherAccount(ctx, id)
  // Only requests of a signed-in viewer cause a new fetch of a remote profile, because such a fetch sends requests to other servers.
  if (viewer !== null) refreshInBackground(ctx, row)
  const [account] = await accountsOfRows(ctx, [row])
  if (!account) throw notFound()
  return toJson(account)
})

/** Returns accounts by id in the order of the request. Unknown, unusable and suspended accounts are left out. */
export const showManyAccounts = handle(accountMany, async (ctx, _viewer, { id }) => {
  const max = limits.accounts.maxFetched
  if (id.length > max) throw fail('unprocessable', errorText('Too many ids (maximum is {most})', { most: max }))
  const known = new Map((await accountsByIds(ctx.db, id)).map((row) => [row.id, row]))
  const rows = id.flatMap((one) => known.get(one) ?? []).filter((row) => row.usable && !row.suspended)
  return accountsOfRows(ctx, rows)
})

/**
 * Returns an account by handle or address, without requests to other servers. Accounts with an unconfirmed e-mail
 * address are included (S-120 … S-122).
 */
export const lookup = handle(lookupAccount, async (ctx, _viewer, { acct }) => {
  const key = handleKeyOf(acct.trim().replace(/^acct:/i, ''), ctx.site)
  const isAddress = /^https?:/i.test(acct.trim())
  const [byHandle] = key ? await accountsByHandles(ctx.db, [key]) : []
  const row = isAddress ? await accountAt(ctx, acct.trim()) : byHandle
  const [account] = row ? await accountsOfRows(ctx, [row]) : []
  if (!account) throw notFound()
  return toJson(account)
})

/** Returns an empty list. Identity proofs do not exist any longer, but old clients request this endpoint. */
export const listProofs = handle(listIdentityProofs, async (ctx, _viewer, { id }) => {
  await otherAccount(ctx, id)
  return []
})

/** Returns whether pages of a host may name an account as their author. */
export const getCredit = handle(creditAllowed, async (ctx, _viewer, { id, host }) => ({
  allowed: await credits(ctx.db, id, host.toLowerCase()),
}))

/** Returns cards of accounts by id, for services that render entities with accounts. */
export const getCards = handle(accountCards, (ctx, _viewer, { ids }) => cardsOf(ctx, ids))
