/** Operations that media calls. Written by `npm run gen`: do not edit. */
import type { AnyOperation } from '@murmuration/contracts/kit'

export const calls = [] as const satisfies readonly AnyOperation[]
