/** Which activities of ours carry a signature inside, so that whoever gets them may pass them on as ours. */
import { isPublic, type Uri } from '@murmuration/activitypub/vocabulary/uri'

export interface Sealable {
  readonly type: string
  readonly to?: readonly string[]
  readonly cc?: readonly string[]
}

const passedOn: ReadonlySet<string> = new Set(['Create', 'Update', 'Announce', 'Move'])

/**
 * What is for a few could be held against its author for ever if it were signed; and where documents are shown to those only
 * who say who they are, nothing is made to be passed on. That something is gone, everybody must be able to prove.
 */
export const isSealed = ({ type, to = [], cc = [] }: Sealable, secure: boolean): boolean => {
  if (type === 'Delete') return true
  if (secure || !passedOn.has(type)) return false
  return type === 'Move' || [...to, ...cc].some((uri) => isPublic(uri as Uri))
}
