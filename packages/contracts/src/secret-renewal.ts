/** Declares the operation with which the stored secrets of one service are encrypted again. */
import { z } from 'zod'
import { internal, operation } from './kit/index.js'

/** The contract of the operation. Positions and counts are those of one page. */
export const secretRenewalOf = <S extends string>(service: S) =>
  operation(`${service}.secret.renew`, {
    viewer: internal(),
    class: 'search',
    repeatable: true,
    input: z.object({
      /** Position after which the page of secrets begins; empty at first. */
      after: z.string(),
      /** If true, the secrets are only counted. */
      dry_run: z.boolean(),
    }),
    output: z.object({
      /** Position after which the next page begins; null after the last page. */
      next: z.string().nullable(),
      seen: z.int(),
      renewed: z.int(),
      /** Number of secrets that neither SECRET_KEY_BASE nor SECRET_KEY_BASE_PREVIOUS decrypts. */
      unreadable: z.int(),
    }),
    about: `Encrypts a page of the secrets that ${service} stores with the current key.`,
  })
