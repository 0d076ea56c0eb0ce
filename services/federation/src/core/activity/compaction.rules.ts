/** Rules by which a later activity replaces waiting activities about the same object. */

/** Kinds of waiting activities that an activity of this kind replaces. */
export const replaces = (kind: string): 'everything' | readonly string[] => {
  switch (kind) {
    case 'Delete':
    case 'Undo':
      return 'everything'
    case 'Update':
      return ['Update']
    case 'Reject':
      return ['Accept']
    default:
      return []
  }
}

/** Kinds of later activities about the same object that make the content of this kind out of date. */
export const outdatedBy = (kind: string): readonly string[] =>
  kind === 'Create' || kind === 'Update' || kind === 'Add' ? ['Update', 'Remove'] : []

/** Kinds of later activities about the same object after which an activity of this kind is not sent. */
export const supersededBy = (kind: string): readonly string[] => {
  if (kind === 'Accept') return ['Reject']
  return kind === 'Add' ? ['Remove'] : []
}

/** True for kinds after which no activity about the same object is sent. */
export const isEnd = (kind: string): boolean => kind === 'Delete' || kind === 'Undo'

/** Kinds that are also sent to blocked hosts, because they end relations with accounts there. */
export const kindsSentToBlocked: readonly string[] = ['Reject', 'Undo']

export const mayReachBlocked = (activity: { kind: string; isActorDeletion: boolean }): boolean =>
  activity.isActorDeletion || kindsSentToBlocked.includes(activity.kind)

/** URI of a status or reblog from the URI of its Create or Announce: removes the suffix `/activity`. */
export const statusUriOf = (uri: string): string => uri.replace(/\/activity$/, '')
