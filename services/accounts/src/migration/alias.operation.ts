/** Handlers of aliases. */
import { addAlias, listAliases, removeAlias } from '@murmuration/contracts/accounts'
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { announceAccount } from '../core/account/announce.js'
import { accountById } from '../core/account/store.js'
import { lockName } from '../core/lock.store.js'
import { accountOfSession, lockAccountOfSession } from '../core/session/signed-in.js'
import { handle } from '../handlers.js'
import { resolveAccount } from '../remote-account/index.js'
import { aliasesOf, aliasOf } from './alias.js'
import { setAlias } from './store.js'

/** Returns the aliases of the signed-in user's account. */
export const list = handle(listAliases, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { aliases: await aliasesOf(ctx.db, account.also_known_as, ctx.site.localDomain) }
})

/** Maximum number of aliases of an account. Remote servers read no more than these aliases (A130). */
const MAX_ALIASES = 256

export const add = handle(addAlias, async (ctx, _viewer, { session, acct }) => {
  const { account, user } = await accountOfSession(ctx, session)
  const typed = acct.trim().replace(/^@/, '')
  if (typed === '') throw invalidField("Account can't be blank")
  const other = await resolveAccount(ctx, { handle: typed })
  if (!other?.usable || other.suspended) throw invalidField('Account could not be found')
  if (other.id === account.id) throw invalidField('Account cannot be the current account')
  await ctx.db.tx(async (tx) => {
    // The session may have ended, or the account may have been suspended, while the other account was fetched.
    await lockAccountOfSession(ctx, tx, session, user)
    await lockName(tx, `move ${account.id}`)
    const before = await accountById(tx, account.id)
    if ((before?.also_known_as.length ?? 0) >= MAX_ALIASES)
      throw invalidField(errorText('Account is one too many ({most} at most)', { most: MAX_ALIASES }))
    if (!(await setAlias(tx, account.id, other.uri, true))) throw invalidField('Account has already been taken')
    await announceAccount(ctx, tx, account.id, false)
  })
  return aliasOf(other, ctx.site.localDomain)
})

/** Removes an alias of the signed-in user's account. */
export const remove = handle(removeAlias, async (ctx, _viewer, { session, uri }) => {
  const { account } = await accountOfSession(ctx, session)
  return ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account.id}`)
    const removed = await setAlias(tx, account.id, uri, false)
    if (removed) await announceAccount(ctx, tx, account.id, false)
    return { removed }
  })
})
