/** When remote statuses were written, as far as we believe their servers. */

/** Years before the first federated networks are mistakes. */
const EARLIEST = Date.UTC(2000, 0, 1)

/** The time a remote status counts as written: what it says, never in the future, never absurdly long ago. */
export const publishedAt = (published: string, now: number): Date => {
  const said = Date.parse(published)
  return new Date(Number.isNaN(said) || said < EARLIEST ? now : Math.min(said, now))
}

/** True when an edit is newer than what is stored; an older or repeated one changes nothing. */
export const isEditNewer = (edited: string, stored: Date | null): boolean => {
  const at = Date.parse(edited)
  return !Number.isNaN(at) && (stored === null || at > stored.getTime())
}
