/**
 * Operation that returns the addresses of bookmarked and favourited statuses for exports, and the job that imports
 * bookmarks.
 */
import { z } from 'zod'
import { IMPORT_RETRY, internal, job, operation } from '../kit/index.js'

export const markUris = operation('statuses.mark.uris', {
  viewer: internal(),
  input: z.object({
    /** Id of the account whose bookmarks or favourites are exported. */
    account: z.string(),
    which: z.enum(['bookmarks', 'favourites']),
    /** Value of `next` on the previous page; absent for the first page. */
    after: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional(),
  }),
  output: z.object({ uris: z.array(z.string()), next: z.string().nullable() }),
  about:
    'Addresses of statuses that an account bookmarked or favourited, oldest mark first, in pages of 1,000; without their content.',
})

export const readBookmarkFile = job('statuses.bring-bookmarks', {
  data: z.object({
    /** Id of the import. The progress report names it. */
    id: z.string(),
    account: z.string(),
    clear: z.boolean(),
    /** True: an operator restored the job. Nothing is removed, and all failed rows of a finished import are imported. */
    restart: z.boolean().optional(),
    /** `tries`: number of earlier tries of a row in other jobs, absent for 0. */
    rows: z.array(z.object({ n: z.int(), uri: z.string(), tries: z.int().optional() })),
    /** Number of earlier runs for the same addresses in which a server did not respond. */
    silent: z.int().optional(),
    /** Time before which this run does not begin, in milliseconds since 1970. */
    due: z.number().optional(),
  }),
  about: 'Imports a page of bookmarks and reports the result of each.',
  retry: IMPORT_RETRY,
  timeoutMs: 120_000,
  concurrency: 4,
})
