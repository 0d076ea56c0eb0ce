/** Builds ids, names and the header of async refreshes, which show clients the progress of background work. */

import { isId } from '@murmuration/contracts/kit'
import { idAt } from '../status/id-time.rules.js'

const KIND = 'home'

export const homeRefreshId = (account: string): string => Buffer.from(`${KIND}:${account}`).toString('base64url')

/** Account whose home feed a refresh id denotes; null for other ids. */
export const readHomeRefreshId = (id: string): string | null => {
  const [kind, account, ...rest] = Buffer.from(id, 'base64url').toString().split(':')
  return kind === KIND && account !== undefined && isId(account) && rest.length === 0 ? account : null
}

/** Name of the async refresh for reading the replies of a thread. */
export const threadRefreshName = (status: string): string => `thread:${status}`

/** Minimum number of seconds between two reads of a thread's replies at other servers. */
export const THREAD_REST_S = 900
/**
 * Minimum age of a remote status, in milliseconds, before its replies are fetched. Before that they are not fetched, because
 * the server of the status forwards the first replies to this server.
 */
const MIN_AGE_MS = 300_000

/** Whether the replies of a status may be read at other servers: remote, public or unlisted, and five minutes old. */
export const mayFetchReplies = (status: { id: string; local: boolean; visibility: number }, now: number): boolean =>
  !status.local && status.visibility <= 1 && BigInt(status.id) <= BigInt(idAt(now - MIN_AGE_MS))

/**
 * Header of a response whose background work is not finished: refresh id, and seconds after which the client should
 * ask.
 */
export const refreshHeader = (id: string, { retry = 5, count }: { retry?: number; count?: number } = {}) => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retry}${count === undefined ? '' : `, result_count=${count}`}`,
})
