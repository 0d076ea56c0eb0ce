/** How the quote of a loaded status stands for the viewer; on doubt nothing of the quoted status is shown. */
import type { QuoteState } from '@murmuration/contracts/entities'
import type { State } from '../render/state.js'
import type { Fact } from '../viewer/fact.store.js'
import { isVisible, isWhole } from '../visibility/shown.js'
import { shownState } from './rules.js'

/** Null when there is no quote, or one that is not shown before it is approved. */
export const quoteSeen = (state: State, fact: Fact): { state: QuoteState; quotedId: string | null } | null => {
  const row = fact.has_quote ? state.quotes.get(fact.id) : undefined
  if (row === undefined || (row.legacy && row.state !== 'accepted')) return null
  const quoted = row.quoted_id === null ? undefined : state.facts.get(row.quoted_id)
  if (!quoted) return { state: shownState(row.state, null, undefined), quotedId: null }
  const standing = state.standings.get(quoted.author_id)
  const visible = isVisible(state, quoted) && isWhole(state, quoted.id) && standing?.blocked_by !== true
  const own = quoted.author_id === state.viewerId
  return {
    state: shownState(row.state, { visible, own }, standing),
    quotedId: quoted.id,
  }
}
