/** Which of the loaded statuses the viewer gets to see at this place. Pure; whatever is not loaded is not shown. */

import { cardName } from '../card/cards.js'
import { placed } from '../render/hydrate.js'
import type { State } from '../render/state.js'
import type { Fact } from '../viewer/fact.store.js'
import { isHidden } from './place.rules.js'
import { HELD, maySee, visibilityOf } from './rules.js'

/** True when everything that the JSON of this status is joined from is there. */
export const isWhole = (state: State, id: string): boolean => {
  const fact = state.facts.get(id)
  return fact !== undefined && state.cards.has(cardName(fact)) && state.accounts.has(fact.author_id)
}

/** True when the viewer may see the status, whatever the place. */
export const isVisible = (state: Pick<State, 'viewerId' | 'standings'>, fact: Fact): boolean =>
  maySee(
    state.viewerId,
    {
      authorId: fact.author_id,
      visibility: visibilityOf(fact.visibility),
      held: fact.visibility === HELD,
      authorSuspended: fact.suspended,
      mentionsViewer: state.viewerId !== null && fact.mentions.includes(state.viewerId),
    },
    state.standings.get(fact.author_id),
  )

/** True when the status may be shown: it is whole, visible with its original, and the place does not hide it. */
export const isShown = (state: State, id: string): boolean => {
  const fact = state.facts.get(id)
  if (!fact || !isWhole(state, id) || !isVisible(state, fact)) return false
  if (fact.reblog_of_id !== null) {
    const original = state.facts.get(fact.reblog_of_id)
    if (!original || !isWhole(state, original.id) || !isVisible(state, original)) return false
  }
  return !isHidden(state.place, state.viewerId, placed(fact), state.standings)
}
