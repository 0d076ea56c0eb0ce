/** A passkey or security key proved itself and counts from now on. */
import { securityKeyAdd } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { firstBackupCodes } from '../../changes/backup-codes.js'
import { writeLetter } from '../../changes/letter.js'
import { tellCredential } from '../../changes/security-log.js'
import { handle } from '../../doors.js'
import { proveNewKey } from '../../secrets/passkeys.js'
import { insertSecurityKey } from '../../store/security-key.js'
import { deleteOtherSessions } from '../../store/session.js'
import { takeStepByDigest } from '../../store/sign-in-step.js'
import { relyingParty } from '../../views/second-factor.js'
import { signedIn } from '../../views/signed-in.js'

const MOST_NAME = 60

export const addSecurityKey = handle(securityKeyAdd, async (ctx, _viewer, input) => {
  const person = await signedIn(ctx, input.session)
  const at = ctx.clock.date()
  const step = await takeStepByDigest(ctx.db, ctx.tokens.digest(input.step), 'key', at)
  const proved =
    step?.user_id === person.user_id && step.challenge !== null
      ? await proveNewKey(relyingParty(ctx), step.challenge, input.credential)
      : null
  if (!proved) throw fail('unprocessable', 'The key did not answer as it should; begin again.')
  const name = input.name.trim().slice(0, MOST_NAME) || 'Security key'
  const backupCodes = await ctx.db.tx(async (tx) => {
    const key = { id: ctx.ids.next(), userId: person.user_id, ...proved, name, at }
    if (!(await insertSecurityKey(tx, key))) throw fail('unprocessable', 'This key is known already.')
    await deleteOtherSessions(tx, person.user_id, person.session_id)
    tellCredential(ctx, tx, person.user_id, { message: 'a second factor was added', kind: 'key' })
    await writeLetter(ctx, tx, person, 'security-key-added', { facts: { name } })
    return firstBackupCodes(ctx, tx, person.user_id)
  })
  return { backupCodes }
})
