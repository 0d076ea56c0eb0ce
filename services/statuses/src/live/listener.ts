/**
 * Renders one status for many open connections: the shared text once, and for each listener the members that differ.
 */
import { splice } from '@murmuration/cards'
import {
  type AccountRelationship,
  type BlockState,
  feedRelationships,
  mutuallyHidden,
  rolesOf,
} from '@murmuration/contracts/accounts'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { loadInChunks } from '@murmuration/flow'
import type { Context } from '../context.js'
import { reactorsIn } from '../core/emoji-reaction/view.js'
import { compared, type FilterEvaluator } from '../core/filter/filtered.js'
import { choicesOfMany } from '../core/poll/store.js'
import { hydrate } from '../core/render/hydrate.js'
import { personalMembers, sharedText } from '../core/render/present.js'
import type { State } from '../core/render/state.js'
import type { LoadedStatus } from '../core/viewer/loaded-status.store.js'
import { isShown } from '../core/visibility/shown.js'
import { type FollowOf, followsFor } from './listener-follows.js'
import { flagsOfMany } from './store.js'

export interface Rendering {
  /** JSON of the status without its closing brace; null if no listener may see the status. */
  card: string | null
  tails: string[]
  /** Index into `tails` for each listener, in order; -1 if the status is hidden. */
  tailOf: number[]
}

const HIDDEN = -1
/** Maximum number of accounts in one request for relationships. */
const MAX_MET = 200
/**
 * Id that no account has. The end of the JSON text for listeners without relationship and filters is rendered for this
 * id.
 */
const UNRELATED = '0'
const hiddenRendering = (listeners: readonly string[]): Rendering => ({
  card: null,
  tails: [],
  tailOf: listeners.map(() => HIDDEN),
})
const open = (text: Json<unknown>): string => text.slice(0, -1)
/**
 * JSON text of members that is appended to an object whose closing brace was removed: a comma, the members, and the
 * brace.
 */
const ending = (members: Record<string, string | undefined>): string => `,${splice(toJson({}), members).slice(1)}`

/** Collects the different ends of JSON texts. Texts with equal ends share one index. */
const createTails = () => {
  const tails: string[] = []
  const places = new Map<string, number>()
  return {
    tails,
    placeOf(members: Record<string, string | undefined>): number {
      const text = ending(members)
      const place = places.get(text) ?? tails.push(text) - 1
      places.set(text, place)
      return place
    },
  }
}

/** Authors of the status that a status quotes, and of the status that the quoted one quotes in turn. */
const quotedAuthors = (state: State, status: LoadedStatus, original: LoadedStatus | undefined): string[] =>
  [...state.statuses.values()].filter((one) => one !== status && one !== original).map((one) => one.author_id)

/** The status that the given one quotes. */
const quotedIn = (state: State, status: LoadedStatus): LoadedStatus | undefined =>
  state.statuses.get(state.quotes.get(status.id)?.quoted_id ?? '')

/** Author and mentioned accounts of a status, and of the original of a boost; at most 200. */
const namedIn = (status: LoadedStatus, original: LoadedStatus | undefined): string[] =>
  [...new Set([status, original].flatMap((one) => (one ? [one.author_id, ...one.mentions] : [])))].slice(0, 200)

/**
 * Accounts whose relationships decide what is shown: the named ones and those that reacted. Reactions beyond 200
 * accounts are left out.
 */
const metIn = (state: State, named: readonly string[]): string[] => [
  ...new Set([...named, ...reactorsIn(state.reactions.values())].slice(0, Math.max(MAX_MET, named.length))),
]

const relationshipsFrom = (
  blockStates: readonly BlockState[] | undefined,
  following: boolean,
  author: string,
  named: readonly string[],
  follows?: ReadonlyMap<string, FollowOf>,
): Map<string, AccountRelationship> =>
  new Map(
    named.map((id) => {
      const blockState = blockStates?.find((one) => one.id === id)
      const follow = follows?.get(id)
      return [
        id,
        {
          following: follow?.following ?? (following && id === author),
          showing_reblogs: true,
          followed_by: follow?.followed_by ?? false,
          followed_by_since: null,
          requested: false,
          blocking: blockState?.blocking ?? false,
          blocked_by: blockState?.blocked_by ?? false,
          muting: blockState?.muting ?? false,
          muting_notifications: false,
          domain_blocking: blockState?.domain_blocking ?? false,
        },
      ]
    }),
  )

/**
 * Returns a check whether a listener's languages and the server's settings allow a public status. No listener may get it
 * while the settings are not loaded.
 */
const mayListen = async (ctx: Context, status: LoadedStatus, listeners: readonly string[], isPublic: boolean) => {
  if (!ctx.policy.loaded()) return () => false
  const settings = ctx.policy.settings()
  const access = isPublic
    ? status.local
      ? settings.local_live_feed_access
      : settings.remote_live_feed_access
    : status.local
      ? settings.local_topic_feed_access
      : settings.remote_topic_feed_access
  const { language } = status
  const [texts, staff] = await Promise.all([
    language === null ? null : ctx.readLanguages.many(listeners),
    access === 'disabled' ? ctx.call(rolesOf, { permission: 'view_feeds' }) : null,
  ])
  const reads = (text: string | undefined): boolean =>
    text !== undefined && (text === 'null' || (JSON.parse(text) as string[]).includes(language ?? ''))
  return (listener: string): boolean =>
    (staff === null || staff.accountIds.includes(listener)) && (texts === null || reads(texts.get(listener)))
}

/**
 * Block and mute state of listeners towards the named accounts. If too many accounts block or mute the named ones, the
 * accounts service does not list them. Only then, the ids of the listeners are sent to it.
 */
const distancesFrom = async (
  ctx: Context,
  listeners: readonly string[],
  named: readonly string[],
): Promise<Record<string, BlockState[]>> => {
  const { apart: blockStates } = await ctx.call(mutuallyHidden, { named: [...named] })
  if (blockStates !== null) return blockStates
  return Object.fromEntries(
    await loadInChunks(listeners, 1_000, async (viewers) => {
      const found = await ctx.call(feedRelationships, { viewers, named: [...named], answers: null })
      return new Map(Object.entries(found.apart))
    }),
  )
}

/**
 * For public and hashtag streams: the text for anonymous viewers. Listeners who block or mute a named account, or whom
 * the author blocks, get nothing.
 */
const renderPublic = async (
  ctx: Context,
  state: State,
  status: LoadedStatus,
  listeners: readonly string[],
  isPublic: boolean,
): Promise<Rendering> => {
  if (status.visibility !== 0 || status.silenced !== false || !isShown(state, status.id))
    return hiddenRendering(listeners)
  const named = namedIn(status, undefined)
  const met = metIn(state, [...named, ...quotedAuthors(state, status, undefined)])
  const [blockStates, allowed, evaluators, follows] = await Promise.all([
    distancesFrom(ctx, listeners, met),
    mayListen(ctx, status, listeners, isPublic),
    ctx.filterSets.many(listeners),
    followsFor(ctx, state, listeners),
  ])
  const wanted = (listener: string): boolean =>
    !(blockStates[listener] ?? []).some(
      (one) =>
        named.includes(one.id) &&
        (one.blocking || one.muting || (one.id === status.author_id && (one.blocked_by || one.domain_blocking))),
    )
  const filteredFor = compared(state, ctx.filterSets.plain)
  const { tails, placeOf } = createTails()
  const placeFor = (
    quoterId: string,
    blockStates: readonly BlockState[] | undefined,
    evaluate: FilterEvaluator | undefined,
  ): number => {
    const relationships = relationshipsFrom(blockStates, false, status.author_id, met, follows.get(quoterId))
    const members = personalMembers({ ...state, quoterId, relationships }, status)
    const { quote, quote_approval, emoji_reactions } = members
    const filtered = evaluate ? filteredFor(evaluate, state.now).get(status.id) : '[]'
    return placeOf({ filtered, quote, quote_approval, emoji_reactions })
  }
  const authors = new Set([...state.statuses.values()].map((one) => one.author_id))
  // Most listeners have no relationship to the status and no filters. For listeners without relationship and filters,
  // the end of the JSON text is rendered once.
  let usual: number | undefined
  const tailOf = listeners.map((listener) => {
    if (!wanted(listener) || !allowed(listener)) return HIDDEN
    const evaluate = evaluators.get(listener)
    if (blockStates[listener] || evaluate || authors.has(listener) || follows.has(listener))
      return placeFor(listener, blockStates[listener], evaluate)
    usual ??= placeFor(UNRELATED, undefined, undefined)
    return usual
  })
  const {
    quote: _quote,
    quote_approval: _approval,
    emoji_reactions: _reactions,
    ...members
  } = personalMembers(state, status)
  return { card: open(splice(sharedText(state, status), members)), tails, tailOf }
}

/** For home streams: all members that differ, by the rules of the home feed. */
const renderPersonal = async (
  ctx: Context,
  state: State,
  status: LoadedStatus,
  listeners: readonly string[],
): Promise<Rendering> => {
  const boosted = status.reblog_of_id === null ? undefined : state.statuses.get(status.reblog_of_id)
  const original = boosted ?? status
  const named = metIn(state, [...namedIn(status, boosted), ...quotedAuthors(state, status, boosted)])
  const quoted = quotedIn(state, original)
  const [{ apart: blockStates, following }, flags, quotedFlags, choices, evaluators, nearness] = await Promise.all([
    ctx.call(feedRelationships, { viewers: [...listeners], named, answers: status.author_id }),
    flagsOfMany(ctx.db, { id: original.id, conversation: original.conversation_id }, listeners),
    quoted ? flagsOfMany(ctx.db, { id: quoted.id, conversation: quoted.conversation_id }, listeners) : null,
    Promise.all(
      [original.poll_id, quoted?.poll_id].map(async (poll) =>
        poll ? ([poll, await choicesOfMany(ctx.db, poll, listeners)] as const) : null,
      ),
    ),
    ctx.filterSets.many(listeners),
    followsFor(ctx, state, listeners),
  ])
  const choicesIn = new Map(choices.filter((one) => one !== null))
  const follows = new Set(following)
  const filteredFor = compared(state, ctx.filterSets.plain)
  const { tails, placeOf } = createTails()
  const tailOf = listeners.map((listener) => {
    const evaluate = evaluators.get(listener)
    const ownState: State = {
      ...state,
      viewerId: listener,
      place: 'home',
      filtered: evaluate ? filteredFor(evaluate, state.now) : null,
      relationships: relationshipsFrom(
        blockStates[listener],
        follows.has(listener),
        status.author_id,
        named,
        nearness.get(listener),
      ),
      polls: new Map(
        [...state.polls].map(([id, poll]) => [id, { ...poll, choices: choicesIn.get(id)?.get(listener) ?? [] }]),
      ),
      statuses: new Map(
        [...state.statuses].map(([id, one]) => {
          const own = id === original.id ? flags : id === quoted?.id ? quotedFlags : null
          return [id, own ? { ...one, ...own.get(listener) } : one]
        }),
      ),
    }
    const own = ownState.statuses.get(status.id)
    return own && isShown(ownState, status.id) ? placeOf(personalMembers(ownState, own)) : HIDDEN
  })
  return tails.length ? { card: open(sharedText(state, status)), tails, tailOf } : hiddenRendering(listeners)
}

/** Renders one status for the listeners of a streaming process. */
export const renderFor = async (
  ctx: Context,
  id: string,
  listeners: readonly string[],
  surface: 'public' | 'hashtag' | 'user',
): Promise<Rendering> => {
  const state = await hydrate(ctx, null, [id], 'single')
  const status = state.statuses.get(id)
  if (!status || !state.cards.has(`${status.id}.${status.rev}`) || !state.accounts.has(status.author_id))
    return hiddenRendering(listeners)
  return surface === 'user'
    ? renderPersonal(ctx, state, status, listeners)
    : renderPublic(ctx, state, status, listeners, surface === 'public')
}
