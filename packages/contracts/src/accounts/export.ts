/**
 * Operations that export an account's own data as CSV: follows, blocks, mutes, blocked domains and lists, and severed
 * follows.
 */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

/** Value of the session cookie, which identifies the user. */
const session = z.string().max(512)

export const ExportKind = z.enum(['follows', 'blocks', 'mutes', 'domain_blocks', 'lists'])
export type ExportKind = z.infer<typeof ExportKind>

/** A page of a table. The first page starts with the column names, if the table has any. */
export const TablePage = z.object({
  rows: z.array(z.array(z.string())),
  /** Cursor of the next page; null on the last page. */
  next: z.string().nullable(),
})
export type TablePage = z.infer<typeof TablePage>

const after = z
  .string()
  .regex(/^\d{1,19}(-\d{1,19})?$/)
  .optional()

export const exportPage = operation('accounts.export.page', {
  viewer: internal(),
  input: z.object({ session, kind: ExportKind, after }),
  output: TablePage,
  errors: ['unauthenticated', 'forbidden'],
  about: 'A page of an account’s own data, in the columns that other servers import.',
})

export const exportCounts = operation('accounts.export.figures', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ counts: z.record(ExportKind, z.int()), followers: z.int() }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Number of rows of each export, and of followers.',
})

export const exportOwner = operation('accounts.export.owner', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ id: z.string(), username: z.string() }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'The account whose data this session may export. Moved accounts may export too.',
})
