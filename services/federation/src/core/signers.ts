/** Signing keys of local accounts, read in batches and cached parsed. */
import type { KeyObject } from 'node:crypto'
import type { KeyCache } from '@murmuration/activitypub/signatures/key-cache'
import { createMemory } from '@murmuration/cache'
import { keyHint, signingKey } from '@murmuration/contracts/accounts'
import type { Call, Hints } from '@murmuration/kernel'

export interface Signer {
  /** Actor id. */
  readonly actor: string
  readonly keyId: string
  readonly privateKey: KeyObject
  /** The key before this one; it signs the Update that carries this one. */
  readonly previousKey?: KeyObject
}

export interface Signers {
  /** By account id; those without a key are left out. */
  many(accountIds: readonly string[]): Promise<Map<string, Signer>>
}

const MOST = 5_000
const KEEP_MS = 600_000
/** Most ids of one question, by the contract. */
const PAGE = 100

/** The signer of one activity: an Update of the actor proves with its old key that the new one is its own. */
export const signerOf = (signer: Signer | undefined, activity: { kind: string; about: string }): Signer | undefined =>
  signer?.previousKey && activity.kind === 'Update' && activity.about === signer.actor
    ? { ...signer, privateKey: signer.previousKey }
    : signer

export const createSigners = (ctx: {
  call: Call<typeof signingKey>
  hints: Pick<Hints, 'hear'>
  clock: { now(): number }
  keys: KeyCache
}): Signers => {
  const kept = createMemory<Signer>({ most: MOST, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  // A key may have been rotated.
  ctx.hints.hear(keyHint, (ids) => {
    if (ids === null) kept.forget()
    else for (const id of ids) kept.delete(id)
  })
  const ask = async (ids: readonly string[]): Promise<[string, Signer][]> => {
    const { keys } = await ctx.call(signingKey, { ids: [...ids] })
    return Object.entries(keys).map(([id, it]) => [
      id,
      {
        actor: it.keyId.split('#', 1)[0] as string,
        keyId: it.keyId,
        privateKey: ctx.keys.signing(it.privatePem),
        ...(it.previousPem !== undefined && { previousKey: ctx.keys.signing(it.previousPem) }),
      },
    ])
  }
  return {
    async many(accountIds) {
      const wanted = [...new Set(accountIds)]
      const found = new Map<string, Signer>()
      const missing: string[] = []
      for (const id of wanted) {
        const known = kept.get(id)
        if (known) found.set(id, known)
        else missing.push(id)
      }
      const pages = Array.from({ length: Math.ceil(missing.length / PAGE) }, (_, i) =>
        ask(missing.slice(i * PAGE, (i + 1) * PAGE)),
      )
      for (const [id, signer] of (await Promise.all(pages)).flat()) {
        kept.set(id, signer)
        found.set(id, signer)
      }
      return found
    },
  }
}
