/** Handler that returns to how many sign-ups blocks of e-mail domains applied. */
import { refusedSignUpHistory } from '@murmuration/contracts/accounts'
import { handle } from '../handlers.js'
import { refusedSince } from './refused.store.js'
import { weekOf } from './refused.view.js'

export const history = handle(refusedSignUpHistory, async (ctx, _viewer, { domains }) => {
  const now = ctx.clock.now()
  const rows = await refusedSince(ctx.db, domains, new Date(now - 6 * 86_400_000))
  return { histories: domains.map((domain) => weekOf(domain, rows, now)) }
})
