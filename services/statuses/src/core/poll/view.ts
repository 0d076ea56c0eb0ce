/** Poll JSON with the counts that the viewer may see. */
import type { Poll } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { isExpired } from './rules.js'
import type { PollRow } from './store.js'

/** A poll and the viewer's choices. */
export interface SeenPoll {
  row: PollRow
  choices: readonly number[]
}

/**
 * Poll JSON for a viewer; null means anonymous. Authors are shown as having voted, without choices, because they cannot
 * vote.
 */
export const pollText = ({ row, choices }: SeenPoll, viewerId: string | null, now: number): Json<Poll> => {
  const expired = isExpired(row.expires_at, now)
  const hidden = row.hide_totals && !expired
  const own = viewerId === row.author_id
  return toJson<Poll>({
    id: row.id,
    expires_at: row.expires_at?.toISOString() ?? null,
    expired,
    multiple: row.multiple,
    votes_count: row.votes.reduce((sum, n) => sum + n, 0),
    voters_count: row.voters,
    options: row.options.map((title, i) => ({ title, votes_count: hidden ? null : (row.votes[i] ?? 0) })),
    emojis: row.emojis.map((one) => ({ ...one, visible_in_picker: false, featured: false })),
    ...(viewerId === null ? {} : { voted: own || choices.length > 0, own_votes: own ? [] : [...choices] }),
  })
}
