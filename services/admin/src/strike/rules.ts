/** Rules of appeals: strikes that can be appealed, and the deadline. */
import { limits } from '@murmuration/contracts/limits'
import type { StrikeRow } from './store.js'

type Appealable = Pick<StrikeRow, 'created_at' | 'overruled_at' | 'appeal_id'>

/** Deadline of an appeal against a strike. */
export const appealDeadline = ({ created_at }: Pick<StrikeRow, 'created_at'>): Date =>
  new Date(created_at.getTime() + limits.accounts.appealSeconds * 1_000)

/** Deadline of an appeal; null if the strike has an appeal or was overruled, or if the deadline is over. */
export const appealUntil = (strike: Appealable, now: number): Date | null => {
  const deadline = appealDeadline(strike)
  const isOpen = strike.appeal_id === null && strike.overruled_at === null && deadline.getTime() > now
  return isOpen ? deadline : null
}
