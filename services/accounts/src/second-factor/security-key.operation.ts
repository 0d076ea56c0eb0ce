/** Handlers of passkeys and security keys. */
import { addSecurityKey, beginSecurityKey, removeSecurityKey } from '@murmuration/contracts/accounts'
import { errorText, fail, notFound } from '@murmuration/contracts/kit'
import { logCredentialChange } from '../core/credential/security-log.js'
import { lockSignedIn, requirePassword, signedIn } from '../core/session/signed-in.js'
import { deleteOtherSessions } from '../core/session/store.js'
import { handle } from '../handlers.js'
import { writeMail } from '../mail/index.js'
import { beginStep, takeStepByDigest } from '../sign-in-step/index.js'
import { firstBackupCodes } from './backup-codes.js'
import { relyingParty } from './factors.js'
import { proveNewKey, registrationOptions } from './passkeys.js'
import { deleteSecurityKey, insertSecurityKey, securityKeysOf } from './security-key.store.js'
import { dropUselessCodes } from './use.js'

const MAX_KEYS = 20

/** Returns options with which a browser creates a passkey or uses a new security key. */
export const begin = handle(beginSecurityKey, async (ctx, _viewer, { session, password }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  const known = await securityKeysOf(ctx.db, user.user_id)
  if (known.length >= MAX_KEYS)
    throw fail('unprocessable', errorText('More than {most} keys cannot be kept.', { most: MAX_KEYS }))
  const { options, challenge } = await registrationOptions(
    relyingParty(ctx),
    { userId: user.user_id, username: user.username },
    known,
  )
  const step = await beginStep(ctx, ctx.db, { kind: 'key', userId: user.user_id, challenge })
  return { options, step }
})

const MAX_NAME = 60

/** Stores a passkey or security key after its response was verified. */
export const add = handle(addSecurityKey, async (ctx, _viewer, input) => {
  const user = await signedIn(ctx, input.session)
  const at = ctx.clock.date()
  const step = await takeStepByDigest(ctx.db, ctx.tokens.digest(input.step), 'key', at)
  const proved =
    step?.user_id === user.user_id && step.challenge !== null
      ? await proveNewKey(relyingParty(ctx), step.challenge, input.credential)
      : null
  if (!proved) throw fail('unprocessable', 'The security key could not be verified. Please try again.')
  const name = input.name.trim().slice(0, MAX_NAME) || 'Security key'
  const backupCodes = await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, input.session, user)
    const key = { id: ctx.ids.next(), userId: user.user_id, ...proved, name, at }
    if (!(await insertSecurityKey(tx, key))) throw fail('unprocessable', 'This security key is already registered.')
    await deleteOtherSessions(tx, user.user_id, user.session_id)
    logCredentialChange(ctx, tx, user.user_id, { message: 'a second factor was added', kind: 'key' })
    await writeMail(ctx, tx, user, 'security-key-added', { values: { name } })
    return firstBackupCodes(ctx, tx, user.user_id)
  })
  return { backupCodes }
})

/** Removes a passkey or security key. All other sessions end (D013). */
export const remove = handle(removeSecurityKey, async (ctx, _viewer, { session, password, id }) => {
  const user = await signedIn(ctx, session)
  await requirePassword(ctx, user, password)
  await ctx.db.tx(async (tx) => {
    await lockSignedIn(ctx, tx, session, user)
    const name = await deleteSecurityKey(tx, user.user_id, id)
    if (name === null) throw notFound()
    await dropUselessCodes(tx, user.user_id)
    await deleteOtherSessions(tx, user.user_id, user.session_id)
    logCredentialChange(ctx, tx, user.user_id, { message: 'a second factor was removed', kind: 'key', by: 'self' })
    await writeMail(ctx, tx, user, 'security-key-removed', { values: { name } })
  })
  return {}
})
