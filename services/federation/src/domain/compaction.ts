/** Which waiting activities a later one about the same thing makes pointless. */

/** What an activity of this kind replaces while it waits: everything, or these kinds. */
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

/** After this kind nothing more is said about its object, whenever that was meant to be said. */
export const isLastWord = (kind: string): boolean => kind === 'Delete' || kind === 'Undo'

/** Kinds that go to blocked hosts too: they end relations and take back what those hosts were given (moderation 1). */
export const exitKinds: readonly string[] = ['Reject', 'Undo']

export const mayReachBlocked = (activity: { kind: string; farewell: boolean }): boolean =>
  activity.farewell || exitKinds.includes(activity.kind)
