/** Whether somebody may move, and who of the people here follows along. */
import { type Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

/** Where somebody wants to live. */
export interface Home {
  id: string
  suspended: boolean
  usable: boolean
  moved_to_id: string | null
  also_known_as: readonly string[]
}

export type HomeFault = 'unknown' | 'same' | 'moved' | 'no-alias'

/** Null when this account may be moved to: it is there to stay, and says that it is the same person. */
export const homeFault = (self: { id: string; uri: string }, home: Home | null): HomeFault | null => {
  if (home === null || home.suspended || !home.usable) return 'unknown'
  if (home.id === self.id) return 'same'
  if (home.moved_to_id !== null) return 'moved'
  return home.also_known_as.includes(self.uri) ? null : 'no-alias'
}

const WORDS: Record<HomeFault, string> = {
  unknown: 'New account could not be found',
  same: 'New account cannot be the current account',
  moved: 'New account has moved itself',
  'no-alias': 'New account does not name this account as an alias',
}

export const refusedHome = (fault: HomeFault): Failure => invalidField(WORDS[fault])

/** When somebody who moved at this time may move again; null when that is now. */
export const nextMoveAt = (lastAt: Date | null, now: number): Date | null => {
  if (lastAt === null) return null
  const next = lastAt.getTime() + limits.accounts.moveCoolDownSeconds * 1_000
  return next > now ? new Date(next) : null
}

export const movedTooRecently = (next: Date): Failure =>
  fail('unprocessable', `You moved recently. You can move again on ${next.toISOString().slice(0, 10)}.`)

/** Remote accounts are believed once a week, so that nobody drives people to and fro (activities.md 4). */
export const REMOTE_REST_MS = 7 * 86_400_000

export const movedRecently = (lastAt: Date | null, now: number): boolean =>
  lastAt !== null && now - lastAt.getTime() < REMOTE_REST_MS

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
 * Whether an actor that lost its handle stays without one, although WebFinger gives it to both: else they would take it from
 * each other for ever. Who came last has it, but of a person and a community the person is meant (interop 7.17).
 */
export const staysNameless = (
  lost: Pick<Named, 'username' | 'domain'> & { uri: string; type: string },
  heir: Named & { type: string },
): boolean => lost.uri !== heir.uri && sameHandle(lost, heir) && (lost.type === 'Group' || heir.type !== 'Group')

/** Somebody here who follows an account that moved. */
export interface Mover {
  id: string
  silenced: boolean
  /** Something keeps them and the new home apart: a block either way, or a blocked domain. */
  apart: boolean
  /** They follow the new home already, or asked to. */
  there: boolean
}

/**
 * `stay` keeps the old follow, `leave` only ends it, `follow` and `ask` begin the new one first. Where both homes are
 * here, a locked one need not be asked: whoever followed the old one was let in once.
 */
export const wayOf = (
  mover: Mover,
  from: { domain: string | null },
  to: { id: string; domain: string | null; locked: boolean },
): 'stay' | 'leave' | 'follow' | 'ask' => {
  if (mover.apart || mover.id === to.id) return 'stay'
  if (mover.there) return 'leave'
  if (to.domain !== null) return 'ask'
  return from.domain !== null && (to.locked || mover.silenced) ? 'ask' : 'follow'
}
