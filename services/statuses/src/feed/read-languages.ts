/** Cache of the languages in which accounts read public statuses, for a minute; null for all languages. */
import { type CardCache, createCardCache } from '@murmuration/cards'
import { chosenLanguages } from '@murmuration/contracts/accounts'
import { toJson } from '@murmuration/contracts/kit'
import type { BaseContext } from '@murmuration/kernel'
import { inBatches } from '../core/batches.js'

export type ReadLanguages = CardCache<string[] | null>

export const createReadLanguages = ({ call }: Pick<BaseContext<typeof chosenLanguages>, 'call'>): ReadLanguages =>
  createCardCache<string[] | null>({
    maxChars: 4_000_000,
    load: (ids) =>
      inBatches(ids, 1_000, async (some) => {
        const { chosen } = await call(chosenLanguages, { ids: some })
        return new Map(some.map((id) => [id, toJson(chosen[id] ?? null)]))
      }),
  })
