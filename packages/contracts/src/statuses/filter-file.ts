/** Operations and jobs about filters as a file in the form of other servers, for export and import. */
import { z } from 'zod'
import { IMPORT_RETRY, internal, job, operation } from '../kit/index.js'

/** One filter of a filter file, in the form `{"custom_filters": […]}`. */
export const FilterDocument = z.object({
  title: z.string(),
  expires_at: z.string().nullable(),
  context: z.array(z.string()),
  action: z.string(),
  keywords_attributes: z.array(z.object({ keyword: z.string(), whole_word: z.boolean() })),
  /** Addresses of the filtered statuses. */
  statuses: z.array(z.string()),
})
export type FilterDocument = z.infer<typeof FilterDocument>

export const takeFilters = operation('statuses.filter.take', {
  viewer: internal(),
  large: true,
  input: z.object({
    account: z.string(),
    /** Value of `next` on the previous page; absent for the first page. */
    after: z
      .string()
      .regex(/^\d{1,19}$/)
      .optional(),
  }),
  output: z.object({ filters: z.array(FilterDocument), next: z.string().nullable() }),
  about: 'Filters of an account for the export, in order of creation, in pages of 100.',
})

export const countFilters = operation('statuses.filter.count', {
  viewer: internal(),
  input: z.object({ account: z.string() }),
  output: z.object({ filters: z.int() }),
  about: 'Number of filters of an account.',
})

export const readFilterFile = job('statuses.bring-filters', {
  data: z.object({
    /** Id of the import. */
    id: z.string(),
    account: z.string(),
    overwrite: z.boolean(),
    /** Number of status addresses in the file that were looked up already. */
    looked: z.int(),
    /** Number of earlier passes over the addresses in which a server did not respond. */
    silent: z.int().optional(),
    /** Positions of the addresses that this pass looks up; absent in the first pass, which looks up all. */
    only: z.array(z.int()).optional(),
    /** Positions of the addresses whose server did not respond in this pass. */
    missed: z.array(z.int()).optional(),
    /** True if a rate limit of this server was reached in this pass. */
    limited: z.boolean().optional(),
    /** Time before which this run does not begin, in milliseconds since 1970. */
    due: z.number().optional(),
    /** True: an operator restored the job, so the failed rows of a finished import are imported. */
    restored: z.boolean().optional(),
  }),
  about:
    'Resolves some of the statuses that imported filters cover. When all are resolved, stores all filters at once.',
  retry: IMPORT_RETRY,
  timeoutMs: 120_000,
  concurrency: 4,
})
