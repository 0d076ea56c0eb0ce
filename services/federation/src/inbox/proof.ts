/** Verifies signatures inside forwarded activities (third-party proofs): integrity proofs (FEP-8b32) and linked-data signatures. */

import { verifyProof } from '@murmuration/activitypub/signatures/integrity-proof'
import type { VerificationKey } from '@murmuration/activitypub/signatures/keys'
import { linkedDataSignatureOf, verifyLinkedData } from '@murmuration/activitypub/signatures/linked-data'
import { type JsonObject, prop, textOf } from '@murmuration/activitypub/vocabulary/json'
import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { Failure } from '@murmuration/contracts/kit'
import { readTime } from '@murmuration/text'
import type { Context } from '../context.js'
import { findKey, isUnanswered, type KeyLookup } from '../core/signature/signer.js'

export interface ThirdPartyProof {
  readonly actor: Uri
  /** The signed part as JSON; null if the whole document was signed. */
  readonly document: string | null
}

type Key = VerificationKey & { owner: string; controller: string }
type Try = {
  proved: ThirdPartyProof | null
  /**
   * Actor whose stored key did not verify the signature, perhaps because the key is outdated; null if there is no such
   * actor.
   */
  outdated: string | null
}

/**
 * The key with this id, stored or fetched; null if absent, or if its server does not respond. An absent key counts as a
 * failed signature of the IP address. Throws if this server cannot fetch keys now, because the proof may be valid.
 */
const keyOf = async (ctx: Context, id: string, lookup: KeyLookup): Promise<(Key & { stored: boolean }) | null> => {
  const found = await findKey(ctx, id, { ...lookup, reach: 'outside' }).catch((error) => {
    if (error instanceof Failure && !isUnanswered(error)) return undefined
    throw error
  })
  if (found === null && lookup.from) await ctx.fetcher.limits.failure(lookup.from)
  const key = found && ctx.self.keys.verification(found.pem)
  return key ? { ...key, owner: found.owner, controller: found.owner, stored: found.actor === null } : null
}

/** True if the document has a valid linked-data signature, which lets other servers verify it when it is forwarded. */
export const isSignedInside = async (ctx: Context, document: JsonObject): Promise<boolean> => {
  const getKey = (id: string) => keyOf(ctx, id, { fresh: false })
  return (await verifyLinkedData(document, { now: ctx.clock.now(), getKey, graphs: ctx.graphs })).ok
}

/**
 * Age limit of a proof, below the seven days for which Undos are stored. Because any server can forward an old document, an
 * older proof could restore an undone activity.
 */
const LIFE_MS = 6 * 86_400_000
/** Tolerance for proofs whose time is in the future, because clocks of other servers may be fast. */
const AHEAD_MS = 3_600_000

const isRecent = (created: unknown, now: number): boolean => {
  const made = readTime(textOf(created, 50) ?? '')
  return made > now - LIFE_MS && made < now + AHEAD_MS
}

const attempt = async (ctx: Context, document: JsonObject, lookup: KeyLookup): Promise<Try> => {
  let used: string | null = null
  const getKey = async (id: string) => {
    const key = await keyOf(ctx, id, lookup)
    used = key?.stored ? key.owner : null
    return key
  }
  const now = ctx.clock.now()
  if (prop(document, 'proof') !== undefined) {
    const proof = await verifyProof(document, { now, getKey })
    const signedPart = proof.ok && proof.document !== null ? JSON.stringify(proof.document) : null
    if (proof.ok && isRecent(proof.made, now))
      return { proved: { actor: proof.actor as Uri, document: signedPart }, outdated: null }
    if (proof.ok) return { proved: null, outdated: null }
    if (proof.reason === 'wrong-signature') return { proved: null, outdated: used }
  }
  const signature = linkedDataSignatureOf(document)
  if (signature === null || !isRecent(signature.created, now)) return { proved: null, outdated: null }
  const signed = await verifyLinkedData(document, { now, getKey, graphs: ctx.graphs })
  if (signed.ok) return { proved: { actor: signed.actor as Uri, document: signed.document }, outdated: null }
  return { proved: null, outdated: signed.reason === 'wrong-signature' ? used : null }
}

/**
 * Verifies the third-party proof of a document; null if it has no valid one. A stored key that does not verify the
 * proof is fetched again, once. `from`: IP address of the request. `by`: host that signed the request.
 */
export const thirdPartyProofOf = async (
  ctx: Context,
  document: JsonObject,
  client: { from: string | null; by: string | null },
): Promise<ThirdPartyProof | null> => {
  const { proved, outdated } = await attempt(ctx, document, { fresh: false, ...client })
  if (proved !== null || outdated === null || !(await ctx.fetcher.limits.mayRefresh(outdated))) return proved
  return (await attempt(ctx, document, { fresh: true, ...client })).proved
}
