/** Joins a login of a provider to the one here that has its address, for its password and its second factor (A084). */
import { identityLink } from '@murmuration/contracts/accounts'
import { isShut, passFirstStep } from '../../changes/first-step.js'
import { noteFailure } from '../../changes/session.js'
import { dataOf } from '../../changes/sign-in-step.js'
import { handle } from '../../doors.js'
import { takeStepByDigest, tryStep } from '../../store/sign-in-step.js'
import { personByUserId } from '../../store/user.js'
import type { NewcomerStep } from '../../views/identity.js'

const MOST_TRIES = 5

export const linkIdentity = handle(identityLink, async (ctx, _viewer, { step, password, ...browser }) => {
  const at = ctx.clock.date()
  const hash = ctx.tokens.digest(step)
  const row = await tryStep(ctx.db, hash, 'identity', MOST_TRIES, at)
  const person = row?.user_id ? await personByUserId(ctx.db, row.user_id) : null
  if (!row || !person || isShut(person)) return { outcome: { kind: 'over' as const } }
  if (!(await ctx.passwords.matches(person.password_hash, password))) {
    await noteFailure(ctx, person.user_id, 'password', browser)
    return { outcome: { kind: 'refused' as const } }
  }
  if (!(await takeStepByDigest(ctx.db, hash, 'identity', at))) return { outcome: { kind: 'over' as const } }
  const { provider, claims, next } = dataOf<NewcomerStep>(ctx, row)
  const link = { provider, subject: claims.subject }
  return { outcome: { ...(await passFirstStep(ctx, person, 'password', browser, link)), next } }
})
