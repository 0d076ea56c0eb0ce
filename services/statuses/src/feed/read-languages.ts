/** Cache of the languages in which accounts read public statuses, for a minute; null for all languages. */
import { type CardCache, createCardCache } from '@murmuration/cards'
import { chosenLanguages } from '@murmuration/contracts/accounts'
import { toJson } from '@murmuration/contracts/kit'
import { loadInChunks } from '@murmuration/flow'
import type { BaseContext } from '@murmuration/kernel'

export type ReadLanguages = CardCache<string[] | null>

export const createReadLanguages = ({
  call,
  clock,
}: Pick<BaseContext<typeof chosenLanguages>, 'call' | 'clock'>): ReadLanguages =>
  createCardCache<string[] | null>({
    now: clock.now,
    maxChars: 4_000_000,
    load: (ids) =>
      loadInChunks(ids, 1_000, async (some) => {
        const { chosen } = await call(chosenLanguages, { ids: some })
        return new Map(some.map((id) => [id, toJson(chosen[id] ?? null)]))
      }),
  })
