/** One status for many open connections: the shared text once, and per kind of listener only what differs. */
import { splice } from '@murmuration/cards'
import { authorFacts, type Standing } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { isHidden, type Place } from '../domain/place.js'
import type { Fact } from '../store/fact.js'
import { type Done, doneTo } from '../store/listener-fact.js'
import { hydrate, placed, type State } from './hydrate.js'
import { personalMembers, sharedText } from './present.js'
import { isVisible, isWhole } from './rules.js'

export interface ForListeners {
  card: string | null
  tails: string[]
  tailOf: Record<string, number>
}

const NOTHING: Done = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false }
const HIDDEN: ForListeners = { card: null, tails: [], tailOf: {} }

type Standings = Readonly<Record<string, Standing>>

const standingsTo = async (ctx: Context, author: string | null, viewers: string[]): Promise<Standings> =>
  author === null ? {} : (await ctx.call(authorFacts, { author, viewers })).standings

/** The state as one listener would have loaded it. */
const seenBy = (
  state: State,
  viewerId: string,
  fact: Fact,
  proper: Fact,
  done: Done,
  standings: ReadonlyMap<string, Standing>,
): State => ({
  ...state,
  viewerId,
  standings,
  facts: new Map([
    [fact.id, { ...fact, ...(fact === proper ? done : NOTHING) }],
    [proper.id, { ...proper, ...done }],
  ]),
})

const isLetThrough = (seen: State, fact: Fact, proper: Fact, place: Place): boolean =>
  isVisible(seen, fact) && isVisible(seen, proper) && !isHidden(place, seen.viewerId, placed(fact), seen.standings)

/** Listeners alike in all this get the same text. */
const kindOf = (
  viewer: string,
  fact: Fact,
  proper: Fact,
  done: Done,
  standings: ReadonlyMap<string, Standing>,
): string =>
  [
    viewer === fact.author_id,
    viewer === proper.author_id,
    standings.get(fact.author_id)?.following,
    standings.get(proper.author_id)?.following,
    ...Object.values(done),
  ].join()

export const showToListeners = async (
  ctx: Context,
  id: string,
  listeners: readonly string[],
  surface: 'public' | 'hashtag' | 'user',
): Promise<ForListeners> => {
  const state = await hydrate(ctx, null, [id], 'single')
  const fact = state.facts.get(id)
  const proper = fact?.reblog_of_id ? state.facts.get(fact.reblog_of_id) : fact
  if (!fact || !proper || !isWhole(state, id) || !isWhole(state, proper.id)) return HIDDEN
  const viewers = [...new Set(listeners)]
  const [done, toAuthor, toOriginal] = await Promise.all([
    doneTo(ctx.db, proper, viewers),
    standingsTo(ctx, fact.author_id, viewers),
    standingsTo(ctx, fact === proper ? null : proper.author_id, viewers),
  ])
  const place: Place = surface === 'user' ? 'single' : 'public'
  const tails: string[] = []
  const tailOf: Record<string, number> = {}
  const kinds = new Map<string, number>()
  for (const viewer of viewers) {
    const standings = new Map(
      (
        [
          [fact.author_id, toAuthor[viewer]],
          [proper.author_id, fact === proper ? toAuthor[viewer] : toOriginal[viewer]],
        ] as const
      ).flatMap(([author, standing]) => (standing ? [[author, standing] as const] : [])),
    )
    const did = { ...NOTHING, ...done.get(viewer) }
    const seen = seenBy(state, viewer, fact, proper, did, standings)
    if (!isLetThrough(seen, fact, proper, place)) continue
    const kind = kindOf(viewer, fact, proper, did, standings)
    let at = kinds.get(kind)
    if (at === undefined) {
      at = tails.push(`,${splice('{}' as never, personalMembers(seen, seen.facts.get(fact.id) ?? fact)).slice(1)}`) - 1
      kinds.set(kind, at)
    }
    tailOf[viewer] = at
  }
  return { card: sharedText(state, fact).slice(0, -1), tails, tailOf }
}
