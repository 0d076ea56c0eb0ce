/** The operation that the tests of late writes call. */
import { internal, operation } from '@murmuration/contracts/kit'
import { z } from 'zod'

export const writeOf = (service: string) =>
  operation(`${service}.word.write`, {
    viewer: internal(),
    class: 'write',
    input: z.object({ word: z.string() }),
    output: z.object({}),
    about: 'Writes a word.',
  })
