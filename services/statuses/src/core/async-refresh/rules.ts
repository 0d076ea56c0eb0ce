/** Names of work in the background, as answers carry them: whose home feed is being made. Opaque to clients. */

import { isId } from '@murmuration/contracts/kit'
import { idAt } from '../status/id-time.rules.js'

const KIND = 'home'

export const homeRefreshId = (account: string): string => Buffer.from(`${KIND}:${account}`).toString('base64url')

/** Account whose home feed a refresh id names; null when it names none. */
export const readHomeRefreshId = (id: string): string | null => {
  const [kind, account, ...rest] = Buffer.from(id, 'base64url').toString().split(':')
  return kind === KIND && account !== undefined && isId(account) && rest.length === 0 ? account : null
}

/** The thing that work about a thread is done for. */
export const threadThing = (status: string): string => `thread:${status}`

/** Seconds for which nobody looks elsewhere for the answers to a status once more. */
export const THREAD_REST_S = 900
/** A status is that old before anybody does: its server sends the first answers itself. */
const SETTLED_MS = 300_000

/** Whether other servers may be asked what was answered to a status (limits 1). */
export const maySeekReplies = (status: { id: string; local: boolean; visibility: number }, now: number): boolean =>
  !status.local && status.visibility <= 1 && BigInt(status.id) <= BigInt(idAt(now - SETTLED_MS))

/** The header of a response whose background work is not done: its id, and the seconds after which to ask. */
export const refreshHeader = (id: string, { retry = 5, count }: { retry?: number; count?: number } = {}) => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retry}${count === undefined ? '' : `, result_count=${count}`}`,
})
