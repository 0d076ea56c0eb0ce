/** Validates values of new invitations, and creates codes without ambiguous characters. */

import { randomInt } from 'node:crypto'
import { errorText } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { type Problem, problem, tooLong } from '../core/problem.rules.js'

/** Lifetimes of an invitation in seconds that are accepted, and accepted numbers of uses. Null means unlimited. */
export const INVITE_SECONDS = [1_800, 3_600, 21_600, 43_200, 86_400, 604_800] as const
export const INVITE_USES = [1, 5, 10, 25, 50, 100] as const

/** Characters of invitation codes. 0, 1, I, l and O are left out, because they are easily confused. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export const newInviteCode = (): string =>
  Array.from({ length: limits.accounts.inviteCodeCharacters }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const isOneOf = (list: readonly number[], value: number | null): boolean => value === null || list.includes(value)

export const inviteProblems = (wanted: {
  max_uses: number | null
  expires_in: number | null
  comment: string
}): Problem[] => [
  ...(isOneOf(INVITE_USES, wanted.max_uses)
    ? []
    : [problem('max_uses', 'ERR_INCLUSION', 'is not included in the list', errorText('Maximum uses'))]),
  ...(isOneOf(INVITE_SECONDS, wanted.expires_in)
    ? []
    : [problem('expires_in', 'ERR_INCLUSION', 'is not included in the list')]),
  ...([...wanted.comment].length > limits.accounts.inviteCommentCharacters
    ? [tooLong('comment', limits.accounts.inviteCommentCharacters)]
    : []),
]

/** An invitation that can be used. */
export interface UsableInvite {
  id: string
  account_id: string
  /** True if the role of the inviter permits sign-ups without approval. */
  bypasses: boolean
}
