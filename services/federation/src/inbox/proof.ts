/** Whether an activity that somebody else passed on is vouched for by its own actor: a proof (FEP-8b32) or a signature inside. */

import { verifyProof } from '@murmuration/activitypub/signatures/integrity-proof'
import type { VerificationKey } from '@murmuration/activitypub/signatures/keys'
import { verifyLinkedData } from '@murmuration/activitypub/signatures/linked-data'
import { isLoose, type Loose, prop, textOf } from '@murmuration/activitypub/vocabulary/loose'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { Failure } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { type Asking, findKey } from '../core/signer.js'

export interface Voucher {
  readonly actor: Uri
  /** What may be believed instead of the text that came, as JSON; null when all of that was signed. */
  readonly document: string | null
}

type Key = VerificationKey & { owner: string; controller: string }
type Try = {
  voucher: Voucher | null /** Actor of a stored key that did not fit, and may have been replaced. */
  outdated: string | null
}

/** A key that cannot be had now leaves the document unproved; its sender is to blame only for one that is not there. */
const keyOf = async (ctx: Context, id: string, asking: Asking): Promise<(Key & { stored: boolean }) | null> => {
  const found = await findKey(ctx, id, { ...asking, reach: 'outside' }).catch((error) => {
    if (error instanceof Failure) return undefined
    throw error
  })
  if (found === null && asking.from) await ctx.reader.budgets.failure(asking.from)
  const key = found && ctx.self.keys.verification(found.pem)
  return key ? { ...key, owner: found.owner, controller: found.owner, stored: found.actor === null } : null
}

/** True when the actor of the document signed it inside, so that others can be given it. */
export const isSignedInside = async (ctx: Context, document: Loose): Promise<boolean> => {
  const getKey = (id: string) => keyOf(ctx, id, { fresh: false })
  return (await verifyLinkedData(document, { now: ctx.clock.now(), getKey, graphs: ctx.graphs })).ok
}

/**
 * Whoever has a document may pass it on for ever, also after its author took back what it says. What came is remembered for
 * seven days, so that nothing is believed which may be forgotten already.
 */
const LIFE_MS = 6 * 86_400_000
const AHEAD_MS = 3_600_000

const isRecent = (created: unknown, now: number): boolean => {
  const made = Date.parse(textOf(created, 50) ?? '')
  return made > now - LIFE_MS && made < now + AHEAD_MS
}

const attempt = async (ctx: Context, document: Loose, asking: Asking): Promise<Try> => {
  let used: string | null = null
  const getKey = async (id: string) => {
    const key = await keyOf(ctx, id, asking)
    used = key?.stored ? key.owner : null
    return key
  }
  const now = ctx.clock.now()
  if (prop(document, 'proof') !== undefined) {
    const proof = await verifyProof(document, { now, getKey })
    const said = proof.ok && proof.document !== null ? JSON.stringify(proof.document) : null
    if (proof.ok && isRecent(proof.made, now))
      return { voucher: { actor: proof.actor as Uri, document: said }, outdated: null }
    if (proof.ok) return { voucher: null, outdated: null }
    if (proof.reason === 'wrong-signature') return { voucher: null, outdated: used }
  }
  const signature = prop(document, 'signature')
  if (!isLoose(signature) || !isRecent(prop(signature, 'created'), now)) return { voucher: null, outdated: null }
  const signed = await verifyLinkedData(document, { now, getKey, graphs: ctx.graphs })
  if (signed.ok) return { voucher: { actor: signed.actor as Uri, document: signed.document }, outdated: null }
  return { voucher: null, outdated: signed.reason === 'wrong-signature' ? used : null }
}

/**
 * Who vouches for the document that came from this address, signed by this host; null without a good proof. A stored key that
 * does not fit is asked for anew, once.
 */
export const voucherOf = async (
  ctx: Context,
  document: Loose,
  asked: { from: string | null; by: string | null },
): Promise<Voucher | null> => {
  const { voucher, outdated } = await attempt(ctx, document, { fresh: false, ...asked })
  if (voucher !== null || outdated === null || !(await ctx.reader.budgets.mayRefresh(outdated))) return voucher
  return (await attempt(ctx, document, { fresh: true, ...asked })).voucher
}
