/** Decides which outgoing activities carry an inner signature, with which other servers may forward them. */
import { isPublic, type Uri } from '@murmuration/activitypub/vocabulary/uri'

export interface Sealable {
  readonly type: string
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
}

const passedOn: ReadonlySet<string> = new Set(['Create', 'Update', 'Announce', 'Move'])

/**
 * True for activities that carry an inner signature (LD signature).
 *
 * | Activity | Signed inside | Reason |
 * |---|---|---|
 * | Delete | yes | every server must be able to prove the deletion |
 * | public, in open mode | yes | other servers forward it |
 * | not public | no | a permanent signature could be held against its author |
 * | any, with AUTHORIZED_FETCH | no | other servers must not forward it |
 */
export const isSealed = ({ type, to = [], cc = [] }: Sealable, secure: boolean): boolean => {
  if (type === 'Delete') return true
  if (secure || !passedOn.has(type)) return false
  return type === 'Move' || [...to, ...cc].some((uri) => isPublic(uri as Uri))
}
