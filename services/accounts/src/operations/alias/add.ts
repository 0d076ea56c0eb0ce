/** A person says that another account is theirs too; followers elsewhere hear it with the profile. */
import { aliasAdd } from '@murmuration/contracts/accounts'
import { invalidField } from '@murmuration/contracts/kit'
import { tellOfAccount } from '../../changes/move.js'
import { handle } from '../../doors.js'
import { resolveAccount } from '../../outside/resolve-account.js'
import { accountById } from '../../store/account.js'
import { lockName } from '../../store/lock.js'
import { setAlias } from '../../store/move.js'
import { aliasOf } from '../../views/alias.js'
import { accountOfSession } from '../../views/session-account.js'

/** Others read no more (A130). */
const MOST = 256

export const addAlias = handle(aliasAdd, async (ctx, _viewer, { session, acct }) => {
  const { account } = await accountOfSession(ctx, session)
  const typed = acct.trim().replace(/^@/, '')
  if (typed === '') throw invalidField("Account can't be blank")
  const other = await resolveAccount(ctx, { handle: typed })
  if (!other?.usable || other.suspended) throw invalidField('Account could not be found')
  if (other.id === account.id) throw invalidField('Account cannot be the current account')
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `move ${account.id}`)
    const before = await accountById(tx, account.id)
    if ((before?.also_known_as.length ?? 0) >= MOST) throw invalidField(`Account is one too many (${MOST} at most)`)
    if (!(await setAlias(tx, account.id, other.uri, true))) throw invalidField('Account has already been taken')
    await tellOfAccount(ctx, tx, account.id, false)
  })
  return aliasOf(other, ctx.site.localDomain)
})
