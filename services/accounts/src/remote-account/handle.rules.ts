/** An account elsewhere as far as its name and its places tell. */
export interface Named {
  id: string
  uri: string
  username: string
  domain: string | null
}

const sameHandle = (a: Pick<Named, 'username' | 'domain'>, b: Pick<Named, 'username' | 'domain'>): boolean =>
  a.domain === b.domain && a.username.toLowerCase() === b.username.toLowerCase()

/** The name of an account whose handle was given to another actor; no server can give such a one. */
export const placeholderOf = (account: Pick<Named, 'id' | 'username'>): string => `${account.username}~${account.id}`

/**
 * Whether the actor who has the handle of another stands in its place: its server began again. WebFinger gave it the handle,
 * and at the old address, on the domain of the handle or the server of the new actor, nobody is any more, or the new actor.
 * `gone` is somebody who left, and whoever still answers there has another name now.
 */
export const isHeir = (
  old: Named,
  heir: Named,
  answer: { outcome: string; actor: { uri: string } | null },
): boolean => {
  if (!sameHandle(old, { ...heir, username: placeholderOf({ id: old.id, username: heir.username }) })) return false
  if (![heir.domain, new URL(heir.uri).host].includes(new URL(old.uri).host)) return false
  return answer.outcome === 'not-found' || answer.actor?.uri === heir.uri
}

/**
 * Whether an actor that lost its handle stays without one, although WebFinger returns it for both. Otherwise each would take
 * it from the other again. The later actor gets it, but a person has priority over a group (interop 7.17).
 */
export const staysNameless = (
  lost: Pick<Named, 'username' | 'domain'> & { uri: string; type: string },
  heir: Named & { type: string },
): boolean => lost.uri !== heir.uri && sameHandle(lost, heir) && (lost.type === 'Group' || heir.type !== 'Group')
