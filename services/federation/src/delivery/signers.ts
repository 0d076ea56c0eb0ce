/** The keys with which our people sign, asked in batches and kept parsed. */
import type { KeyObject } from 'node:crypto'
import { createMemory } from '@murmuration/cache'
import { signingKey } from '@murmuration/contracts/accounts'
import type { Call } from '@murmuration/kernel'
import type { KeyCache } from '../signatures/key-cache.js'

export interface Signer {
  /** Actor id. */
  readonly actor: string
  readonly keyId: string
  readonly privateKey: KeyObject
}

export interface Signers {
  /** By account id; those without a key are left out. */
  many(accountIds: readonly string[]): Promise<Map<string, Signer>>
}

const MOST = 5_000
const KEEP_MS = 600_000
/** Most ids of one question, by the contract. */
const PAGE = 100

export const createSigners = (ctx: {
  call: Call<typeof signingKey>
  clock: { now(): number }
  keys: KeyCache
}): Signers => {
  const kept = createMemory<Signer>({ most: MOST, ttlMs: KEEP_MS, now: () => ctx.clock.now() })
  const ask = async (ids: readonly string[]): Promise<[string, Signer][]> => {
    const { keys } = await ctx.call(signingKey, { ids: [...ids] })
    return Object.entries(keys).map(([id, it]) => [
      id,
      { actor: it.keyId.split('#', 1)[0] as string, keyId: it.keyId, privateKey: ctx.keys.signing(it.privatePem) },
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
