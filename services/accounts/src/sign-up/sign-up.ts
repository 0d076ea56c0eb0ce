/** Signs a user up with an application or a browser: checks the terms, lists all problems, and decides on approval. */

import { fail } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { requireLoaded } from '@murmuration/kernel'
import { asciiEmail, supportedLanguage } from '@murmuration/text'
import type { Context } from '../context.js'
import { commonPasswords, publicNames } from '../core/credential/common-passwords.js'
import { passwordProblems, usernameProblems } from '../core/credential/rules.js'
import { takenName } from '../core/credential/taken.rules.js'
import { type Problem, problem, refuseIfAny } from '../core/problem.rules.js'
import { isNameTaken } from '../core/user/store.js'
import { addressProblems } from '../email/index.js'
import { type UsableInvite, usableInvite, useInvite } from '../invite/index.js'
import { createUser, type UserIds } from './create.js'
import { countRefused } from './refused.store.js'
import { type Application, applicationProblems, isApproved, type Terms } from './rules.js'

type SigningUp = Pick<
  Context,
  'db' | 'ids' | 'clock' | 'site' | 'passwords' | 'announce' | 'tokens' | 'policy' | 'config' | 'mailProviders' | 'log'
>

const badInvite = () => problem('invite_code', 'ERR_INVALID', 'is invalid')
const closed = () => fail('forbidden', 'Forbidden')

/**
 * Terms of a sign-up with the given invitation, such as whether staff must approve it. Throws `unavailable` while the
 * instance policy is not loaded.
 */
export const termsOf = (ctx: Pick<Context, 'policy'>, invite: UsableInvite | null): Terms => {
  requireLoaded(ctx.policy)
  const { registrations_mode: mode, require_invite_text: requireReason, min_age: minAge } = ctx.policy.settings()
  return { mode, requireReason, minAge, invite }
}

/** Whether sign-ups from the given IP address are possible under the given terms. */
export const isOpen = (ctx: Pick<Context, 'policy' | 'config' | 'clock'>, terms: Terms, ip: string | null): boolean => {
  const severity = ctx.policy.access().ip(ip, ctx.clock.now())
  if (ctx.config.externalOnly || ctx.config.singleUser) return false
  if (severity === 'sign_up_block' || severity === 'no_access') return false
  return terms.mode !== 'none' || terms.invite !== null
}

/** All problems of a user name for a sign-up: its form, blocked names, and existing accounts. */
export const nameProblems = async (ctx: Pick<Context, 'db' | 'policy'>, username: string): Promise<Problem[]> => {
  const wrong = usernameProblems(username, false)
  if (wrong.length) return wrong
  if (ctx.policy.access().username(username) === 'refused') return [problem('username', 'ERR_RESERVED', 'is reserved')]
  return (await isNameTaken(ctx.db, username)) ? [takenName()] : []
}

/**
 * Signs a user up. Throws one error that lists all problems. `inTransaction` runs in the transaction that stores the
 * account. Before any expensive work, it is checked whether sign-ups are open.
 */
export const signUp = async <T>(
  ctx: SigningUp,
  given: Application,
  from: { ip: string | null; applicationId: string | null; locale: string },
  inTransaction: (tx: Tx, ids: UserIds & { email: string; username: string; locale: string }) => Promise<T>,
): Promise<T> => {
  const code = given.invite_code?.trim()
  const invite = code ? await usableInvite(ctx, code) : null
  const terms = termsOf(ctx, invite)
  if (!isOpen(ctx, terms, from.ip)) throw closed()

  const [username, email, password] = [
    given.username?.trim() ?? '',
    asciiEmail(given.email ?? ''),
    given.password ?? '',
  ]
  const [common, wrongName, address] = await Promise.all([
    commonPasswords(),
    nameProblems(ctx, username),
    addressProblems(ctx, email),
  ])
  if (address.blocks?.length && from.ip) await countRefused(ctx.db, address.blocks, from.ip, ctx.clock.date())
  refuseIfAny([
    ...wrongName,
    ...address.problems,
    ...passwordProblems(password, { common, near: publicNames(ctx, username) }),
    ...applicationProblems(given, terms, ctx.clock.now()),
    ...(code && !invite ? [badInvite()] : []),
  ])

  const access = ctx.policy.access()
  const doubts =
    address.doubts ||
    access.username(username) === 'approval' ||
    access.ip(from.ip, ctx.clock.now()) === 'sign_up_requires_approval'
  const locale =
    supportedLanguage(given.locale ?? '') ??
    supportedLanguage(from.locale) ??
    ctx.policy.settings().languages[0] ??
    'en'
  const { more } = await createUser(
    ctx,
    {
      username,
      email,
      password,
      roleId: null,
      confirmed: false,
      approved: isApproved(terms, doubts),
      locale,
      mayBeReserved: false,
      beginning: {
        ip: from.ip,
        reason: given.reason?.trim() || null,
        time_zone: given.time_zone ?? null,
        application_id: from.applicationId,
        invite_id: invite?.id ?? null,
      },
    },
    async (tx, ids) => {
      // If concurrent sign-ups need the last use of an invitation, only one gets it (F066).
      if (invite && !(await useInvite(tx, invite.id, ctx.clock.date()))) {
        if (terms.mode === 'none') throw closed()
        refuseIfAny([badInvite()])
      }
      return inTransaction(tx, { ...ids, email, username, locale })
    },
  )
  return more as T
}
