/** Reads an uploaded table or filter file from staging. Size and rows are bounded, and the file is deleted afterwards. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ImportKind } from '@murmuration/contracts/accounts'
import { errorText, Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { StagedFile } from '@murmuration/contracts/media'
import { declaredSeparator, decodeTable, firstLineOf } from '@murmuration/text/table-text'
import type { Context } from '../context.js'
import { otherKind, readTable, separatorOf, type TableKind, type TableRow } from '../core/table.rules.js'
import { readFilters } from './filter.rules.js'

const MAX_ROW = 16_384
const { importRows, importBytes, importFilterBytes, filters } = limits.accounts

const noTable = () => invalidField('File could not be read as a table (CSV)')

type Tools = Pick<Context, 'blobs'>

const unreadable = (cause: unknown) =>
  fail('unavailable', 'There was a temporary problem serving your request, please try again', {
    cause,
    retryAfter: 5,
  })

const open = async (ctx: Tools, key: string, max: number) => {
  const blob = await ctx.blobs.get(key).catch((error: unknown) => {
    throw unreadable(error)
  })
  if (!blob) throw invalidField("File can't be blank")
  if (blob.size <= max) return blob
  blob.body.destroy()
  throw invalidField(errorText('File size must be less than {most} MB', { most: max / 1_048_576 }))
}

/** Returns the first line with content of a stream, and a stream with the complete content. */
const firstLine = async (body: Readable): Promise<{ line: string; rest: Readable }> => {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const read: Buffer[] = []
  let bytes = 0
  let first = { line: '', isWhole: false }
  while (bytes < MAX_ROW && !first.isWhole) {
    const { done, value } = await chunks.next()
    if (done) break
    read.push(value)
    bytes += value.length
    first = firstLineOf(decodeTable(Buffer.concat(read)))
  }
  async function* again() {
    yield* read
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { line: first.line, rest: Readable.from(again()) }
}

/** Cells of all rows. At most one row too many is read, so that the caller detects a file that is too long. */
const rowsOf = async (ctx: Tools, kind: TableKind, key: string): Promise<string[][]> => {
  const blob = await open(ctx, key, importBytes)
  const { line, rest } = await firstLine(blob.body).catch((error: unknown) => {
    throw unreadable(error)
  })
  const { CsvError, parse } = await import('csv-parse')
  const declared = declaredSeparator(line)
  const parser = parse({
    bom: true,
    delimiter: declared ?? separatorOf(kind, line),
    // Cells are bytes, because spreadsheets also save character sets other than UTF-8. After a byte order mark, cells
    // are text.
    encoding: null,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW,
    // One row for the declaration of the separator, one for the header, and one to detect a file that is too long.
    to: importRows + 3,
  })
  rest.on('error', (error) => parser.destroy(error))
  const rows: string[][] = []
  try {
    for await (const cells of rest.pipe(parser) as AsyncIterable<(string | Buffer)[]>) {
      const row = cells.map((cell) => (typeof cell === 'string' ? cell : decodeTable(cell)))
      // Text contains no NUL character, but compressed files, pictures and spreadsheets do.
      if (row.some((cell) => cell.includes('\u0000'))) throw noTable()
      rows.push(row)
    }
  } catch (error) {
    if (error instanceof CsvError) throw noTable()
    if (error instanceof Failure) throw error
    throw unreadable(error)
  } finally {
    blob.body.destroy()
  }
  // A first line that only declares the cell separator (`sep=;`) is not a row of the table.
  return declared === null ? rows : rows.slice(1)
}

const tooManyRows = (most: number) => invalidField(errorText('File has more than {most} rows', { most }))

interface ReadFile {
  rows: TableRow[]
  /** Another kind that the header or the name of the file indicates; null if neither does. */
  likelyKind: TableKind | null
}

const tableOf = async (
  ctx: Tools & Pick<Context, 'site'>,
  kind: TableKind,
  { key, name }: Pick<StagedFile, 'key' | 'name'>,
): Promise<ReadFile> => {
  const given = await rowsOf(ctx, kind, key)
  // The file is refused also if rows repeat, because its last rows were not read. One row may be the header.
  if (given.length > importRows + 1) throw tooManyRows(importRows)
  const rows = readTable(kind, given, ctx.site.localDomain, ctx.site.handleDomains)
  if (rows === null) throw invalidField('File is a table of another kind')
  return { rows, likelyKind: otherKind(kind, given, name) }
}

const filtersOf = async (ctx: Tools, key: string): Promise<ReadFile> => {
  const { body } = await open(ctx, key, importFilterBytes)
  const file = await text(body).catch((error: unknown) => {
    throw unreadable(error)
  })
  const rows = readFilters(file.replace(/^\ufeff/, ''))
  if (rows === null) throw invalidField('File could not be read as filters (JSON)')
  return { rows, likelyKind: null }
}

/** Reads the rows of an uploaded file. Throws the problems of the file. The file is deleted from staging in any case. */
export const readImport = async (
  ctx: Pick<Context, 'blobs' | 'site' | 'log'>,
  kind: ImportKind,
  file: Pick<StagedFile, 'key' | 'name'>,
): Promise<ReadFile> => {
  try {
    const read = kind === 'filters' ? await filtersOf(ctx, file.key) : await tableOf(ctx, kind, file)
    const max = kind === 'filters' ? filters : importRows
    if (read.rows.length === 0) throw invalidField('File is empty')
    if (read.rows.length > max) throw tooManyRows(max)
    return read
  } finally {
    ctx.blobs.delete([file.key]).catch((error) => ctx.log.warn({ error }, 'an uploaded table was not deleted'))
  }
}
