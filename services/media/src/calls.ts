/** What media asks of others: nothing. */
import type { AnyOperation } from '@murmuration/contracts/kit'

export const calls = [] as const satisfies readonly AnyOperation[]
