/** What a browser asks a new passkey or security key. */
import { securityKeyBegin } from '@murmuration/contracts/accounts'
import { fail } from '@murmuration/contracts/kit'
import { beginStep } from '../../changes/sign-in-step.js'
import { handle } from '../../doors.js'
import { askForNewKey } from '../../secrets/passkeys.js'
import { securityKeysOf } from '../../store/security-key.js'
import { relyingParty } from '../../views/second-factor.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

const MOST_KEYS = 20

export const beginSecurityKey = handle(securityKeyBegin, async (ctx, _viewer, { session, password }) => {
  const person = await signedIn(ctx, session)
  await mustProve(ctx, person, password)
  const known = await securityKeysOf(ctx.db, person.user_id)
  if (known.length >= MOST_KEYS) throw fail('unprocessable', `More than ${MOST_KEYS} keys cannot be kept.`)
  const { options, challenge } = await askForNewKey(
    relyingParty(ctx),
    { userId: person.user_id, username: person.username },
    known,
  )
  const step = await beginStep(ctx, ctx.db, { kind: 'key', userId: person.user_id, challenge })
  return { options, step }
})
