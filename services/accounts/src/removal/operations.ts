/** Handlers that delete one's own account, or all accounts. */
import { accountTasks, beginAccountRemoval, selfDestruct } from '@murmuration/contracts/accounts'
import { invalidField, notFound } from '@murmuration/contracts/kit'
import { startTask } from '@murmuration/kernel'
import { normaliseDomain } from '@murmuration/text'
import { accountById } from '../core/account/store.js'
import { lockAccount } from '../core/lock.store.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { remove } from './remove.js'
import { selfDestructKind } from './self-destruct.js'

/** Deletes the account of the signed-in user, who must give the password. */
export const handleBeginRemoval = handle(beginAccountRemoval, async (ctx, _viewer, { session, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, user.account_id)
    await lockSignedIn(ctx, tx, session, user)
    const account = await accountById(tx, user.account_id)
    if (!account) throw notFound()
    await remove(ctx, tx, [{ ...user, uri: account.uri }])
  })
  return {}
})

/** Starts the task that deletes all accounts. The domain must be given as a confirmation. */
export const begin = handle(selfDestruct, (ctx, by, { domain, dry_run }) => {
  const own = normaliseDomain(ctx.site.localDomain)
  if (own === null || normaliseDomain(domain) !== own) throw invalidField('Domain must be the domain of this server')
  return startTask(ctx, accountTasks, selfDestructKind, { by, input: { domain: own }, dryRun: dry_run })
})
