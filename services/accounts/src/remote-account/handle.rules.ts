/** A remote account, with its handle and its actor id. */
export interface Named {
  id: string
  uri: string
  username: string
  domain: string | null
}

const sameHandle = (a: Pick<Named, 'username' | 'domain'>, b: Pick<Named, 'username' | 'domain'>): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase()

/** User name of an account whose handle was given to another actor. Servers cannot assign such a name, because of the `~`. */
export const placeholderOf = (account: Pick<Named, 'id' | 'username'>): string => `${account.username}~${account.id}`

/**
 * Whether an actor replaces the account that had its handle before, because the server was reset. All of these must be true:
 *
 * - WebFinger returns the new actor for the handle.
 * - The old actor id is on the domain of the handle, or on the server of the new actor.
 * - A fetch of the old actor id finds nothing (`not-found`), or the new actor.
 *
 * A `gone` account was deleted by its owner, and an old actor that still exists has another name now. Neither has a
 * successor.
 */
export const isSuccessor = (
  old: Named,
  successor: Named,
  result: { outcome: string; actor: { uri: string } | null },
): boolean => {
  if (!sameHandle(old, { ...successor, username: placeholderOf({ id: old.id, username: successor.username }) }))
    return false
  if (![successor.domain, new URL(successor.uri).host].includes(new URL(old.uri).host)) return false
  return result.outcome === 'not-found' || result.actor?.uri === successor.uri
}

/**
 * Whether an actor that lost its handle stays without one, although WebFinger returns the handle for both actors.
 * Otherwise, both actors would take the handle from each other repeatedly. The later actor gets the handle, but a
 * person has priority over a group.
 */
export const staysWithoutHandle = (
  lost: Pick<Named, 'username' | 'domain'> & { uri: string; type: string },
  successor: Named & { type: string },
): boolean =>
  lost.uri !== successor.uri && sameHandle(lost, successor) && (lost.type === 'Group' || successor.type !== 'Group')
