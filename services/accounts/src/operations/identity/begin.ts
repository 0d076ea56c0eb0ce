/** Where a browser goes to sign in with a provider. */
import { identityBegin } from '@murmuration/contracts/accounts'
import { notFound } from '@murmuration/contracts/kit'
import { beginStep } from '../../changes/sign-in-step.js'
import { handle } from '../../doors.js'
import type { TripStep } from '../../views/identity.js'
import { mustProve, signedIn } from '../../views/signed-in.js'

export const beginIdentity = handle(identityBegin, async (ctx, _viewer, { provider: id, next, join }) => {
  const provider = ctx.providers.get(id)
  if (!provider) throw notFound()
  const person = join ? await signedIn(ctx, join.session) : null
  if (person && join) await mustProve(ctx, person, join.password)
  const { redirect, trip } = await provider.depart()
  const data: TripStep = { provider: id, trip, next, userId: person?.user_id ?? null }
  return { redirect, step: await beginStep(ctx, ctx.db, { kind: 'provider', userId: data.userId, data }) }
})
