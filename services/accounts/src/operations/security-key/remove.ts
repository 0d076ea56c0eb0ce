/** Takes away a passkey or security key. */
import { securityKeyRemove } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { writeLetter } from '../../changes/letter.js'
import { dropUselessCodes } from '../../changes/second-factor.js'
import { tellCredential } from '../../changes/security-log.js'
import { handle } from '../../doors.js'
import { deleteSecurityKey } from '../../store/security-key.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const removeSecurityKey = handle(securityKeyRemove, async (ctx, _viewer, { session, password, id }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  await ctx.db.tx(async (tx) => {
    const name = await deleteSecurityKey(tx, person.user_id, id)
    if (name === null) throw notFound()
    await dropUselessCodes(tx, person.user_id)
    tellCredential(ctx, tx, person.user_id, { message: 'a second factor was removed', kind: 'key', by: 'self' })
    await writeLetter(ctx, tx, person, 'security-key-removed', { facts: { name } })
  })
  return {}
})
