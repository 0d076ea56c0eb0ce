/** What a person brings along: tables that other servers wrote, looked at before anything happens, then worked off behind it. */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'
import { event } from '../kit/message.js'
import { StagedFile } from '../media/staged-file.js'
import { TablePage } from './export.js'

const session = z.string().max(512)
const id = z.string().regex(/^\d{1,19}$/)

export const ImportKind = z.enum(['follows', 'blocks', 'mutes', 'domain_blocks', 'lists', 'bookmarks'])
export type ImportKind = z.infer<typeof ImportKind>

export const Import = z.object({
  id: z.string(),
  kind: ImportKind,
  /** What is not in the file goes. */
  overwrite: z.boolean(),
  /** `unconfirmed` ones change nothing, and are forgotten after ten minutes. */
  state: z.enum(['unconfirmed', 'running', 'finished']),
  name: z.string(),
  total: z.int(),
  /** Rows that were tried, and those of them that worked. */
  processed: z.int(),
  imported: z.int(),
  created_at: z.string(),
})
export type Import = z.infer<typeof Import>

export const importCreate = operation('accounts.import.create', {
  viewer: internal(),
  class: 'upload',
  input: z.object({
    session,
    kind: ImportKind,
    overwrite: z.boolean(),
    /** The file that the edge took. */
    file: StagedFile,
  }),
  output: Import,
  errors: ['unauthenticated', 'forbidden', 'unprocessable'],
  about: 'Reads a table; nothing happens before it is confirmed.',
})

export const importShow = operation('accounts.import.show', {
  viewer: internal(),
  input: z.object({ session, id }),
  output: z.object({
    import: Import,
    /** Its first rows. */
    sample: z.array(z.array(z.string())),
  }),
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'One import with its first rows.',
})

export const importList = operation('accounts.import.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ imports: z.array(Import) }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'What a person imported in the last week, newest first.',
})

export const importConfirm = operation('accounts.import.confirm', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id }),
  output: Import,
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'Begins to work an import off.',
})

export const importRemove = operation('accounts.import.remove', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id }),
  output: z.object({ removed: z.boolean() }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Forgets an import that was not confirmed.',
})

export const importFailures = operation('accounts.import.failures', {
  viewer: internal(),
  input: z.object({ session, id, after: id.optional() }),
  output: TablePage,
  errors: ['unauthenticated', 'forbidden', 'not_found'],
  about: 'Rows of an import that did not work, in the form of the file.',
})

/** Statuses brings bookmarks along, because it keeps them. */
export const importReport = operation('accounts.import.report', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    id,
    /** What was there before is gone, when that was asked for. */
    cleared: z.boolean(),
    rows: z.array(z.object({ n: z.int(), imported: z.boolean() })).max(100),
  }),
  output: z.object({}),
  about: 'What became of rows that another service worked off.',
})

export const bookmarksWanted = event('accounts.import.bookmarks-wanted', {
  data: z.object({
    id: z.string(),
    account: z.string(),
    /** Everything that is bookmarked goes first. */
    clear: z.boolean(),
    rows: z.array(z.object({ n: z.int(), uri: z.string() })),
  }),
  about: 'A person brings bookmarks along; the answer is `accounts.import.report`.',
})
