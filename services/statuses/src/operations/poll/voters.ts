/** People of this server who voted in a poll, a page at a time. */
import { pollVoters } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { localVoters } from '../../store/poll.js'

export const voters = handle(pollVoters, async (ctx, _viewer, { poll, after, limit = 1_000 }) => {
  const accounts = await localVoters(ctx.db, poll, after ?? '0', limit)
  return { accounts, next: accounts.length === limit ? (accounts.at(-1) ?? null) : null }
})
