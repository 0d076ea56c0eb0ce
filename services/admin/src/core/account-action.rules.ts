/** Moderation actions on accounts, and the permissions they need. */
import { errorText, fail, invalidField, type Viewer } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { can, overrides } from '@murmuration/contracts/permissions'

export const ACTIONS = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
export type Action = (typeof ACTIONS)[number]
/** States of an account that an action causes. */
export type State = Exclude<Action, 'none'>

export const actionOf = (given: string | null | undefined): Action => {
  if (!given) throw invalidField("Type can't be blank", 'Type is not included in the list')
  if (!(ACTIONS as readonly string[]).includes(given)) throw invalidField('Type is not included in the list')
  return given as Action
}

export const textOf = (given: string | null | undefined): string => {
  const text = (given ?? '').trim()
  const max = limits.accounts.moderationNoteCharacters
  if ([...text].length > max)
    throw invalidField(errorText('Text is too long (maximum is {most} characters)', { most: max }))
  return text
}

const refused = () => fail('forbidden', 'This action is not allowed')

/** Permissions and rank of the actor; null for operators, who outrank all roles. */
type Actor = Pick<Viewer, 'permissions' | 'position'> | null

/** Throws 403 unless the actor outranks the target and has the permission of this action. */
export const checkAct = (actor: Actor, action: Action, targetPosition: number | null): void => {
  if (action === 'none' || actor === null) return
  const allowed =
    can(actor.permissions, 'manage_users') || (action !== 'disable' && can(actor.permissions, 'manage_reports'))
  if (!allowed || !overrides(actor.position, targetPosition)) throw refused()
}

/**
 * Throws 403 if this server did not set the state that the actor wants to end, or if the actor does not outrank the
 * target.
 */
export const checkEnd = (
  actor: Actor,
  state: State,
  target: { position: number | null; local: boolean; suspendedLocally: boolean },
): void => {
  if (state === 'disable' && !target.local) throw fail('forbidden', 'Forbidden')
  if (state === 'suspend' && !target.suspendedLocally) throw refused()
  if (actor !== null && !overrides(actor.position, target.position)) throw refused()
}

/** The moderation action that the accounts service applies for a decision. */
export const moderationOf = (state: State, wanted: boolean) => {
  if (wanted) return state
  return state === 'disable' ? 'enable' : (`un${state}` as const)
}

/** Action name in the audit log. Names of actions on logins end with `user`, names of other actions with `account`. */
export const auditNameOf = (state: State, wanted: boolean) => {
  if (state === 'disable') return wanted ? ('disable_user' as const) : ('enable_user' as const)
  return wanted ? (`${state}_account` as const) : (`un${state}_account` as const)
}
