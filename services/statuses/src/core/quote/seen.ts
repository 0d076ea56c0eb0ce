/** The quote of a loaded status as the viewer sees it. The quoted status is hidden if it is not loaded. */
import type { QuoteState } from '@murmuration/contracts/entities'
import type { State } from '../render/state.js'
import type { LoadedStatus } from '../viewer/loaded-status.store.js'
import { isVisible, isWhole } from '../visibility/shown.js'
import { isSent, shownState } from './rules.js'

/** The quote of a status for the viewer. Null without a quote, and for a legacy quote that is not accepted. */
export const quoteSeen = (
  state: State,
  status: LoadedStatus,
): { state: QuoteState; quotedId: string | null } | null => {
  const row = status.has_quote ? state.quotes.get(status.id) : undefined
  if (row === undefined || !isSent(row)) return null
  const quoted = row.quoted_id === null ? undefined : state.statuses.get(row.quoted_id)
  if (!quoted) return { state: shownState(row.state, null, undefined), quotedId: null }
  const relationship = state.relationships.get(quoted.author_id)
  const visible = isVisible(state, quoted) && isWhole(state, quoted.id) && relationship?.blocked_by !== true
  const own = quoted.author_id === state.viewerId
  return {
    state: shownState(row.state, { visible, own }, relationship),
    quotedId: quoted.id,
  }
}
