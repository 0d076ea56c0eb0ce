/**
 * Decides which roles staff may create, change, delete and assign: none above the actor's position, and no permission
 * that the actor lacks.
 */
import { type ErrorText, errorText, fail, invalidField } from '@murmuration/contracts/kit'
import {
  ALL_PERMISSIONS,
  can,
  EVERYONE_MAY_HOLD,
  effectivePermissions,
  overrides,
  PERMISSIONS,
  type PermissionName,
  permissionsOf,
} from '@murmuration/contracts/permissions'
import type { RoleRow } from '../core/role/store.js'

export const EVERYONE = '-99'
const MAX_NAME = 100
const MAX_POSITION = 1_000_000
const MAX_COLLECTIONS = 1_000

/** Effective permissions and position of the actor. The actor is null for operators, who may do everything. */
export type Actor = { permissions: number; position: number } | null

export interface RoleChange {
  name?: string | null | undefined
  color?: string | null | undefined
  position?: number | undefined
  permissions?: readonly string[] | undefined
  highlighted?: boolean | undefined
  require_2fa?: boolean | undefined
  collection_limit?: number | undefined
}

const refused = () => fail('forbidden', 'This action is not allowed')

/** Permission bits of a list of names, or of one decimal number. Throws 422 for any other value. */
export const bitsOf = (given: readonly string[]): number => {
  const [first = ''] = given
  if (given.length === 1 && /^\d{1,9}$/.test(first)) {
    const bits = Number(first)
    if ((bits & ~ALL_PERMISSIONS) !== 0) throw invalidField('Permissions is not included in the list')
    return bits
  }
  if (given.some((name) => !Object.hasOwn(PERMISSIONS, name)))
    throw invalidField('Permissions is not included in the list')
  return permissionsOf(...(given as PermissionName[]))
}

/** Throws 403 unless the actor manages roles and, with a target position, is above it. */
export const checkActor = (actor: Actor, targetPosition: number | null): void => {
  if (actor === null) return
  if (!can(actor.permissions, 'manage_roles') || !overrides(actor.position, targetPosition)) throw refused()
}

const problemsOf = (role: RoleRow): ErrorText[] => {
  const isEveryone = role.id === EVERYONE
  return [
    ...(!isEveryone && role.name === '' ? [errorText("Name can't be blank")] : []),
    ...([...role.name].length > MAX_NAME
      ? [errorText('Name is too long (maximum is {most} characters)', { most: MAX_NAME })]
      : []),
    ...(/^(#?([0-9a-f]{3}){1,2})?$/i.test(role.color) ? [] : [errorText('Color is invalid')]),
    ...(!isEveryone && (role.position < 0 || role.position > MAX_POSITION)
      ? [errorText('Position must be from 0 to {most}', { most: MAX_POSITION })]
      : []),
    ...(role.collection_limit < 0 || role.collection_limit > MAX_COLLECTIONS
      ? [errorText('Collection limit must be from 0 to {most}', { most: MAX_COLLECTIONS })]
      : []),
    ...(isEveryone && (role.permissions & ALL_PERMISSIONS & ~EVERYONE_MAY_HOLD) !== 0
      ? [errorText('Permissions include permissions that are not safe for the base role')]
      : []),
  ]
}

const elevations = (actor: Actor, before: RoleRow | null, after: RoleRow): ErrorText[] => {
  if (actor === null) return []
  const added = after.permissions & ~(before?.permissions ?? 0)
  return [
    ...((added & ~actor.permissions) !== 0
      ? [errorText('Permissions cannot include permissions your current role does not possess')]
      : []),
    ...(after.position > actor.position ? [errorText('Position cannot be higher than your current role')] : []),
  ]
}

/** Permissions of a newer release, which this release can neither show nor grant. A change of the role does not remove them. */
const newerBits = ({ permissions }: RoleRow): number => permissions & ~ALL_PERMISSIONS

/** The role after a change. Throws 422 for invalid values and for anything above the actor. */
export const changedRole = (actor: Actor, base: RoleRow, before: RoleRow | null, change: RoleChange): RoleRow => {
  const isEveryone = base.id === EVERYONE
  const after: RoleRow = {
    ...base,
    name: isEveryone || change.name === undefined ? base.name : (change.name ?? '').trim(),
    color: isEveryone || change.color === undefined ? base.color : (change.color ?? '').trim(),
    position: isEveryone ? base.position : (change.position ?? base.position),
    permissions: change.permissions === undefined ? base.permissions : bitsOf(change.permissions) | newerBits(base),
    highlighted: isEveryone ? base.highlighted : (change.highlighted ?? base.highlighted),
    // The base role cannot require a second factor, because new users have none.
    require_2fa: isEveryone ? false : (change.require_2fa ?? base.require_2fa),
    collection_limit: change.collection_limit ?? base.collection_limit,
  }
  const problems = [...problemsOf(after), ...elevations(actor, before, after)]
  if (problems.length > 0) throw invalidField(...problems)
  return after
}

/** Throws 403 if the role is above the actor or has a permission that the actor lacks. */
export const checkAssignment = (actor: Actor, role: Pick<RoleRow, 'position' | 'permissions'>): void => {
  if (actor === null) return
  const bits = effectivePermissions(role.permissions, 0)
  if (role.position > actor.position || (bits & ~actor.permissions) !== 0) throw refused()
}
