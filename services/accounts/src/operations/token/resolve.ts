/** Who is behind a bearer token: the question every signed-in request begins with. */
import { tokenResolve } from '@murmuration/contracts/accounts'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { stateOf } from '../../domain/person-state.js'
import { viewerOf } from '../../domain/viewer.js'
import { handle } from '../../doors.js'
import { noteTokenUsed, type TokenRow, tokenWithPerson } from '../../store/access-token.js'
import { noteActive, type PersonRow } from '../../store/user.js'

const DAY = 86_400_000
/** Scopes of which a stream needs one. */
const STREAMED = ['read', 'read:statuses', 'read:notifications']

const lacks = (why: 'unknown' | 'revoked' | 'expired') => ({ found: null, why })

const isPerson = (row: TokenRow & Partial<PersonRow>): row is TokenRow & PersonRow =>
  row.user_id !== null && row.account_id !== null

export const resolveToken = handle(tokenResolve, async (ctx, _viewer, { token, ip, stream }) => {
  const row = await tokenWithPerson(ctx.db, ctx.tokens.digest(token))
  if (!row) return lacks('unknown')
  if (row.revoked_at) return lacks('revoked')
  const now = ctx.clock.now()
  if (row.expires_at && row.expires_at.getTime() <= now) return lacks('expired')

  // Written once a day and not waited for: a request must not fail because a date could not be noted.
  const late = (at: Date | null | undefined) => !at || now - at.getTime() >= DAY
  const noted = (work: Promise<void>) => work.catch((error) => ctx.log.warn({ error }, 'activity was not noted'))
  if (late(row.last_used_at)) noted(noteTokenUsed(ctx.db, row.id, new Date(now)))
  if (isPerson(row) && late(row.active_at)) noted(noteActive(ctx.db, row.user_id, ip, new Date(now)))

  const viewer = isPerson(row) ? viewerOf(row) : null
  const state = isPerson(row) ? stateOf(row) : 'ok'
  const streams = stream && viewer && state === 'ok' && scopeAllows(row.scopes, STREAMED)
  return {
    found: {
      tokenId: row.id,
      appId: row.application_id,
      scopes: row.scopes,
      viewer,
      state,
    },
    why: 'ok' as const,
    ...(streams && { grant: ctx.streamGrants.issue(viewer.id) }),
  }
})
