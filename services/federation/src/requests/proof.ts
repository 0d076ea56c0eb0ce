/** Whether an activity that somebody else passed on carries a proof by its own actor (FEP-8b32). */
import type { Context } from '../context.js'
import { verifyProof } from '../signatures/integrity-proof.js'
import type { Loose } from '../vocabulary/loose.js'
import type { Uri } from '../vocabulary/uri.js'
import { findKey } from './signer.js'

/** The actor that proved the document; null without a good proof. */
export const provedActor = async (ctx: Context, document: Loose): Promise<Uri | null> => {
  const outcome = await verifyProof(document, {
    now: ctx.clock.now(),
    async getKey(method) {
      const found = await findKey(ctx, method, { fresh: false, reach: 'outside' })
      const key = found && ctx.self.keys.verification(found.pem)
      return key ? { ...key, controller: found.owner } : null
    },
  })
  return outcome.ok ? (outcome.actor as Uri) : null
}
