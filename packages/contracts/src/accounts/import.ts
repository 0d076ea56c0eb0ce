/**
 * Operations, events and the job of imports of CSV files and of filters from other servers: previewed, confirmed, then
 * processed by a job.
 */
import { z } from 'zod'
import { errorText, IMPORT_RETRY, id, internal, job, operation } from '../kit/index.js'
import { event } from '../kit/message.js'
import { StagedFile } from '../media/staged-file.js'
import { TablePage } from './export.js'

const session = z.string().max(512)

export const ImportKind = z.enum(['follows', 'blocks', 'mutes', 'domain_blocks', 'lists', 'bookmarks', 'filters'])
export type ImportKind = z.infer<typeof ImportKind>

export const Import = z.object({
  id: z.string(),
  kind: ImportKind,
  /** Another kind that the header or the name of the file indicates, for a warning before the confirmation. */
  likely_kind: ImportKind.nullish(),
  /** True: entries of the account that are not in the file are removed. */
  overwrite: z.boolean(),
  /** `unconfirmed` imports change nothing and expire after ten minutes. */
  state: z.enum(['unconfirmed', 'running', 'finished']),
  name: z.string(),
  total: z.int(),
  /** Number of processed rows; the next member is the number of rows that were imported. */
  processed: z.int(),
  imported: z.int(),
  created_at: z.string(),
})
export type Import = z.infer<typeof Import>

export const createImport = operation('accounts.import.create', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    session,
    kind: ImportKind,
    overwrite: z.boolean(),
    /** File that was uploaded through the gateway. */
    file: StagedFile,
  }),
  output: Import,
  errors: ['unauthenticated', 'forbidden', 'unprocessable'],
  about: 'Stores an uploaded file as an import. An import changes nothing before it is confirmed.',
})

export const showImport = operation('accounts.import.show', {
  viewer: internal(),
  input: z.object({ session, id: id() }),
  output: z.object({
    import: Import,
    /** First rows of the imported file, for the preview. */
    sample: z.array(z.array(z.string())),
    /** First failed rows whose reason is known. */
    problems: z.array(z.object({ n: z.int(), name: z.string(), problem: z.string() })),
  }),
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'One import, with its first rows and first failures.',
})

export const listImports = operation('accounts.import.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ imports: z.array(Import) }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Imports of a user in the last week, newest first.',
})

export const confirmImport = operation('accounts.import.confirm', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id: id() }),
  output: Import,
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'Confirms an import, which starts it.',
})

export const removeImport = operation('accounts.import.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id: id() }),
  output: z.object({ removed: z.boolean() }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Deletes an import that was not confirmed.',
})

export const importFailures = operation('accounts.import.failures', {
  viewer: internal(),
  large: true,
  input: z.object({ session, id: id(), after: id().optional() }),
  output: TablePage,
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'Failed rows of an import, in the columns of the file.',
})

/** Filters of an import. The statuses service, which stores filters, reads them. */
export const importFilters = operation('accounts.import.filters', {
  viewer: internal(),
  large: true,
  input: z.object({
    id: id(),
    /** Account id of the owner of the import. */
    account: z.string(),
    /** Number of the last row that the statuses service read. */
    after: z.int(),
    /** True: an operator restored the job, so the failed rows of a finished import are returned as well. */
    finished: z.boolean().optional(),
  }),
  output: z.object({
    /** Filters as JSON texts, as in the file. */
    rows: z.array(z.object({ n: z.int(), document: z.string() })),
    next: z.int().nullable(),
  }),
  about: 'A page of the filters of a running import.',
})

/** The statuses service asks before it removes bookmarks, because its job may be delivered again after the import. */
export const checkImportRemoval = operation('accounts.import.check-removal', {
  viewer: internal(),
  input: z.object({
    id: id(),
    /** Account id of the owner of the import. */
    account: z.string(),
  }),
  output: z.object({ due: z.boolean() }),
  about: 'Whether a running import still waits for the removal of the previous entries.',
})

/** Progress report from the statuses service, which imports bookmarks and filters. */
export const importReport = operation('accounts.import.report', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id: id(),
    /** True if the previous entries were removed, because the import overwrites them. */
    cleared: z.boolean(),
    /** True: the previous entries could not be removed, so the waiting rows of the import fail. */
    clear_failed: z.boolean().optional(),
    /** True: an operator restored the job. Nothing is removed, and all failed rows of a finished import are imported. */
    restart: z.boolean().optional(),
    rows: z
      .array(
        z.object({
          n: z.int(),
          imported: z.boolean(),
          /** Validation error of the row, shown to the user. */
          problem: z.string().max(500).optional(),
        }),
      )
      .max(100),
    /** Rows that are tried again: their server does not respond now, or they cause an error on this server. */
    later: z
      .array(
        z.object({
          n: z.int(),
          /** True if the cause is a rate limit of this server. */
          limited: z.boolean().optional(),
          /** Reason that is shown to the user if this was the last try. */
          problem: z.string().max(500).optional(),
        }),
      )
      .max(100)
      .optional(),
  }),
  output: z.object({
    /** True if the rows in `later` are sent again. Otherwise the reporting service repeats them. */
    repeats: z.boolean().optional(),
  }),
  about: 'Stores the results of rows that another service processed.',
})

/** Problem of rows that cause an error on this server, and of rows of an import whose job was given up. */
export const IMPORT_STOPPED = errorText('Not imported because of an error on this server').toString()

export const bookmarksWanted = event('accounts.import.bookmarks-wanted', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** True: all existing bookmarks are removed first. */
    clear: z.boolean(),
    /** `tries`: number of earlier tries of a row, absent for 0. */
    rows: z.array(z.object({ n: z.int(), uri: z.string(), tries: z.int().optional() })),
  }),
  about: 'A user imports bookmarks. Statuses reports the results by `accounts.import.report`.',
})

export const filtersWanted = event('accounts.import.filters-wanted', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** True: filters that are not in the file are removed. */
    overwrite: z.boolean(),
  }),
  about:
    'A user imports filters. Statuses reads them by `accounts.import.filters` and reports the results by `accounts.import.report`.',
})

export const importJob = job('accounts.import', {
  data: z.object({
    id: z.string(),
    /** True: an operator restored the job, so the failed rows of a finished import are imported. */
    restored: z.boolean().optional(),
  }),
  about: 'Processes an import, one page of rows at a time.',
  retry: IMPORT_RETRY,
  timeoutMs: 120_000,
  concurrency: 4,
})
