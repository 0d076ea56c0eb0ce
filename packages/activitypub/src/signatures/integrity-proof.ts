/** Object integrity proofs (FEP-8b32) of the suite eddsa-jcs-2022: a signature inside the document, by its actor. */

import { createHash } from 'node:crypto'
import { readTime } from '@murmuration/text/read-time'
import { isJsonObject, type JsonObject, listOf, soleIdOf } from '../vocabulary/json.js'
import { isSignedBy } from './claim.js'
import { canonicalJson } from './jcs.js'
import type { VerificationKey } from './keys.js'
import { fromMultibase } from './multibase.js'
import { hostOfUrl } from './request.js'

/** A key and the actor that lists it among its assertion methods. */
export type ProofKey = VerificationKey & { controller: string }

export type ProofRefusal =
  | 'no-proof'
  | 'no-actor'
  | 'wrong-purpose'
  | 'bad-time'
  | 'expired'
  | 'foreign-method'
  | 'context-mismatch'
  | 'not-canonical'
  | 'unknown-key'
  | 'key-mismatch'
  | 'foreign-controller'
  | 'wrong-signature'

export type ProofOutcome =
  | {
      ok: true
      actor: string
      verificationMethod: string
      /** Property `created` of the proof, unparsed; null if absent. */
      made: string | null
      /**
       * The document as it was signed, if servers appended entries to its context after signing; null if the context is
       * unchanged.
       */
      document: JsonObject | null
    }
  | { ok: false; reason: ProofRefusal }

/** Maximum number of proofs of a document that are searched for a proof of this suite. */
const maxProofs = 5

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const without = (node: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))

const findProof = (document: JsonObject): JsonObject | null => {
  const ours = (it: unknown): it is JsonObject =>
    isJsonObject(it) && it.type === 'DataIntegrityProof' && it.cryptosuite === 'eddsa-jcs-2022'
  return listOf(document.proof, maxProofs).find(ours) ?? null
}

/**
 * The document in the form that was signed: with the context of the proof, because servers may append contexts after
 * signing.
 *
 * Null if the context of the document does not begin with the context of the proof.
 */
const signedForm = (document: JsonObject, proof: JsonObject): JsonObject | null => {
  const bare = without(document, 'proof', 'signature')
  const context = proof['@context']
  if (context === undefined) return bare
  const whole = document['@context']
  if (!Array.isArray(context) || !Array.isArray(whole) || context.length > whole.length) return null
  const start = canonicalJson(whole.slice(0, context.length))
  return start !== null && start === canonicalJson(context) ? { ...bare, '@context': context } : null
}

const contextLength = ({ '@context': context }: JsonObject): number => (Array.isArray(context) ? context.length : 0)

/**
 * The 64 signed bytes: SHA-256 of the proof options, then of the document. Returns null if the options or the document
 * have no canonical form.
 */
const bytesToSign = (options: JsonObject, document: JsonObject): Uint8Array | null => {
  const texts = [canonicalJson(options), canonicalJson(document)]
  if (texts.includes(null)) return null
  return Buffer.concat(
    texts.map((text) =>
      createHash('sha256')
        .update(text as string)
        .digest(),
    ),
  )
}

/** Fault that is found in a proof without its key; null if there is none. */
const staticFault = (proof: JsonObject, method: string | null, actor: string, now: number): ProofRefusal | null => {
  if (proof.proofPurpose !== 'assertionMethod') return 'wrong-purpose'
  const host = hostOfUrl(method ?? '')
  if (host === null || host !== hostOfUrl(actor)) return 'foreign-method'
  if (proof.expires === undefined) return null
  const expires = readTime(textOf(proof.expires) ?? '')
  if (Number.isNaN(expires)) return 'bad-time'
  return expires < now ? 'expired' : null
}

/**
 * Verifies the integrity proof of a document by its actor. Proofs inside embedded objects are ignored.
 *
 * `getKey` is called with the exact id of the verification method. `now` in ms since the epoch.
 */
export const verifyProof = async (
  document: JsonObject,
  options: { now: number; getKey: (verificationMethod: string) => Promise<ProofKey | null> },
): Promise<ProofOutcome> => {
  const no = (reason: ProofRefusal): ProofOutcome => ({ ok: false, reason })
  const proof = findProof(document)
  if (proof === null) return no('no-proof')
  const actor = soleIdOf(document.actor)
  if (actor === null) return no('no-actor')
  const method = textOf(proof.verificationMethod)
  const fault = staticFault(proof, method, actor, options.now)
  if (fault !== null) return no(fault)

  const form = signedForm(document, proof)
  if (form === null) return no('context-mismatch')
  const bytes = bytesToSign(without(proof, 'proofValue'), form)
  const signature = fromMultibase(textOf(proof.proofValue)?.slice(0, 200) ?? '')
  if (bytes === null) return no('not-canonical')

  const key = await options.getKey(method as string)
  if (key === null) return no('unknown-key')
  if (key.type !== 'ed25519') return no('key-mismatch')
  if (key.controller !== actor) return no('foreign-controller')
  if (signature?.length !== 64 || !isSignedBy(key, bytes, signature)) return no('wrong-signature')
  const isAll = contextLength(form) === contextLength(document)
  const made = textOf(proof.created)
  return { ok: true, actor, verificationMethod: method as string, made, document: isAll ? null : form }
}
