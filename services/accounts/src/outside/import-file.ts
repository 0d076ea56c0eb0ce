/** Reads the table that somebody uploaded, from staging: bounded in bytes and rows, and gone afterwards. */
import type { ImportKind } from '@murmuration/contracts/accounts'
import { Failure, fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { readTable, type TableRow } from '../domain/table.js'

const MOST_ROW = 16_384
const { importRows, importBytes } = limits.accounts

const noTable = () => invalidField('File could not be read as a table (CSV)')

/** Rows of the file as they stand there; one more than there may be, to tell. */
const rowsOf = async (ctx: Pick<Context, 'blobs'>, key: string): Promise<string[][]> => {
  const blob = await ctx.blobs.get(key)
  if (!blob) throw invalidField("File can't be blank")
  if (blob.size > importBytes) {
    blob.body.destroy()
    throw invalidField('File size must be less than 20 MB')
  }
  const { CsvError, parse } = await import('csv-parse')
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_ROW,
    // The names of columns are one row more.
    to: importRows + 2,
  })
  blob.body.on('error', (error) => parser.destroy(error))
  const rows: string[][] = []
  try {
    for await (const row of blob.body.pipe(parser) as AsyncIterable<string[]>) {
      // No text holds it; what is packed, a picture or a spreadsheet's own file does.
      if (row.some((cell) => cell.includes('\u0000'))) throw noTable()
      rows.push(row)
    }
  } catch (error) {
    if (error instanceof CsvError) throw noTable()
    if (error instanceof Failure) throw error
    throw fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause: error })
  } finally {
    blob.body.destroy()
  }
  return rows
}

/** Throws what is wrong with the file. Whatever happens, it is gone from staging. */
export const readImport = async (
  ctx: Pick<Context, 'blobs' | 'site' | 'log'>,
  kind: ImportKind,
  key: string,
): Promise<TableRow[]> => {
  try {
    const rows = readTable(kind, await rowsOf(ctx, key), ctx.site.localDomain)
    if (rows === null) throw invalidField('File is a table of another kind')
    if (rows.length === 0) throw invalidField('File is empty')
    if (rows.length > importRows) throw invalidField(`File has more than ${importRows} rows`)
    return rows
  } finally {
    ctx.blobs.delete([key]).catch((error) => ctx.log.warn({ error }, 'an uploaded table was not deleted'))
  }
}
