/** Blocks what a list of another server or of somebody names. */
import { domainBlockImport } from '@murmuration/contracts/admin'
import { importBlocks } from '../../changes/import-blocks.js'
import { handle } from '../../doors.js'

export const importPage = handle(domainBlockImport, async (ctx, _viewer, input) => ({
  results: await importBlocks(ctx, null, input),
}))
