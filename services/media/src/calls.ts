/** Operations of other services that media calls: none. */
import type { AnyOperation } from '@murmuration/contracts/kit'

export const calls = [] as const satisfies readonly AnyOperation[]
