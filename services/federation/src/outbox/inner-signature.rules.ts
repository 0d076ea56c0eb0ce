/** Decides which outgoing activities get an inner signature, which other servers need to forward them. */
import { isPublic, type Uri } from '@murmuration/activitypub/vocabulary/uri'

export interface SignedFields {
  readonly type: string
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
}

const passedOn: ReadonlySet<string> = new Set(['Create', 'Update', 'Announce', 'Move'])

/**
 * True for activities that get an inner signature (linked-data signature).
 *
 * | Activity | Signed inside | Reason |
 * |---|---|---|
 * | Delete | yes | every server must be able to prove the deletion |
 * | public Create, Update, Announce, and Move, without AUTHORIZED_FETCH | yes | other servers forward it |
 * | not public | no | a permanent signature could be held against its author |
 * | any other type | no | servers do not forward it |
 * | any but Delete, with AUTHORIZED_FETCH | no | other servers must not forward it |
 */
export const needsInnerSignature = ({ type, to = [], cc = [] }: SignedFields, secure: boolean): boolean => {
  if (type === 'Delete') return true
  if (secure || !passedOn.has(type)) return false
  return type === 'Move' || [...to, ...cc].some((uri) => isPublic(uri as Uri))
}
