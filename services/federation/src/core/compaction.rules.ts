/** Which waiting activities a later one about the same thing makes pointless. */

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

/** An activity of this kind, which is never read again, says nothing once one of these is told of the same thing that happened after it. */
export const overtakenBy = (kind: string): readonly string[] => {
  if (kind === 'Accept') return ['Reject']
  return kind === 'Add' ? ['Remove'] : []
}

/** After this kind nothing more is said about its object, whenever that was meant to be said. */
export const isEnd = (kind: string): boolean => kind === 'Delete' || kind === 'Undo'

/** Kinds that go to blocked hosts too: they end relations and take back what those hosts were given (moderation 1). */
export const exitKinds: readonly string[] = ['Reject', 'Undo']

export const mayReachBlocked = (activity: { kind: string; isActorDeletion: boolean }): boolean =>
  activity.isActorDeletion || exitKinds.includes(activity.kind)

/** The id of a status or boost, which all activities about it share: the id of an activity without its suffix. */
export const statusThing = (uri: string): string => uri.replace(/\/activity$/, '')
