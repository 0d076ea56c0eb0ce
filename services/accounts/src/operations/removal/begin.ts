/** Deletes the account of who is signed in, after they proved that it is them. */
import { removalBegin } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { remove } from '../../changes/removal.js'
import { handle } from '../../doors.js'
import { accountById } from '../../store/account.js'
import { lockAccount } from '../../store/lock.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const beginRemoval = handle(removalBegin, async (ctx, _viewer, { session, password }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  await ctx.db.tx(async (tx) => {
    await lockAccount(tx, person.account_id)
    const account = await accountById(tx, person.account_id)
    if (!account) throw notFound()
    await remove(ctx, tx, [{ ...person, uri: account.uri }])
  })
  return {}
})
