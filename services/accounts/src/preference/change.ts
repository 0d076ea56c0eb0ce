/** Changes preferences of a local account for posting, reading and language. */
import { accountInvalidation, preferencesChanged, tokenInvalidation } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { type PostingChange, type ReadingChange, updatePosting, updateReading } from '../core/preference/store.js'
import { validTokenIds } from '../core/token/store.js'
import { setLocale } from '../core/user/store.js'

export const changePreferences = (
  ctx: Pick<Context, 'db' | 'announce' | 'invalidations'>,
  user: { account_id: string; user_id: string },
  { locale, ...change }: PostingChange & ReadingChange & { locale?: string | undefined },
): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await updatePosting(tx, user.account_id, change)
    await updateReading(tx, user.account_id, change)
    await ctx.announce(tx, preferencesChanged, { id: user.account_id })
    // Invalidates cached accounts, because other services cache the languages that an account chose.
    tx.onCommit(() => ctx.invalidations.send(accountInvalidation, [user.account_id]))
    if (locale === undefined || !(await setLocale(tx, user.user_id, locale))) return
    // Invalidates cached tokens, because the gateway caches the user of a token with the language.
    const tokens = await validTokenIds(tx, user.user_id)
    tx.onCommit(() => ctx.invalidations.send(tokenInvalidation, tokens))
  })
